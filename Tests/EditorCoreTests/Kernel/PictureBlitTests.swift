import EditorCore
import EditorTestSupport
import Testing

@Suite struct PictureBlitTests {
    @Test(arguments: [PixelFormat.yuv420, .yuva420, .rgba])
    func fillsEveryPixel(format: PixelFormat) {
        var frame = SyntheticFrames.frame(PixelSize(width: 19, height: 11), format: format) { _, _, _ in 1 }
        PictureBlit.fill(&frame, with: Color(red: 255, green: 0, blue: 0, alpha: 77))
        let expected: [[UInt8]] = format == .rgba ? [[255, 0, 0, 77]] : [[63], [102], [240], [77]]
        for plane in 0..<format.planeCount {
            let bytes = SyntheticFrames.bytes(of: frame, plane: plane)
            #expect(bytes.indices.allSatisfy { bytes[$0] == expected[plane][$0 % expected[plane].count] })
        }
    }

    static let places = [(0, 0), (4, 6), (-6, -2), (20, 10), (-100, 0), (24, -4), (30, 18)]

    @Test(arguments: places)
    func copyCutsAtTheFrame(x: Int, y: Int) {
        let (size, small) = (PixelSize(width: 31, height: 19), PixelSize(width: 16, height: 10))
        var frame = SyntheticFrames.noise(size, seed: 1)
        let (before, picture) = (frame, SyntheticFrames.noise(small, seed: 2))
        PictureBlit.copy(picture, into: &frame, x: x, y: y)
        for plane in 0..<3 {
            let shift = plane == 0 ? 1 : 2
            let (old, new) = (PlainColor.Plane(before, plane), PlainColor.Plane(picture, plane))
            let expected = PlainColor.Plane(old.width, old.height) { i, j in
                let (u, v) = (i - x / shift, j - y / shift)
                return u >= 0 && v >= 0 && u < new.width && v < new.height ? new[u, v] : old[i, j]
            }
            #expect(PlainColor.distance(frame, plane, expected) == 0)
        }
    }

    /// On a ground that stays as it is, the same as copying onto it.
    @Test(arguments: places)
    func aNewPictureOnAGround(x: Int, y: Int) {
        let ground = SyntheticFrames.noise(PixelSize(width: 31, height: 19), seed: 1)
        let (before, picture) = (ground, SyntheticFrames.noise(PixelSize(width: 16, height: 10), seed: 2))
        var expected = ground
        PictureBlit.copy(picture, into: &expected, x: x, y: y)
        let made = PictureBlit.picture(picture, on: ground, x: x, y: y, pool: FramePool())
        #expect(SyntheticFrames.areEqual(made, expected) && SyntheticFrames.areEqual(ground, before))
    }

    @Test func copyTakesARectangle() {
        var frame = SyntheticFrames.plain(PixelSize(width: 20, height: 20), y: 16)
        let picture = SyntheticFrames.noise(PixelSize(width: 20, height: 20))
        PictureBlit.copy(picture, source: PixelRect(x0: 4, y0: 6, x1: 10, y1: 12), into: &frame, x: 8, y: 2)
        let (from, to) = (PlainColor.Plane(picture, 0), PlainColor.Plane(frame, 0))
        for y in 0..<20 {
            for x in 0..<20 {
                let isInside = (8..<14).contains(x) && (2..<8).contains(y)
                #expect(to[x, y] == (isInside ? from[x - 4, y + 4] : 16))
            }
        }
    }

    @Test(arguments: places)
    func compositeIsThePlainFormula(x: Int, y: Int) {
        let (size, small) = (PixelSize(width: 31, height: 19), PixelSize(width: 15, height: 9))
        var frame = SyntheticFrames.noise(size, seed: 1)
        let before = frame
        var random = SplitMix64(5)
        let picture = SyntheticFrames.frame(small, format: .yuva420) { _, _, _ in UInt8(random.next() & 255) }
        PictureBlit.composite(picture, over: &frame, x: x, y: y)
        let alpha = PlainColor.Plane(picture, 3)
        for plane in 0..<3 {
            let shift = plane == 0 ? 1 : 2
            let cover = plane == 0 ? alpha : alpha.atChroma
            let (old, new) = (PlainColor.Plane(before, plane), PlainColor.Plane(picture, plane))
            let expected = PlainColor.Plane(old.width, old.height) { i, j in
                let (u, v) = (i - x / shift, j - y / shift)
                guard u >= 0, v >= 0, u < new.width, v < new.height else { return old[i, j] }
                return old[i, j] + (new[u, v] - old[i, j]) * cover[u, v] / 255
            }
            // Luma is rounded once, chroma also for its alpha: half a step of 255 levels between two codes.
            #expect(PlainColor.distance(frame, plane, expected) <= (plane == 0 ? 0.501 : 1.01))
        }
    }

    @Test func sharedFramesAreNotTouched() {
        let shared = SyntheticFrames.plain(PixelSize(width: 8, height: 8), y: 50)
        var frame = shared
        PictureBlit.fill(&frame, with: .white)
        #expect(SyntheticFrames.bytes(of: shared, plane: 0).allSatisfy { $0 == 50 })
    }
}
