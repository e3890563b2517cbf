import EditorCore
import EditorTestSupport
import Glow
import Testing

@Suite struct GlowTests {
    @Test func keepsTheContract() throws {
        var registry = EffectRegistry()
        try registry.register(GlowModule.self)
        #expect(EffectContract.failures(of: registry, neutral: ["glow": ["strength": 0]]) == [])
    }

    private func glow(_ frame: VideoFrame, strength: AnimatedNumber = 1, threshold: Double = 0.5, radius: Double = 3)
        -> [Int]
    {
        var parameters = Glow.Parameters()
        parameters.strength = strength
        parameters.threshold = threshold
        parameters.radius = Length(pixels: radius)
        let whole = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        let context = EffectContext(
            canvas: frame.size, frameRate: Rational(30), duration: whole.duration, activeRange: whole,
            assets: FakeAssets())
        var frame = frame
        Glow(parameters, context: context).process(&frame, at: EffectTime(time: .zero, index: 0, activeRange: whole))
        return SyntheticFrames.bytes(of: frame, plane: 0).map { Int($0) }
    }

    /// The plain way: each pixel gets a tent's share of what is bright around it.
    @Test func shinesLikeTheSumOfItsNeighbours() {
        let (width, height, radius) = (31, 22, 3)
        let frame = SyntheticFrames.noise(PixelSize(width: width, height: height), seed: 4)
        let luma = SyntheticFrames.bytes(of: frame, plane: 0).map { Double($0) }
        let result = glow(frame)
        func box(_ values: [Double]) -> [Double] {
            (0..<width * height).map { i in
                var sum = 0.0
                for y in max(0, i / width - radius)...min(height - 1, i / width + radius) {
                    for x in max(0, i % width - radius)...min(width - 1, i % width + radius) {
                        sum += values[y * width + x]
                    }
                }
                return sum / Double((2 * radius + 1) * (2 * radius + 1))
            }
        }
        let shine = box(box(luma.map { max(0, $0 - 125) }))
        for i in luma.indices { #expect(abs(Double(result[i]) - max(luma[i], min(235, luma[i] + shine[i]))) <= 1) }
    }

    @Test func whatIsDarkStaysDark() {
        let dark = SyntheticFrames.plain(PixelSize(width: 40, height: 30), y: 120)
        #expect(glow(dark).allSatisfy { $0 == 120 })
        #expect(glow(SyntheticFrames.plain(PixelSize(width: 40, height: 30), y: 230))[15 * 40 + 20] == 235)
    }

    @Test func keyframesMoveTheStrength() {
        let strength = AnimatedNumber(keyframes: [.init(time: 0, value: 0), .init(time: 1, value: 1)])
        let frame = SyntheticFrames.noise(PixelSize(width: 16, height: 16))
        #expect(glow(frame, strength: strength) == SyntheticFrames.bytes(of: frame, plane: 0).map { Int($0) })
    }
}
