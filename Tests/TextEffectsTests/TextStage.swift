import EditorCore
import EditorTestSupport
import Foundation
import Synchronization
import Testing

@testable import TextEffects

/// A text effect on a canvas, made from a config entry.
struct TextStage {
    let effect: TextEffect
    let canvas: PixelSize
    let activeRange: TimeRange
    let findings: [Finding]

    init(
        _ entry: JSONValue, canvas: PixelSize = PixelSize(width: 360, height: 640), seconds: Int = 3,
        assets: any AssetLoading = FakeAssets()
    ) throws {
        self.canvas = canvas
        activeRange = TimeRange(start: .zero, duration: MediaTime(seconds: seconds))
        var reading = ParameterReading()
        let read = TextParameters.read(entry, at: JSONPointer(["effects", "0"]), ignoring: ["type"], into: &reading)
        if let error = EditorError(reading.findings) { throw error }
        let told = Mutex<[Finding]>([])
        let context = EffectContext(
            canvas: canvas, frameRate: Rational(30), duration: activeRange.duration, activeRange: activeRange,
            assets: assets, report: { finding in told.withLock { $0.append(finding) } })
        effect = try TextEffect(try #require(read), context: context)
        findings = told.withLock { $0 }
    }

    func overlay(at seconds: Double) throws -> Overlay? {
        let time = EffectTime(
            time: MediaTime(decimal: seconds)!, index: Int(seconds * 30), activeRange: activeRange)
        return try effect.overlay(at: time)
    }

    func overlays(at seconds: Double) throws -> [Overlay] {
        let time = EffectTime(
            time: MediaTime(decimal: seconds)!, index: Int(seconds * 30), activeRange: activeRange)
        return try effect.overlays(at: time)
    }

    /// What stands on a clear canvas at a time; for overlays that are neither turned nor scaled and stand on whole pixels.
    func pixels(at seconds: Double = 0) throws -> Canvas {
        var result = Canvas(size: canvas)
        for overlay in try overlays(at: seconds) { result.place(overlay) }
        return result
    }

    /// Findings of reading a config entry's parameters.
    static func findings(_ entry: JSONValue) -> [Finding] {
        var reading = ParameterReading()
        _ = TextParameters.read(entry, at: JSONPointer(["effects", "0"]), ignoring: ["type"], into: &reading)
        return reading.findings
    }
}

/// Premultiplied R, G, B, A pixels of a clear canvas.
struct Canvas {
    let size: PixelSize
    var pixels: [UInt8]

    init(size: PixelSize) {
        self.size = size
        pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
    }

    mutating func place(_ overlay: Overlay) {
        let picture = overlay.picture
        let left = overlay.center.x - Double(picture.width) / 2
        let top = overlay.center.y - Double(picture.height) / 2
        #expect(
            abs(left - left.rounded()) < 1e-6 && abs(top - top.rounded()) < 1e-6, "not on whole pixels: \(left), \(top)"
        )
        #expect(overlay.scale == Point(1, 1) && overlay.rotation == 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let (cx, cy) = (x + Int(left.rounded()), y + Int(top.rounded()))
                guard (0..<size.width).contains(cx), (0..<size.height).contains(cy) else { continue }
                let (from, to) = ((y * picture.width + x) * 4, (cy * size.width + cx) * 4)
                let rest = 255 - Int(picture.pixels[from + 3])
                for c in 0..<4 {
                    pixels[to + c] = UInt8(
                        min(255, Int(picture.pixels[from + c]) + (Int(pixels[to + c]) * rest + 127) / 255))
                }
            }
        }
    }

    struct Pixel: Equatable {
        var red, green, blue, alpha: UInt8
    }

    subscript(x: Int, y: Int) -> Pixel {
        let i = (y * size.width + x) * 4
        return Pixel(red: pixels[i], green: pixels[i + 1], blue: pixels[i + 2], alpha: pixels[i + 3])
    }

    /// The columns and rows with ink, or nil when there is none.
    func inkBox(where isInk: (Pixel) -> Bool = { $0.alpha > 48 }) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        let points = inkPoints(where: isInk)
        guard let first = points.first else { return nil }
        var (x, y) = (first.x...first.x, first.y...first.y)
        for point in points {
            x = min(x.lowerBound, point.x)...max(x.upperBound, point.x)
            y = min(y.lowerBound, point.y)...max(y.upperBound, point.y)
        }
        return (x, y)
    }

    func inkPoints(where isInk: (Pixel) -> Bool = { $0.alpha > 48 }) -> [(x: Int, y: Int)] {
        var points: [(x: Int, y: Int)] = []
        for y in 0..<size.height {
            for x in 0..<size.width where isInk(self[x, y]) { points.append((x, y)) }
        }
        return points
    }

    /// Share of a box's pixels for which something holds.
    func share(x: Range<Int>, y: Range<Int>, where holds: (Pixel) -> Bool) -> Double {
        var count = 0
        for row in y { for column in x where holds(self[column, row]) { count += 1 } }
        return Double(count) / Double(x.count * y.count)
    }

    /// How many stretches of rows with ink are parted by at least one row without.
    var rowGroups: Int {
        var groups = 0
        var inside = false
        for y in 0..<size.height {
            let hasInk = (0..<size.width).contains { self[$0, y].alpha > 48 }
            if hasInk && !inside { groups += 1 }
            inside = hasInk
        }
        return groups
    }

    /// Connected shapes of ink (eight neighbours) of at least `minArea` pixels.
    func pieces(minArea: Int, threshold: UInt8 = 110) -> Int {
        var seen = [Bool](repeating: false, count: size.width * size.height)
        var count = 0
        for start in seen.indices where !seen[start] && pixels[start * 4 + 3] > threshold {
            var (stack, area) = ([start], 0)
            seen[start] = true
            while let point = stack.popLast() {
                area += 1
                let (x, y) = (point % size.width, point / size.width)
                for ny in max(0, y - 1)...min(size.height - 1, y + 1) {
                    for nx in max(0, x - 1)...min(size.width - 1, x + 1) {
                        let next = ny * size.width + nx
                        if !seen[next], pixels[next * 4 + 3] > threshold {
                            seen[next] = true
                            stack.append(next)
                        }
                    }
                }
            }
            if area >= minArea { count += 1 }
        }
        return count
    }
}
