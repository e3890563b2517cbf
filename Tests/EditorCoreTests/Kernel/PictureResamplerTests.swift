import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct PictureResamplerTests {
    private let pool = FramePool()
    private let canvas = PixelSize(width: 60, height: 44)

    /// Keys' cubic with a = −1/2, stretched when the picture shrinks: one sample in double precision.
    private func plain(
        _ picture: VideoFrame, _ plane: Int, at place: (x: Double, y: Double), stretch: (x: Double, y: Double)
    ) -> Double {
        let extent = picture.format.planeSize(plane, of: picture.size)
        let bytes = bytes[plane]
        func cubic(_ x: Double) -> Double {
            x < 1 ? 1.5 * x * x * x - 2.5 * x * x + 1 : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
        }
        func weights(_ middle: Double, _ stretch: Double, _ count: Int) -> [(Int, Double)] {
            let reach = Int((2 * stretch).rounded(.up)) + 1
            let all = (Int(middle) - reach...Int(middle) + reach).map {
                ($0, cubic(abs(Double($0) - middle) / stretch))
            }
            let sum = all.reduce(0) { $0 + $1.1 }
            return all.map { (min(max($0.0, 0), count - 1), $0.1 / sum) }
        }
        var sum = 0.0
        for (y, down) in weights(place.y, stretch.y, extent.height) where down != 0 {
            for (x, across) in weights(place.x, stretch.x, extent.width) where across != 0 {
                sum += down * across * Double(bytes[y * extent.width + x])
            }
        }
        return min(max(sum, 0), 255)
    }

    private let picture = SyntheticFrames.noise(PixelSize(width: 71, height: 53), seed: 9)
    private var bytes: [[UInt8]] { (0..<3).map { SyntheticFrames.bytes(of: picture, plane: $0) } }

    @Test(arguments: [
        PictureRect(x: 0, y: 0, width: 71, height: 53), PictureRect(x: -3.37, y: -1.91, width: 97.5, height: 61.3),
        PictureRect(x: -0.25, y: -0.5, width: 61, height: 45), PictureRect(x: -200, y: -150, width: 710, height: 530),
    ])
    func everySampleIsTheFiltersMean(rect: PictureRect) {
        let result = PictureResampler().draw(picture, at: rect, canvas: canvas, pool: pool)
        #expect(result.format == .yuv420)
        let scale = (x: Double(picture.width) / rect.width, y: Double(picture.height) / rect.height)
        let stretch = (x: max(1, scale.x), y: max(1, scale.y))
        var most = 0.0
        for plane in 0..<3 {
            let extent = result.format.planeSize(plane, of: canvas)
            let bytes = SyntheticFrames.bytes(of: result, plane: plane)
            for y in 0..<extent.height {
                for x in 0..<extent.width {
                    // Places in luma pixels; chroma lies at (2x + 0.5, 2y + 1).
                    let u = ((plane == 0 ? Double(x) : Double(2 * x)) + 0.5 - rect.x) * scale.x
                    let v = ((plane == 0 ? Double(y) + 0.5 : Double(2 * y) + 1) - rect.y) * scale.y
                    let place = plane == 0 ? (x: u - 0.5, y: v - 0.5) : (x: (u - 0.5) / 2, y: (v - 1) / 2)
                    let expected = plain(picture, plane, at: place, stretch: stretch)
                    most = max(most, abs(Double(bytes[y * extent.width + x]) - expected))
                }
            }
        }
        #expect(most <= 0.51)
    }

    @Test func shrinkingTakesTheMean() {
        // A checkerboard has nothing that a quarter of its size can show.
        let board = SyntheticFrames.frame(PixelSize(width: 240, height: 176)) { plane, x, y in
            plane == 0 ? (x + y) % 2 == 0 ? 200 : 100 : 128
        }
        let rect = PictureRect(x: 0, y: 0, width: 60, height: 44)
        let result = PictureResampler().draw(board, at: rect, canvas: canvas, pool: pool)
        #expect(SyntheticFrames.bytes(of: result, plane: 0).allSatisfy { abs(Int($0) - 150) <= 2 })
    }

    @Test func aWholeOffsetAtItsOwnSizeIsACopy() {
        let large = SyntheticFrames.noise(PixelSize(width: 80, height: 60), seed: 4)
        let rect = PictureRect(x: -6, y: -10, width: 80, height: 60)
        let result = PictureResampler().draw(large, at: rect, canvas: canvas, pool: pool)
        var expected = pool.frame(.yuv420, canvas)
        PictureBlit.copy(large, into: &expected, x: -6, y: -10)
        #expect(SyntheticFrames.areEqual(result, expected))
    }

    @Test func edgesOnTheCanvasCoverFractionsOfPixels() {
        let plain = SyntheticFrames.plain(PixelSize(width: 40, height: 30), y: 180)
        let rect = PictureRect(x: 7.25, y: 5.5, width: 40, height: 30)
        let result = PictureResampler().draw(plain, at: rect, canvas: canvas, pool: pool)
        #expect(result.format == .yuva420)
        let alpha = SyntheticFrames.bytes(of: result, plane: 3)
        func at(_ x: Int, _ y: Int) -> UInt8 { alpha[y * canvas.width + x] }
        #expect((at(6, 20), at(7, 20), at(8, 20), at(46, 20), at(47, 20), at(48, 20)) == (0, 191, 255, 255, 64, 0))
        #expect((at(20, 4), at(20, 5), at(20, 6), at(20, 34), at(20, 35), at(20, 36)) == (0, 128, 255, 255, 128, 0))
        // The whole of the alpha is the picture's area.
        let sum = alpha.reduce(0.0) { $0 + Double($1) } / 255
        #expect(abs(sum - 1200) < 1)
    }
}
