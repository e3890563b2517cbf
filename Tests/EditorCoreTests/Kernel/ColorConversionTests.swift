import EditorCore
import EditorTestSupport
import Testing

@Suite struct ColorConversionTests {
    /// Codes that SMPTE RP 219 and ITU-R BT.709 list for the eight-bit limited-range primaries.
    @Test(arguments: [
        (Color.white, [235, 128, 128]), (Color.black, [16, 128, 128]),
        (Color(red: 255, green: 0, blue: 0), [63, 102, 240]),
        (Color(red: 0, green: 255, blue: 0), [173, 42, 26]), (Color(red: 0, green: 0, blue: 255), [32, 240, 118]),
    ])
    func primaries(color: Color, codes: [UInt8]) {
        let (y, u, v) = ColorConversion.yuv(for: color)
        #expect([y, u, v] == codes)
    }

    static let sizes = [(1, 1), (2, 2), (3, 5), (17, 9), (64, 48), (101, 67)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    @Test(arguments: sizes)
    func toPlanarIsThePlainFormula(size: PixelSize) {
        var random = SplitMix64(3)
        let rgba = SyntheticFrames.frame(size, format: .rgba) { _, _, _ in UInt8(random.next() & 255) }
        let bytes = SyntheticFrames.bytes(of: rgba, plane: 0)
        let planes = (0..<3).map { index in
            PlainColor.Plane(size.width, size.height) { x, y in
                let i = (y * size.width + x) * 4
                return PlainColor.yuv((0..<3).map { Double(bytes[i + $0]) / 255 })[index]
            }
        }
        let result = ColorConversion.yuv420(from: rgba, pool: FramePool())
        #expect(result.format == .yuv420)
        #expect(PlainColor.distance(result, 0, planes[0]) < 0.52)
        #expect(PlainColor.distance(result, 1, planes[1].atChroma) < 0.52)
        #expect(PlainColor.distance(result, 2, planes[2].atChroma) < 0.52)
    }

    @Test(arguments: sizes)
    func toPackedIsThePlainFormula(size: PixelSize) {
        let frame = SyntheticFrames.noise(size)
        let planes = [
            PlainColor.Plane(frame, 0), PlainColor.Plane(frame, 1).atLuma(size.width, size.height),
            PlainColor.Plane(frame, 2).atLuma(size.width, size.height),
        ]
        let expected = PlainColor.Plane(size.width * 4, size.height) { x, y in
            if x % 4 == 3 { return 255 }
            return min(max(255 * PlainColor.rgb(planes.map { $0[x / 4, y] })[x % 4], 0), 255)
        }
        #expect(PlainColor.distance(ColorConversion.rgba(from: frame, pool: FramePool()), 0, expected) < 0.6)
    }

    @Test func smoothPicturesComeBack() {
        let size = PixelSize(width: 163, height: 121)
        let rgba = SyntheticFrames.frame(size, format: .rgba) { _, x, y in
            [UInt8(20 + x / 4), UInt8(30 + y), UInt8(200 - (x / 4 + y) / 2), 255][x % 4]
        }
        let pool = FramePool()
        let back = ColorConversion.rgba(from: ColorConversion.yuv420(from: rgba, pool: pool), pool: pool)
        #expect(PlainColor.distance(back, 0, PlainColor.Plane(rgba, 0)) <= 2)
    }

    @Test func straightAlphaIsKept() {
        let size = PixelSize(width: 21, height: 13)
        let frame = SyntheticFrames.frame(size, format: .yuva420) { plane, x, y in plane == 3 ? UInt8(x * 10 + y) : 128
        }
        let bytes = SyntheticFrames.bytes(of: ColorConversion.rgba(from: frame, pool: FramePool()), plane: 0)
        #expect(stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } == SyntheticFrames.bytes(of: frame, plane: 3))
    }
}
