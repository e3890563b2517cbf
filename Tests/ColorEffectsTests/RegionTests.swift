import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import ColorEffects

@Suite("regions, blur and mosaic")
struct RegionTests {
    private static let size = PixelSize(width: 161, height: 121)
    private static let noise = SyntheticFrames.noise(size, seed: 21)
    /// On the move by fractions of pixels, and growing.
    private static func region(_ shape: String, softness: Double = 0) -> JSONValue {
        [
            "shape": .string(shape), "softness": .number(softness),
            "center": [
                ["time": 0, "value": [0.1, 0.2], "easing": "easeInOut"], ["time": 1, "value": [0.83, 0.71]],
            ],
            "width": [["time": 0, "value": 0.2], ["time": 1, "value": 0.37]], "height": 0.23,
        ]
    }

    /// Whether any part of pixel `(x, y)` lies within the region, and how far its nearest part is from it.
    private func distance(_ shape: String, _ x: Int, _ y: Int, frame: Int) -> Double {
        let t = Double(frame) / 30
        let eased = t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)
        let (w, h) = (Double(Self.size.width), Double(Self.size.height))
        let (cx, cy) = ((0.1 + 0.73 * eased) * w, (0.2 + 0.51 * eased) * h)
        let (rx, ry) = ((0.2 + 0.17 * t) * w / 2, 0.23 * w / 2)
        let dx = max(0, abs(Double(x) + 0.5 - cx) - 0.5)
        let dy = max(0, abs(Double(y) + 0.5 - cy) - 0.5)
        if shape == "ellipse" {
            let rho = hypot(dx / rx, dy / ry)
            // To first order; on the axes exactly.
            return rho <= 1 ? 0 : (rho - 1) * rho / hypot(dx / (rx * rx), dy / (ry * ry))
        }
        return hypot(max(0, dx - rx), max(0, dy - ry))
    }

    @Test(
        "a region follows its keyframes: covered whole at every frame, and nothing else is touched",
        arguments: ["rectangle", "ellipse"], [0, 0.03])
    func coverage(_ shape: String, _ softness: Double) throws {
        let region = Self.region(shape, softness: softness)
        let reach = softness * Double(Self.size.width)
        for (type, whole, part) in [
            ("pixelate", ["size": "8px"], ["size": "8px", "region": region]),
            ("blur", ["radius": "9px"], ["radius": "9px", "region": region]),
        ] as [(String, JSONValue, JSONValue)] {
            func run(_ json: JSONValue, _ frame: Int) throws -> VideoFrame {
                type == "blur"
                    ? try ColorStage.treated(Self.noise, Blur.self, json, at: frame)
                    : try ColorStage.treated(Self.noise, Pixelate.self, json, at: frame)
            }
            let everything = try run(whole, 0)
            for frame in stride(from: 0, through: 30, by: 3) {
                let result = try run(part, frame)
                for plane in 0..<3 {
                    let extent = Self.noise.format.planeSize(plane, of: Self.size)
                    let (was, all, now) = (
                        SyntheticFrames.bytes(of: Self.noise, plane: plane),
                        SyntheticFrames.bytes(of: everything, plane: plane),
                        SyntheticFrames.bytes(of: result, plane: plane)
                    )
                    var (bare, spoilt) = (0, 0)
                    for y in 0..<extent.height {
                        for x in 0..<extent.width {
                            let i = y * extent.width + x
                            // A chroma sample colours the pixels left and right of it and those of two rows up and down.
                            let pixels =
                                plane == 0
                                ? [(x, y)] : (-1...1).flatMap { dx in (-1...2).map { (2 * x + dx, 2 * y + $0) } }
                            let near = pixels.filter {
                                (0..<Self.size.width).contains($0.0) && (0..<Self.size.height).contains($0.1)
                            }
                            .map { distance(shape, $0.0, $0.1, frame: frame) }.min()!
                            if near == 0 {
                                if now[i] != all[i] { bare += 1 }
                            } else if near > reach + 0.02 {
                                if now[i] != was[i] { spoilt += 1 }
                            }
                        }
                    }
                    #expect(bare == 0 && spoilt == 0, "\(type), \(shape), frame \(frame), plane \(plane)")
                }
            }
        }
    }

    @Test("a region fades outwards, evenly")
    func softness() {
        var region = Region()
        region.softness = Length(pixels: 10)
        region.width = Animated(Length(pixels: 40))
        region.height = Animated(Length(pixels: 20))
        for shape in Region.Shape.allCases {
            region.shape = shape
            let mask = RegionMask(region, at: 0, size: PixelSize(width: 100, height: 80))
            var weights = [UInt16](repeating: 0, count: 100)
            weights.withUnsafeMutableBufferPointer { mask.weights(row: 40, 0..<100, into: $0.baseAddress!) }
            #expect(weights[30..<70].allSatisfy { $0 == 256 } && weights[0..<15].allSatisfy { $0 == 0 })
            for x in 70..<90 { #expect(weights[x] <= weights[x - 1] && weights[x - 1] - weights[x] <= 26) }
        }
    }

    @Test(
        "a blur is close to a Gaussian, whatever its width and wherever the edges are",
        arguments: [1, 2.5, 4, 7.5, 13, 40])
    func blur(_ radius: Double) throws {
        // Blocks of black and white, and a single bright pixel, whose blur is the filter itself.
        let size = PixelSize(width: 150, height: 110)
        let frame = SyntheticFrames.frame(size) { plane, x, y in
            plane == 0 ? ((x / 31 + y / 27) % 2 == 0 ? 30 : 220) : UInt8(60 + x + (plane - 1) * y / 2)
        }
        let result = try ColorStage.treated(frame, Blur.self, ["radius": .string("\(radius)px")])
        for plane in 0..<3 {
            let sigma = (plane == 0 ? radius : radius / 2) / 2
            let wanted = Self.gaussian(frame, plane, sigma)
            let got = SyntheticFrames.bytes(of: result, plane: plane).map(Double.init)
            let worst = zip(got, wanted).reduce(0) { max($0, abs($1.0 - $1.1)) }
            // Three boxes and linear interpolation differ from a Gaussian by up to about two hundredths of a step in each
            // direction; this one has 190 levels.
            #expect(worst < 10, "plane \(plane): \(worst)")
        }
    }

    /// By definition, with the outermost samples repeated.
    private static func gaussian(_ frame: VideoFrame, _ plane: Int, _ sigma: Double) -> [Double] {
        let extent = frame.format.planeSize(plane, of: frame.size)
        let reach = Int((4 * sigma).rounded(.up)) + 1
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        func filter(_ values: [Double], _ count: Int, _ step: Int, _ start: Int) -> [Double] {
            (0..<count).map { i in
                weights.indices.reduce(0) { total, k in
                    total + weights[k] * values[start + max(0, min(count - 1, i + k - reach)) * step]
                } / sum
            }
        }
        var values = SyntheticFrames.bytes(of: frame, plane: plane).map(Double.init)
        for y in 0..<extent.height {
            let row = filter(values, extent.width, 1, y * extent.width)
            values.replaceSubrange(y * extent.width..<(y + 1) * extent.width, with: row)
        }
        for x in 0..<extent.width {
            for (y, value) in filter(values, extent.height, extent.width, x).enumerated() {
                values[y * extent.width + x] = value
            }
        }
        return values
    }

    @Test("a radius that grows slowly does not jump")
    func smoothGrowth() throws {
        let frame = SyntheticFrames.frame(PixelSize(width: 120, height: 60)) { plane, x, _ in
            plane == 0 ? (x < 60 ? 20 : 230) : 128
        }
        var last: [UInt8]?
        for tenths in 20...200 {
            let blurred = try ColorStage.treated(frame, Blur.self, ["radius": .string("\(Double(tenths) / 10)px")])
            let row = Array(SyntheticFrames.bytes(of: blurred, plane: 0)[30 * 120..<31 * 120])
            if let last { #expect(zip(row, last).allSatisfy { abs(Int($0) - Int($1)) <= 6 }, "at \(tenths) tenths") }
            last = row
        }
    }

    @Test("flat pictures stay flat under a blur, to the byte")
    func flat() throws {
        for value in [0, 16, 129, 255] as [UInt8] {
            let frame = SyntheticFrames.plain(PixelSize(width: 77, height: 91), y: value, u: value, v: value)
            for radius in ["1px", "6px", "30px"] {
                let result = try ColorStage.treated(frame, Blur.self, ["radius": .string(radius)])
                #expect(SyntheticFrames.areEqual(result, frame))
            }
        }
    }

    @Test("a tile has the mean of its pixels", arguments: [2, 6, 10, 400])
    func mosaic(_ side: Int) throws {
        let frame = Self.noise
        let result = try ColorStage.treated(frame, Pixelate.self, ["size": .string("\(side)px")])
        for plane in 0..<3 {
            let extent = frame.format.planeSize(plane, of: frame.size)
            let side = plane == 0 ? side : side / 2
            let (before, after) = (
                SyntheticFrames.bytes(of: frame, plane: plane), SyntheticFrames.bytes(of: result, plane: plane)
            )
            for top in stride(from: 0, to: extent.height, by: side) {
                for left in stride(from: 0, to: extent.width, by: side) {
                    let tile = (top..<min(top + side, extent.height)).flatMap { y in
                        (left..<min(left + side, extent.width)).map { y * extent.width + $0 }
                    }
                    let mean = tile.reduce(0) { $0 + Double(before[$1]) } / Double(tile.count)
                    #expect(tile.allSatisfy { abs(Double(after[$0]) - mean) <= 0.501 })
                }
            }
        }
    }
}
