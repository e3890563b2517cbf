import BeautyEffects
import EditorCore
import EditorTestSupport
import Testing

@Suite("beauty against plain loops")
struct BeautyReferenceTests {
    /// Largest distance of a byte from what the plain loops say.
    private func distance(_ bytes: [UInt8], _ values: [Double]) -> Double {
        zip(bytes, values).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
    }

    private func check(_ frame: VideoFrame, smooth: Double, whiten: Double, ruddy: Double, skinOnly: Bool) {
        let wanted = BeautyReference(frame).treated(smooth: smooth, whiten: whiten, ruddy: ruddy, skinOnly: skinOnly)
        let result = Bench.treated(
            frame, Bench.parameters(smooth: smooth, whiten: whiten, ruddy: ruddy, skinOnly: skinOnly))
        // Half a level for each of two roundings, and a little for coefficients of twelve bits.
        #expect(distance(SyntheticFrames.bytes(of: result, plane: 0), wanted.y) < 1.35)
        #expect(distance(SyntheticFrames.bytes(of: result, plane: 1), wanted.u) < 0.6)
        #expect(distance(SyntheticFrames.bytes(of: result, plane: 2), wanted.v) < 0.6)
    }

    @Test(
        "the fast loops give what the plain ones give, at odd and tiny sizes too",
        arguments: [
            PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 5), PixelSize(width: 2, height: 33),
            PixelSize(width: 67, height: 2), PixelSize(width: 131, height: 77), PixelSize(width: 601, height: 603),
        ])
    func matchesReference(_ size: PixelSize) {
        let noise = SyntheticFrames.noise(size, seed: UInt64(size.width))
        check(noise, smooth: 0.8, whiten: 0.6, ruddy: 0.7, skinOnly: false)
        let skin = SyntheticFrames.frame(size) { plane, x, y in
            let step = UInt8((x * 7 + y * 13 + (x * y) % 11) % 9)
            return plane == 0 ? 130 + step * 2 + (x > size.width / 2 ? 40 : 0) : plane == 1 ? 108 + step : 146 + step
        }
        check(skin, smooth: 1, whiten: 1, ruddy: 1, skinOnly: true)
        check(skin, smooth: 0.3, whiten: 0, ruddy: 0.2, skinOnly: true)
    }

    @Test("the fast loops do not overflow at the extremes of bytes")
    func extremes() {
        let size = PixelSize(width: 90, height: 70)
        for (dark, light) in [(0, 255), (255, 255), (0, 0), (0, 60)] as [(UInt8, UInt8)] {
            let frame = SyntheticFrames.frame(size) { _, x, y in (x / 9 + y / 7) % 2 == 0 ? dark : light }
            check(frame, smooth: 1, whiten: 1, ruddy: 1, skinOnly: false)
            check(frame, smooth: 0.5, whiten: 0, ruddy: 0, skinOnly: false)
        }
    }

    @Test("a drawn portrait comes out as the plain loops say")
    func portrait() {
        let portrait = Portrait(161, 243, skin: Portrait.tones[1].color)
        check(portrait.frame, smooth: 0.7, whiten: 0.5, ruddy: 0.5, skinOnly: true)
    }
}
