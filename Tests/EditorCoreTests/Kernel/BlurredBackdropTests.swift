import EditorTestSupport
import Foundation
import Testing

@testable import EditorCore

@Suite struct BlurredBackdropTests {
    private func backdrop(_ frame: VideoFrame, _ width: Int, _ height: Int) -> VideoFrame {
        BlurredBackdrop(canvas: PixelSize(width: width, height: height)).picture(of: frame, pool: FramePool())
    }

    /// A plain picture stays plain at six tenths of its light and colour.
    @Test(arguments: [(2, 2, 2, 2), (160, 90, 90, 160), (37, 91, 334, 222), (1, 1, 64, 48), (500, 20, 40, 400)])
    func plainStaysPlain(sizes: (Int, Int, Int, Int)) {
        let frame = SyntheticFrames.plain(PixelSize(width: sizes.0, height: sizes.1), y: 216, u: 78, v: 188)
        let result = backdrop(frame, sizes.2, sizes.3)
        #expect(result.size == PixelSize(width: sizes.2, height: sizes.3) && result.format == .yuv420)
        for (plane, value) in [(0, 136), (1, 98), (2, 164)] {
            #expect(SyntheticFrames.bytes(of: result, plane: plane).allSatisfy { abs(Int($0) - value) <= 1 })
        }
    }

    /// An edge becomes the curve that a Gaussian makes of it. Three boxes of five small pixels have the variance
    /// 3·(5² − 1)/12, the averaging adds 1/12 and the enlarging 1/6.
    @Test(arguments: [true, false])
    func anEdgeIsBlurredLikeByAGaussian(upright: Bool) {
        let side = 640
        let frame = SyntheticFrames.frame(PixelSize(width: side, height: side)) { plane, x, y in
            plane > 0 ? 128 : (upright ? x : y) < side / 2 ? 16 : 216
        }
        let luma = SyntheticFrames.bytes(of: backdrop(frame, side, side), plane: 0)
        let deviation = 16 * (6 + 1.0 / 12 + 1.0 / 6).squareRoot()
        for i in stride(from: 100, to: 540, by: 3) {
            let expected = 16 + 120 * 0.5 * (1 + erf((Double(i) + 0.5 - 320) / deviation / 2.0.squareRoot()))
            let value = luma[upright ? 320 * side + i : i * side + 320]
            #expect(abs(Double(value) - expected) < 3, "\(i)")
        }
    }

    /// It shows what would cover the canvas: of a wide picture the middle.
    @Test func theMiddleCoversTheCanvas() {
        // Black but for the middle third.
        let frame = SyntheticFrames.frame(PixelSize(width: 960, height: 320)) { plane, x, _ in
            plane > 0 ? 128 : (320..<640).contains(x) ? 216 : 16
        }
        let luma = SyntheticFrames.bytes(of: backdrop(frame, 320, 320), plane: 0)
        #expect(luma.allSatisfy { abs(Int($0) - 136) <= 1 })
    }
}
