import EditorTestSupport
import Testing

@testable import EditorCore

/// The sampler in whole numbers against the plain filter in floating point.
@Suite struct PictureSamplerTests {
    /// A tent over four by four neighbours of a level, or over two by two where it magnifies, cut at the picture's edges.
    private func plainRow(
        _ pyramid: PicturePyramid, _ placement: StampPlacement, y: Int, columns: Range<Int>
    ) -> [SIMD4<Double>] {
        let magnitude = SIMD2(abs(placement.scale.x), abs(placement.scale.y))
        func halvings(_ scale: Double) -> Int {
            var (scale, count) = (scale, 0)
            while scale <= 0.5 { (scale, count) = (scale * 2, count + 1) }
            return count
        }
        let (hx, hy) = (halvings(magnitude.x), halvings(magnitude.y))
        let level = pyramid.level(x: hx, y: hy)!
        let shrink = SIMD2(Double(1 << hx), Double(1 << hy))
        let size = magnitude * shrink
        let radius = SIMD2(max(1, 1 / size.x), max(1, 1 / size.y))
        let (cos, sin) = placement.direction
        let visible = pyramid.visible
        func pixel(_ i: Int, _ j: Int) -> SIMD4<Double> {
            let margin = PicturePyramid.margin
            let p = level.pixels[(j + margin) * level.stride + i + margin]
            return SIMD4(Double(p.x), Double(p.y), Double(p.z), Double(p.w))
        }
        return columns.map { x in
            let (dx, dy) = (Double(x) + 0.5 - placement.center.x, Double(y) + 0.5 - placement.center.y)
            let turned = SIMD2(cos * dx + sin * dy, cos * dy - sin * dx) / placement.scale
            let inPicture = turned + SIMD2(Double(pyramid.picture.width), Double(pyramid.picture.height)) / 2
            let place = (inPicture - SIMD2(Double(visible.x0), Double(visible.y0))) / shrink
            let extent = SIMD2(Double(visible.width), Double(visible.height)) * magnitude
            var cover = 1.0
            for axis in 0..<2 {
                let c = place[axis] * size[axis]
                cover *= min(max(min(c + 0.5, extent[axis]) - max(c - 0.5, 0), 0), 1)
            }
            guard cover > 0 else { return SIMD4() }
            let (u, v) = (place.x - 0.5, place.y - 0.5)
            let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
            var (sum, total) = (SIMD4<Double>(), 0.0)
            for b in -1...2 {
                for a in -1...2 {
                    let weight =
                        max(0, radius.x - abs(Double(i + a) - u)) * max(0, radius.y - abs(Double(j + b) - v))
                    if weight > 0 { sum += pixel(i + a, j + b) * weight }
                    total += weight
                }
            }
            return sum / total * cover
        }
    }

    @Test(
        arguments: [
            (Point(40.3, 31.7), Point(1, 1), 0), (Point(40.3, 31.7), Point(0.7, 0.9), 0),
            (Point(30, 30), Point(0.55, 0.55), 33),
            (Point(41.25, 28), Point(2.3, 1.4), -20), (Point(5, 60), Point(-0.8, 0.3), 77),
            (Point(38, 33.5), Point(0.21, 0.17), 0),
            (Point(33.1, 29.9), Point(1, 1), 45), (Point(40.2, 31.3), Point(0.8, -0.56), 0),
            (Point(39.4, 30.1), Point(1.9, 0.7), 180), (Point(6.3, 58.2), Point(-1.6, 2.7), 0),
            (Point(40.1, 30.6), Point(0.35, 0.9), 61),
        ] as [(Point, Point, Double)], [false, true])
    func isThePlainFilter(_ place: (center: Point, scale: Point, rotation: Double), isRound: Bool) throws {
        var state: UInt64 = 11
        func next() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 40)
        }
        // Steep as pictures get: any bytes, with what is clear and what is solid among them.
        var pixels: [UInt8] = []
        for i in 0..<37 * 29 {
            let (x, y) = (i % 37 - 18, i / 37 - 14)
            let alpha = isRound && x * x + 2 * y * y > 17 * 17 ? 0 : [0, 255, next() % 256][next() % 3]
            for _ in 0..<3 { pixels.append(UInt8(next() % (alpha + 1))) }
            pixels.append(UInt8(alpha))
        }
        let canvas = PixelSize(width: 80, height: 64)
        let picture = OverlayPicture(width: 37, height: 29, pixels: pixels)
        for colors in [PicturePyramid.Colors.yuv, .rgb] {
            let pyramid = PicturePyramid(picture, colors: colors)
            let placement = try #require(
                StampPlacement(
                    Overlay(picture, center: place.center, scale: place.scale, rotation: place.rotation)))
            let sampler = try #require(PictureSampler(pyramid, placement, canvas: canvas))
            var scratch = [SIMD8<UInt16>](repeating: SIMD8(), count: sampler.scratchCount + 1)
            var row = [SIMD4<UInt8>](repeating: SIMD4(), count: canvas.width)
            for y in sampler.bounds.y0..<sampler.bounds.y1 {
                row.withUnsafeMutableBufferPointer { row in
                    scratch.withUnsafeMutableBufferPointer {
                        sampler.row(
                            y, columns: 0..<canvas.width, into: row.baseAddress!, scratch: $0.baseAddress!)
                    }
                }
                let wanted = plainRow(pyramid, placement, y: y, columns: 0..<canvas.width)
                for x in 0..<canvas.width {
                    for lane in 0..<4 {
                        // Two roundings, at the edge a third, and places and weights in 256ths of steep slopes.
                        #expect(
                            abs(Double(row[x][lane]) - wanted[x][lane]) <= 3.5,
                            "\(x), \(y) lane \(lane): \(row[x][lane]), \(wanted[x][lane])")
                        // The promise of premultiplied pixels.
                        #expect(colors == .yuv || row[x][lane] <= row[x].w)
                    }
                }
            }
        }
    }

    @Test func weightsAddUp() {
        for radius in stride(from: Float(1), to: 2, by: 0.07) {
            for place in 0..<256 {
                let weights = FilterWeights.weights(at: Float(place) / 256, radius: radius)
                #expect(weights.wrappedSum() == 256)
                // Whichever side: a mirrored place has mirrored weights, to a rounding.
                let other = FilterWeights.weights(at: 1 - Float(place) / 256, radius: radius)
                for i in 0..<4 { #expect(abs(Int(weights[i]) - Int(other[3 - i])) <= 2) }
            }
        }
    }
}
