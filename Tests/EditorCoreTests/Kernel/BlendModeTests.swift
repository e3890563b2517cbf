import EditorCore
import EditorTestSupport
import Testing

@Suite struct BlendModeTests {
    /// `B(Cb, Cs)` of the W3C's Compositing and Blending Level 1, channel by channel.
    func blend(_ mode: BlendMode, _ b: Double, _ s: Double) -> Double {
        switch mode {
        case .normal: return s
        case .multiply: return b * s
        case .screen: return 1 - (1 - b) * (1 - s)
        case .overlay: return b <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s)
        case .softLight:
            if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
            let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return b + (2 * s - 1) * (d - b)
        case .add: return b + s
        }
    }

    func composite(_ mode: BlendMode, _ b: Double, _ below: Double, _ s: Double, _ alpha: Double) -> Double {
        let total = alpha + below * (1 - alpha)
        if mode == .add { return min(total, alpha * s + below * b) / total }
        return (alpha * (1 - below) * s + alpha * below * blend(mode, b, s) + (1 - alpha) * below * b) / total
    }

    static let colors: [([UInt8], [UInt8])] = [
        ([200, 40, 90], [20, 220, 130]), ([10, 20, 30], [250, 240, 5]), ([128, 128, 128], [127, 64, 200]),
        ([255, 255, 255], [90, 160, 30]), ([60, 200, 250], [255, 0, 0]), ([30, 140, 60], [0, 0, 0]),
    ]

    @Test(arguments: BlendMode.allCases, colors)
    func plainColoursFollowTheFormula(mode: BlendMode, colors: ([UInt8], [UInt8])) {
        for (alpha, opacity, below) in [
            (255, 1.0, 255), (140, 1.0, 255), (255, 0.5, 255), (90, 0.7, 255), (140, 0.8, 100), (200, 1, 0),
        ]
            as [(UInt8, Double, UInt8)]
        {
            let size = PixelSize(width: 21, height: 15)
            let codes = PlainColor.yuv(colors.0.map { Double($0) / 255 }).map { $0.rounded() }
            var frame = SyntheticFrames.frame(size, format: below == 255 ? .yuv420 : .yuva420) { plane, _, _ in
                plane == 3 ? below : UInt8(codes[plane])
            }
            let picture = OverlayPicture(
                width: 21, height: 15, straight: (0..<21 * 15).flatMap { _ in colors.1 + [alpha] })
            OverlayRenderer(canvas: size).draw(
                Overlay(picture, center: Point(10.5, 7.5), opacity: opacity, blendMode: mode), onto: &frame)
            let backdrop = PlainColor.rgb(codes)
            let cover = Double(alpha) / 255 * opacity
            let expected = PlainColor.yuv(
                (0..<3).map {
                    composite(
                        mode, min(max(backdrop[$0], 0), 1), Double(below) / 255, Double(colors.1[$0]) / 255, cover)
                })
            for index in 0..<3 {
                let plane = PlainColor.Plane(frame, index)
                for value in plane.values {
                    #expect(
                        abs(value - expected[index]) <= 2, "plane \(index) alpha \(alpha) × \(opacity) over \(below)")
                }
            }
            if below != 255 {
                let total = 255 * (cover + Double(below) / 255 * (1 - cover))
                #expect(SyntheticFrames.bytes(of: frame, plane: 3).allSatisfy { abs(Double($0) - total) <= 1 })
            }
        }
    }

    /// White multiplied, black screened or added, and middle grey in overlay and soft light leave the frame as it is.
    @Test(arguments: [(BlendMode.multiply, 255), (.screen, 0), (.add, 0)] as [(BlendMode, UInt8)])
    func neutralColoursChangeNothing(mode: BlendMode, level: UInt8) {
        let size = PixelSize(width: 33, height: 27)
        // Colours within R′G′B′ even after interpolation: noise of small amplitude about grey.
        var random = SplitMix64(4)
        var frame = SyntheticFrames.frame(size) { plane, _, _ in UInt8((plane == 0 ? 90 : 108) + random.next() % 40) }
        let before = frame
        let picture = OverlayPicture(
            width: 33, height: 27, straight: (0..<33 * 27).flatMap { [level, level, level, UInt8($0 & 255)] })
        OverlayRenderer(canvas: size).draw(
            Overlay(picture, center: Point(16.5, 13.5), blendMode: mode), onto: &frame)
        #expect(SyntheticFrames.areEqual(frame, before))
        #expect(!frame.isSamePicture(as: before))
    }

    @Test(arguments: BlendMode.allCases)
    func pixelsOutsideThePictureKeepTheirBytes(mode: BlendMode) {
        let size = PixelSize(width: 60, height: 50)
        var frame = SyntheticFrames.noise(size)
        let before = [0, 1, 2].map { PlainColor.Plane(frame, $0) }
        let picture = PlainColor.picture(20, 20) { x, y in [0.2, 0.6, 0.9, x < 10 ? 0.7 : 0] }
        OverlayRenderer(canvas: size).draw(
            Overlay(picture, center: Point(30, 24), blendMode: mode), onto: &frame)
        for index in 0..<3 {
            let after = PlainColor.Plane(frame, index)
            // Columns 20..<30 of luma and the chroma samples they reach.
            let (columns, rows) = index == 0 ? (20..<30, 14..<34) : (10..<16, 7..<17)
            var changed = 0
            for y in 0..<after.height {
                for x in 0..<after.width where after[x, y] != before[index][x, y] {
                    changed += 1
                    #expect(columns.contains(x) && rows.contains(y), "plane \(index) at \(x), \(y)")
                }
            }
            #expect(changed > columns.count * rows.count / 2)
        }
    }

    /// A smooth picture over a smooth frame, against the formulas at every pixel with full chroma.
    @Test(arguments: BlendMode.allCases)
    func smoothPicturesFollowTheFormula(mode: BlendMode) {
        let size = PixelSize(width: 80, height: 64)
        var frame = SyntheticFrames.frame(size) { plane, x, y in
            plane == 0 ? UInt8(90 + x) : UInt8(118 + (plane == 1 ? x : y) / 3)
        }
        func color(_ x: Double, _ y: Double) -> [Double] {
            [0.2 + x / 160, 0.7 - y / 160, 0.4 + y / 200, 0.3 + x / 130]
        }
        let picture = PlainColor.picture(80, 64, color)
        let old = [PlainColor.Plane(frame, 0)] + [1, 2].map { PlainColor.Plane(frame, $0).atLuma(80, 64) }
        let full = (0..<3).map { index in
            PlainColor.Plane(80, 64) { x, y in
                let (backdrop, source) = (PlainColor.rgb(old.map { $0[x, y] }), color(Double(x) + 0.5, Double(y) + 0.5))
                return PlainColor.yuv(
                    (0..<3).map { composite(mode, min(max(backdrop[$0], 0), 1), 1, source[$0], source[3]) })[index]
            }
        }
        OverlayRenderer(canvas: size).draw(Overlay(picture, center: Point(40, 32), blendMode: mode), onto: &frame)
        #expect(PlainColor.distance(frame, 0, full[0]) <= 2)
        #expect(PlainColor.distance(frame, 1, full[1].atChroma) <= 2)
        #expect(PlainColor.distance(frame, 2, full[2].atChroma) <= 2)
    }
}
