import EditorCore
import EditorTestSupport
import Testing

@testable import ColorEffects

@Suite("the colour key")
struct ChromaKeyTests {
    private static let size = PixelSize(width: 96, height: 64)

    private func keyed(_ frame: VideoFrame, _ json: JSONValue) throws -> VideoFrame {
        try ColorStage.treated(frame, ChromaKey.self, json)
    }

    private func withAlpha(_ size: PixelSize, alpha: UInt8 = 255, _ color: (Int, Int) -> Color) -> VideoFrame {
        SyntheticFrames.frame(size, format: .yuva420) { plane, x, y in
            if plane == 3 { return alpha }
            let (y, u, v) = ColorConversion.yuv(for: plane == 0 ? color(x, y) : color(2 * x, 2 * y))
            return plane == 0 ? y : plane == 1 ? u : v
        }
    }

    private static let screens: [(String, Color)] = [
        ("00b140", Color(hex: "00b140")!), ("00ff00", Color(hex: "00ff00")!), ("0047bb", Color(hex: "0047bb")!),
    ]

    @Test("the screen is gone, even in half light, and colours of clothes and skin stay whole")
    func separates() throws {
        for (name, screen) in Self.screens {
            func shade(_ f: Double) -> Color {
                Color(
                    red: UInt8(Double(screen.red) * f), green: UInt8(Double(screen.green) * f),
                    blue: UInt8(Double(screen.blue) * f))
            }
            for f in [1, 0.85, 0.75] {
                let result = try keyed(withAlpha(Self.size) { _, _ in shade(f) }, ["color": .string(name)])
                #expect(SyntheticFrames.bytes(of: result, plane: 3).allSatisfy { $0 == 0 }, "\(name) at \(f)")
            }
            for other in ["e0ac8c", "5c3a2a", "ffffff", "000000", "808080", "d02020", "ffd84a", "e8e0d8"] {
                let before = withAlpha(Self.size) { _, _ in Color(hex: other)! }
                let result = try keyed(before, ["color": .string(name)])
                #expect(SyntheticFrames.bytes(of: result, plane: 3).allSatisfy { $0 == 255 }, "\(other) before \(name)")
                // Nothing of the screen in it, so nothing is taken off but the roundings of greys.
                for plane in 0..<3 {
                    let pair = zip(
                        SyntheticFrames.bytes(of: before, plane: plane), SyntheticFrames.bytes(of: result, plane: plane)
                    )
                    #expect(pair.allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(other) before \(name)")
                }
            }
        }
    }

    @Test("what is mixed with the screen gets its own colour back, and the more screen the less it shows")
    func edges() throws {
        let (screen, own) = (Color(hex: "00b140")!, Color(hex: "b09088")!)
        var last = 256
        for step in 0...10 {
            let m = Double(step) / 10
            func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) * (1 - m) + Double(b) * m).rounded()) }
            let color = Color(
                red: mixed(own.red, screen.red), green: mixed(own.green, screen.green),
                blue: mixed(own.blue, screen.blue))
            let result = try keyed(withAlpha(Self.size) { _, _ in color }, ["color": "00b140", "spill": 1])
            let alpha = Int(SyntheticFrames.bytes(of: result, plane: 3)[0])
            #expect(alpha <= last)
            last = alpha
            if m <= 0.6 {
                let bytes = (0..<3).map { Double(SyntheticFrames.bytes(of: result, plane: $0)[0]) }
                let rgb = RGB(y: bytes[0], cb: bytes[1], cr: bytes[2])
                // Green is no more than the other two have, and the light is that of the thing itself.
                #expect(rgb.g <= max(rgb.r, rgb.b) + 0.03, "\(m)")
                let wanted = ColorConversion.yuv(for: own)
                #expect(abs(bytes[0] - Double(wanted.y)) < 14, "\(m)")
            }
        }
        #expect(last == 0)
    }

    @Test("without spill control colours stay as they are; alpha that was there counts")
    func keeps() throws {
        let frame = withAlpha(Self.size, alpha: 100) { x, y in
            x < 48 ? Color(hex: "00b140")! : Color(red: UInt8(2 * x), green: UInt8(3 * y), blue: 90)
        }
        let result = try keyed(frame, ["color": "00b140", "spill": 0])
        for plane in 0..<3 {
            #expect(SyntheticFrames.bytes(of: result, plane: plane) == SyntheticFrames.bytes(of: frame, plane: plane))
        }
        let alpha = SyntheticFrames.bytes(of: result, plane: 3)
        #expect(alpha[0] == 0 && alpha.max() == 100)
    }

    @Test("the tables are the formulas", arguments: [0.2, 1])
    func matchesFormulas(_ spill: Double) throws {
        // Eight columns of every pair of a few chroma values, so that each pixel's chroma is its own.
        var random = SplitMix64(2)
        for _ in 0..<60 {
            let (y, u, v) = (UInt8(16 + random.next() % 220), UInt8(random.next() % 256), UInt8(random.next() % 256))
            let frame = SyntheticFrames.frame(PixelSize(width: 6, height: 4), format: .yuva420) { plane, _, _ in
                [y, u, v, 255][plane]
            }
            let result = try keyed(
                frame, ["color": "0047bb", "similarity": 0.3, "softness": 0.5, "spill": .number(spill)])
            let key = ColorConversion.yuv(for: Color(hex: "0047bb")!)
            // Blue over the stronger of red and green.
            func excess(_ u: UInt8, _ v: UInt8) -> Double {
                let color = RGB(y: 16, cb: Double(u), cr: Double(v))
                return color.b - max(color.r, color.g)
            }
            let share = excess(u, v) / excess(key.u, key.v)
            let wanted = 255 * max(0, min(1, (0.7 - share) / 0.5))
            #expect(abs(Double(SyntheticFrames.bytes(of: result, plane: 3)[0]) - wanted) <= 0.51)
            let m = max(0, min(0.75, share)) * spill
            func clean(_ value: UInt8, _ key: UInt8) -> Double {
                max(0, min(255, (Double(value) - m * Double(key)) / (1 - m)))
            }
            #expect(abs(Double(SyntheticFrames.bytes(of: result, plane: 1)[0]) - clean(u, key.u)) <= 0.51)
            #expect(abs(Double(SyntheticFrames.bytes(of: result, plane: 2)[0]) - clean(v, key.v)) <= 0.51)
            // Luma's factor has seven bits.
            #expect(abs(Double(SyntheticFrames.bytes(of: result, plane: 0)[0]) - clean(y, key.y)) <= 1.6)
        }
    }
}
