import EditorCore
import EditorTestSupport
import Foundation
import Testing

@Suite struct OverlayRendererTests {
    typealias Plane = PlainColor.Plane

    /// What a picture shows at a canvas point: premultiplied R′G′B′A.
    typealias Shape = (_ x: Double, _ y: Double) -> [Double]

    /// Draws over `frame` in doubles: colour and alpha at every luma place, filtered to chroma, then `normal`.
    func plainDraw(_ frame: VideoFrame, opacity: Double = 1, _ shape: Shape) -> [Plane] {
        let (w, h) = (frame.width, frame.height)
        let pixels = (0..<w * h).map { shape(Double($0 % w) + 0.5, Double($0 / w) + 0.5) }
        let alpha = Plane(w, h) { pixels[$1 * w + $0][3] }
        return (0..<3).map { index in
            let color = Plane(w, h) { x, y in
                let p = pixels[y * w + x]
                return p[3] == 0 ? 0 : p[3] * PlainColor.yuv((0..<3).map { p[$0] / p[3] })[index]
            }
            let (source, cover) = index == 0 ? (color, alpha) : (color.atChroma, alpha.atChroma)
            let old = Plane(frame, index)
            return Plane(old.width, old.height) {
                old[$0, $1] * (1 - cover[$0, $1] * opacity) + source[$0, $1] * opacity
            }
        }
    }

    func expectClose(_ frame: VideoFrame, _ planes: [Plane], within tolerance: Double, _ comment: Comment? = nil) {
        for index in 0..<3 {
            #expect(PlainColor.distance(frame, index, planes[index]) <= tolerance, comment)
        }
    }

    @Test(arguments: [(0, 0), (7, 4), (-9, -3), (40, 31)], [1.0, 0.4])
    func wholePixelsAreNotResampled(at corner: (Int, Int), opacity: Double) {
        var random = SplitMix64(9)
        let (w, h) = (23, 17)
        let pixels = (0..<w * h * 4).map { _ in UInt8(random.next() & 255) }
        let picture = OverlayPicture(width: w, height: h, straight: pixels)
        var frame = SyntheticFrames.noise(PixelSize(width: 51, height: 39))
        let expected = plainDraw(frame, opacity: (opacity * 255).rounded() / 255) { x, y in
            let (i, j) = (Int(x) - corner.0, Int(y) - corner.1)
            guard i >= 0, j >= 0, i < w, j < h else { return [0, 0, 0, 0] }
            return (0..<4).map { Double(picture.pixels[(j * w + i) * 4 + $0]) / 255 }
        }
        let center = Point(Double(corner.0) + Double(w) / 2, Double(corner.1) + Double(h) / 2)
        OverlayRenderer(canvas: frame.size).draw(Overlay(picture, center: center, opacity: opacity), onto: &frame)
        expectClose(frame, expected, within: 1.5)
    }

    @Test func opaquePixelsAreExactAndTransparentOnesUntouched() {
        let picture = PlainColor.picture(12, 12) { x, _ in [x / 12, 0.3, 0.9, x < 6 ? 1 : 0] }
        var frame = SyntheticFrames.noise(PixelSize(width: 30, height: 30))
        let before = Plane(frame, 0)
        OverlayRenderer(canvas: frame.size).draw(Overlay(picture, center: Point(14, 14)), onto: &frame)
        let after = Plane(frame, 0)
        for y in 0..<30 {
            for x in 0..<30 {
                if (8..<14).contains(x) && (8..<20).contains(y) {
                    let i = ((y - 8) * 12 + x - 8) * 4
                    let (luma, _, _) = ColorConversion.yuv(
                        for: Color(red: picture.pixels[i], green: picture.pixels[i + 1], blue: picture.pixels[i + 2]))
                    #expect(after[x, y] == Double(luma))
                } else {
                    #expect(after[x, y] == before[x, y])
                }
            }
        }
    }

    struct Place: CustomTestStringConvertible {
        var center = Point(60.25, 45.75)
        var scale = Point(1, 1)
        var rotation = 0.0
        var testDescription: String { "\(center) × \(scale) ∡ \(rotation)" }
    }

