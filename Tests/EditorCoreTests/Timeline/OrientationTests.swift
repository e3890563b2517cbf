import EditorCore
import EditorTestSupport
import Testing

@Suite struct OrientationTests {
    /// The upper left part of a display matrix in the terms of ISO/IEC 14496-12: x' = a·x + c·y, y' = b·x + d·y.
    struct Matrix: Sendable {
        var a, b, c, d: Double
    }

    static let matrices: [(Orientation, Matrix)] = [
        (.up, Matrix(a: 1, b: 0, c: 0, d: 1)), (.upMirrored, Matrix(a: -1, b: 0, c: 0, d: 1)),
        (.down, Matrix(a: -1, b: 0, c: 0, d: -1)), (.downMirrored, Matrix(a: 1, b: 0, c: 0, d: -1)),
        (.right, Matrix(a: 0, b: 1, c: -1, d: 0)), (.left, Matrix(a: 0, b: -1, c: 1, d: 0)),
        (.transposed, Matrix(a: 0, b: 1, c: 1, d: 0)), (.antitransposed, Matrix(a: 0, b: -1, c: -1, d: 0)),
    ]

    /// Pixels that are all different, as far as bytes go.
    static func picture(_ size: PixelSize, _ format: PixelFormat) -> VideoFrame {
        SyntheticFrames.frame(size, format: format) { plane, x, y in UInt8((x * 7 + y * 31 + plane * 101) % 251) }
    }

    @Test(arguments: matrices)
    func everyDisplayMatrixIsRead(orientation: Orientation, matrix: Matrix) {
        for scale in [1.0, 0.5, 65536] {
            let read = Orientation(
                a: matrix.a * scale, b: matrix.b * scale, c: matrix.c * scale, d: matrix.d * scale)
            #expect(read == orientation)
        }
    }

    @Test func otherMatricesAreNone() {
        #expect(Orientation(a: 0.7, b: 0.7, c: -0.7, d: 0.7) == nil)
        #expect(Orientation(a: 0, b: 0, c: 0, d: 0) == nil)
        #expect(Orientation(a: 1, b: 0, c: 0, d: 0) == nil)
    }

    /// Each pixel goes where its centre goes by the matrix, moved into view.
    @Test(arguments: matrices, [PixelFormat.yuv420, .yuva420, .rgba])
    func turnsAsTheMatrixSays(of pair: (Orientation, Matrix), format: PixelFormat) {
        let (orientation, matrix) = pair
        for size in [(1, 1), (2, 4), (7, 5), (66, 35)].map({ PixelSize(width: $0.0, height: $0.1) }) {
            let frame = Self.picture(size, format)
            let turned = frame.turned(orientation, pool: FramePool())
            let bytes = format == .rgba ? 4 : 1
            for plane in 0..<format.planeCount {
                let extent = format.planeSize(plane, of: size)
                let (w, h) = (extent.width / bytes, extent.height)
                let (shownW, shownH) = orientation.swapsSides ? (h, w) : (w, h)
                let before = SyntheticFrames.bytes(of: frame, plane: plane)
                let after = SyntheticFrames.bytes(of: turned, plane: plane)
                var expected = [UInt8](repeating: 0, count: before.count)
                for y in 0..<h {
                    for x in 0..<w {
                        let (cx, cy) = (Double(x) + 0.5, Double(y) + 0.5)
                        var (tx, ty) = (matrix.a * cx + matrix.c * cy, matrix.b * cx + matrix.d * cy)
                        if tx < 0 { tx += Double(shownW) }
                        if ty < 0 { ty += Double(shownH) }
                        for k in 0..<bytes {
                            expected[(Int(ty) * shownW + Int(tx)) * bytes + k] = before[(y * w + x) * bytes + k]
                        }
                    }
                }
                #expect(after == expected, "\(orientation), \(size), plane \(plane)")
            }
        }
    }

    /// Exif 2.32, table of tag Orientation: the visual sides of row 0 and column 0.
    @Test(
        arguments: [
            (1, "top", "left"), (2, "top", "right"), (3, "bottom", "right"), (4, "bottom", "left"), (5, "left", "top"),
            (6, "right", "top"), (7, "right", "bottom"), (8, "left", "bottom"),
        ])
    func exifNamesTheSidesOfRowAndColumnZero(tag: Int, row: String, column: String) throws {
        let orientation = try #require(Orientation(exif: tag))
        let size = PixelSize(width: 6, height: 4)
        // Luma 1 in row 0, 2 in column 0, 3 where both meet.
        let frame = SyntheticFrames.frame(size) { plane, x, y in plane > 0 ? 0 : (y == 0 ? 1 : 0) + (x == 0 ? 2 : 0) }
        let turned = frame.turned(orientation, pool: FramePool())
        let luma = SyntheticFrames.bytes(of: turned, plane: 0)
        func side(_ name: String) -> [UInt8] {
            let (w, h) = (turned.width, turned.height)
            return switch name {
            case "top": (0..<w).map { luma[$0] }
            case "bottom": (0..<w).map { luma[(h - 1) * w + $0] }
            case "left": (0..<h).map { luma[$0 * w] }
            default: (0..<h).map { luma[$0 * w + w - 1] }
            }
        }
        #expect(side(row).allSatisfy { $0 & 1 == 1 })
        #expect(side(column).allSatisfy { $0 & 2 == 2 })
    }

    @Test func exifHasEightValues() {
        #expect(Orientation(exif: 0) == nil)
        #expect(Orientation(exif: 9) == nil)
    }

    /// What a part of the displayed picture shows is the same as what its part of the stored one shows.
    @Test(arguments: Orientation.allCases)
    func partsAreFoundInTheStoredPicture(orientation: Orientation) {
        let stored = Self.picture(PixelSize(width: 16, height: 8), .yuv420)
        let displayed = stored.turned(orientation, pool: FramePool())
        func values(_ frame: VideoFrame, _ part: UnitRect) -> [UInt8] {
            let luma = SyntheticFrames.bytes(of: frame, plane: 0)
            let (x0, y0) = (
                Int((part.x * Double(frame.width)).rounded()), Int((part.y * Double(frame.height)).rounded())
            )
            let w = Int((part.width * Double(frame.width)).rounded())
            let h = Int((part.height * Double(frame.height)).rounded())
            return (y0..<y0 + h).flatMap { y in (x0..<x0 + w).map { luma[y * frame.width + $0] } }.sorted()
        }
        for part in [
            UnitRect.whole, UnitRect(x: 0.25, y: 0, width: 0.5, height: 0.375),
            UnitRect(x: 0.5, y: 0.125, width: 0.125, height: 0.75),
        ] {
            #expect(values(displayed, part) == values(stored, orientation.stored(part)), "\(part)")
        }
    }
}