    static let places = [
        Place(), Place(rotation: 30), Place(rotation: -75.5), Place(scale: Point(-1, 1), rotation: 12),
        Place(scale: Point(1.7, 1.3)), Place(scale: Point(0.6, 0.6), rotation: 45), Place(scale: Point(0.3, -0.45)),
        Place(scale: Point(0.2, 0.2), rotation: 200), Place(center: Point(3, 88), scale: Point(1.2, 1.2), rotation: 90),
        Place(center: Point(121, 2), scale: Point(2.5, 2.5), rotation: 61), Place(rotation: 450),
    ]

    /// A smooth blob whose colours tell its sides apart, compared with the same function placed by plain geometry:
    /// wrong direction, mirroring, centre or scale would be far off.
    @Test(arguments: places)
    func smoothPicturesFollowTheGeometry(place: Place) {
        let size = 80.0
        func blob(_ x: Double, _ y: Double) -> [Double] {
            let (u, v) = (x / size - 0.5, y / size - 0.5)
            let reach = max(0, 1 - 4.4 * (u * u + v * v))
            return [0.5 + u * 0.8, 0.5 + v * 0.8, 0.4 - u * 0.5, reach * reach]
        }
        let picture = PlainColor.picture(Int(size), Int(size), blob)
        var frame = SyntheticFrames.frame(PixelSize(width: 125, height: 93)) { plane, x, y in
            plane == 0 ? UInt8(40 + x + y / 2) : UInt8(100 + x)
        }
        let angle = place.rotation * Double.pi / 180
        let expected = plainDraw(frame) { x, y in
            let (dx, dy) = (x - place.center.x, y - place.center.y)
            // Clockwise on a canvas whose y grows downwards.
            let (u, v) = (cos(angle) * dx + sin(angle) * dy, cos(angle) * dy - sin(angle) * dx)
            let (px, py) = (u / place.scale.x + size / 2, v / place.scale.y + size / 2)
            guard px > 0, py > 0, px < size, py < size else { return [0, 0, 0, 0] }
            let c = blob(px, py)
            return [c[0] * c[3], c[1] * c[3], c[2] * c[3], c[3]]
        }
        OverlayRenderer(canvas: frame.size).draw(
            Overlay(picture, center: place.center, scale: place.scale, rotation: place.rotation), onto: &frame)
        // Minified blobs change by many codes from pixel to pixel, which the filter smooths. Five times half a code is
        // rounded off: in the conversion, in the filter down and across, in the chroma's mean, and in the blend.
        let steepness = 1 / min(abs(place.scale.x), abs(place.scale.y), 1)
        expectClose(frame, expected, within: 2.5 + 1.5 * (steepness - 1))
    }

    /// A red picture on a red frame must not be seen, whatever its edges: darker or lighter codes would be a fringe.
    @Test(arguments: places, [1.0, 0.5])
    func edgesHaveNoFringe(place: Place, opacity: Double) {
        let picture = PlainColor.picture(61, 61) { x, y in
            let distance = 28 - ((x - 30.5) * (x - 30.5) + (y - 30.5) * (y - 30.5)).squareRoot()
            return [1, 0, 0, min(max(distance + 0.5, 0), 1)]
        }
        let square = PlainColor.picture(40, 40) { _, _ in [1, 0, 0, 1] }
        var frame = SyntheticFrames.plain(PixelSize(width: 125, height: 93), y: 63, u: 102, v: 240)
        let renderer = OverlayRenderer(canvas: frame.size)
        for picture in [picture, square] {
            renderer.draw(
                Overlay(picture, center: place.center, scale: place.scale, rotation: place.rotation, opacity: opacity),
                onto: &frame)
        }
        for (index, code) in [63.0, 102, 240].enumerated() {
            let plane = Plane(frame, index)
            #expect(PlainColor.distance(frame, index, Plane(plane.width, plane.height) { _, _ in code }) <= 2)
        }
    }

    /// An opaque rectangle covers exactly its area, with edges one pixel soft, at any scale.
    @Test(arguments: [(4, 20.5), (16, 3.0), (200, 0.31), (320, 0.186)] as [(Int, Double)], [0.0, 33])
    func solidPicturesCoverTheirArea(size: (side: Int, scale: Double), rotation: Double) {
        let (side, scale) = size
        let picture = OverlayPicture(
            width: side, height: side, pixels: [UInt8](repeating: 255, count: side * side * 4))
        var frame = SyntheticFrames.plain(PixelSize(width: 140, height: 140), y: 16)
        OverlayRenderer(canvas: frame.size).draw(
            Overlay(picture, center: Point(70.3, 69.6), scale: Point(scale, scale), rotation: rotation), onto: &frame)
        let plane = Plane(frame, 0)
        let covered = plane.values.reduce(0) { $0 + ($1 - 16) / 219 }
        let edge = Double(side) * scale
        #expect(abs(covered - edge * edge) < 0.004 * edge * edge + 1)
        let angle = rotation * Double.pi / 180
        var wrong = 0
        for y in 0..<140 {
            for x in 0..<140 {
                let (dx, dy) = (Double(x) + 0.5 - 70.3, Double(y) + 0.5 - 69.6)
                let (u, v) = (cos(angle) * dx + sin(angle) * dy, cos(angle) * dy - sin(angle) * dx)
                let inside = edge / 2 - max(abs(u), abs(v))
                if inside > 0.75, plane[x, y] != 235 { wrong += 1 }
                if inside < -0.75, plane[x, y] != 16 { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    /// Stripes finer than the canvas' pixels must become their mean, not a slow pattern.
    @Test(arguments: [2, 3, 5, 7], [0.0, 40])
    func minifiedStripesDoNotAlias(period: Int, rotation: Double) {
        let picture = PlainColor.picture(1400, 40) { x, _ in
            let value = Int(x) % period < (period + 1) / 2 ? 1.0 : 0
            return [value, value, value, 1]
        }
        var frame = SyntheticFrames.plain(PixelSize(width: 220, height: 220), y: 16)
        OverlayRenderer(canvas: frame.size).draw(
            Overlay(picture, center: Point(110, 110), scale: Point(0.0973, 0.0973), rotation: rotation), onto: &frame)
        let mean = 16 + 219 * Double((period + 1) / 2) / Double(period)
        let plane = Plane(frame, 0)
        let angle = rotation * Double.pi / 180
        let worst = (80...140).map { i in
            let along = Double(i) - 110
            return abs(plane[Int(110 + along * cos(angle)), Int(110 + along * sin(angle))] - mean)
        }.max()!
        // Halving by boxes lets up to 8 % of the contrast of 219 through; without a filter it would be half of it.
        #expect(worst <= 0.08 * 219)
    }

    /// Chroma at the canvas' edges, odd sizes included, must take nothing from outside.
    @Test(arguments: [(16, 16), (17, 9), (1, 1), (31, 20), (20, 31)])
    func opaqueCanvasIsOneColour(width: Int, height: Int) {
        var frame = SyntheticFrames.noise(PixelSize(width: width, height: height))
        let picture = PlainColor.picture(width, height) { _, _ in [1, 0, 0, 1] }
        OverlayRenderer(canvas: frame.size).draw(
            Overlay(picture, center: Point(Double(width) / 2, Double(height) / 2)), onto: &frame)
        for (index, code) in ([63, 102, 240] as [UInt8]).enumerated() {
            #expect(SyntheticFrames.bytes(of: frame, plane: index).allSatisfy { $0 == code })
        }
    }

    /// A slow move shows as one: the middle of what is drawn goes on by the same step from picture to picture, and neither
    /// waits for whole pixels nor changes its size. Places are kept to 1/256 of a pixel.
    @Test(arguments: [1.0, 0.37, 2.6], [0.0, 20])
    func slowMovesHaveAConstantStep(scale: Double, rotation: Double) {
        let picture = PlainColor.picture(41, 41) { x, y in
            let distance = 17 - ((x - 20.5) * (x - 20.5) + (y - 20.5) * (y - 20.5)).squareRoot()
            return [1, 1, 1, min(max(distance + 0.5, 0), 1)]
        }
        let size = PixelSize(width: 150, height: 130)
        let renderer = OverlayRenderer(canvas: size)
        let step = 0.07
        var places: [SIMD2<Double>] = []
        var masses: [Double] = []
        for n in 0..<48 {
            var frame = SyntheticFrames.plain(size, y: 16)
            let center = Point(70 + step * Double(n), 64 + step / 3 * Double(n))
            renderer.draw(
                Overlay(picture, center: center, scale: Point(scale, scale), rotation: rotation), onto: &frame)
            let plane = Plane(frame, 0)
            var (sum, place) = (0.0, SIMD2<Double>())
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let cover = plane[x, y] - 16
                    sum += cover
                    place += cover * SIMD2(Double(x) + 0.5, Double(y) + 0.5)
                }
            }
            masses.append(sum)
            places.append(place / sum)
            #expect(
                abs(places[n].x - center.x) < 0.02 && abs(places[n].y - center.y) < 0.02, "picture \(n): \(places[n])")
        }
        for (a, b) in zip(places, places.dropFirst()) {
            // Two roundings to 1/256, and what the rounding of the bytes adds.
            #expect(abs(b.x - a.x - step) < 0.012 && abs(b.y - a.y - step / 3) < 0.012, "\(b - a)")
        }
        #expect(masses.max()! / masses.min()! < 1.01)
    }

    @Test func cacheDoesNotChangeThePicture() {
        let size = PixelSize(width: 90, height: 70)
        let pictures = (0..<3).map { index in
            PlainColor.picture(40, 30) { x, y in [x / 40, y / 30, Double(index) / 2, 0.3 + x / 80] }
        }
        // So small that stamps and pictures come and go, and memory is reused.
        let renderer = OverlayRenderer(canvas: size, cacheBytes: 100_000)
        for step in 0..<60 {
            var overlay = Overlay(pictures[step % 3], center: Point(Double(step % 7) * 13.4, Double(step % 5) * 14))
            overlay.rotation = step % 4 == 0 ? 0 : Double(step * 11)
            overlay.opacity = step % 2 == 0 ? 1 : 0.7
            overlay.blendMode = step % 5 == 0 ? .screen : .normal
            var (cached, fresh) = (SyntheticFrames.noise(size), SyntheticFrames.noise(size))
            renderer.draw(overlay, onto: &cached)
            OverlayRenderer(canvas: size).draw(overlay, onto: &fresh)
            #expect(SyntheticFrames.areEqual(cached, fresh))
        }
    }

    @Test func identityOfAFreedPictureIsNotMistaken() {
        let renderer = OverlayRenderer(canvas: PixelSize(width: 16, height: 16), cacheBytes: 1)
        for step in 0..<200 {
            var frame = SyntheticFrames.plain(PixelSize(width: 16, height: 16), y: 16)
            let picture = OverlayPicture(
                width: 16, height: 16,
                pixels: [UInt8](repeating: step % 2 == 0 ? 255 : 0, count: 1024).enumerated().map {
                    $0.offset % 4 == 3 ? 255 : $0.element
                })
            renderer.draw(Overlay(picture, center: Point(8, 8)), onto: &frame)
            #expect(SyntheticFrames.bytes(of: frame, plane: 0).allSatisfy { $0 == (step % 2 == 0 ? 235 : 16) })
        }
    }

    @Test func nothingIsDrawnForNothing() {
        var frame = SyntheticFrames.noise(PixelSize(width: 20, height: 20))
        let before = frame
        let renderer = OverlayRenderer(canvas: frame.size)
        let picture = PlainColor.picture(10, 10) { _, _ in [1, 1, 1, 1] }
        let clear = PlainColor.picture(10, 10) { _, _ in [1, 1, 1, 0] }
        let center = Point(10, 10)
        for overlay in [
            Overlay(picture, center: center, scale: Point(0, 1)), Overlay(picture, center: center, opacity: 0),
            Overlay(picture, center: Point(.nan, 3)), Overlay(picture, center: Point(-50, 3)),
            Overlay(picture, center: center, scale: Point(.infinity, 1)), Overlay(clear, center: center),
            Overlay(picture, center: center, opacity: .nan), Overlay(picture, center: Point(1e300, 1)),
            Overlay(picture, center: center, rotation: .nan), Overlay(clear, center: center, blendMode: .multiply),
        ] {
            renderer.draw(overlay, onto: &frame)
        }
        #expect(frame.isSamePicture(as: before))
    }

    @Test func sharedFramesAreNotTouched() {
        let shared = SyntheticFrames.plain(PixelSize(width: 8, height: 8), y: 50)
        var frame = shared
        let picture = PlainColor.picture(8, 8) { _, _ in [1, 1, 1, 1] }
        OverlayRenderer(canvas: frame.size).draw(Overlay(picture, center: Point(4, 4)), onto: &frame)
        #expect(SyntheticFrames.bytes(of: shared, plane: 0).allSatisfy { $0 == 50 })
        #expect(SyntheticFrames.bytes(of: frame, plane: 0).allSatisfy { $0 == 235 })
    }
}
