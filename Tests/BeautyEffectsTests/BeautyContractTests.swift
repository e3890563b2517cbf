import BeautyEffects
import EditorCore
import EditorTestSupport
import Testing

@Suite("beauty as an effect")
struct BeautyContractTests {
    private let portrait = Portrait(160, 240, skin: Portrait.tones[1].color)

    @Test("with all strengths 0 not one byte changes")
    func zeroIsIdentity() {
        let parameters = Bench.parameters()
        let effect = Bench.effect(parameters, portrait.size)
        #expect(effect.isIdentity(at: Bench.time()))
        #expect(SyntheticFrames.areEqual(Bench.treated(portrait.frame, parameters), portrait.frame))
        for number in [\BeautyParameters.smooth, \.whiten, \.ruddy, \.sharpen] {
            var one = parameters
            one[keyPath: number] = 0.1
            #expect(!Bench.effect(one, portrait.size).isIdentity(at: Bench.time()))
            #expect(!SyntheticFrames.areEqual(Bench.treated(portrait.frame, one), portrait.frame))
        }
    }

    @Test("a strength that moves is the identity only while it is 0")
    func keyframes() {
        var parameters = Bench.parameters()
        parameters.smooth = AnimatedNumber(keyframes: [
            .init(time: 1, value: 0), .init(time: 3, value: 1, easing: .easeOutBack), .init(time: 5, value: 0),
        ])
        let effect = Bench.effect(parameters, portrait.size)
        #expect(effect.isIdentity(at: Bench.time(0)))
        #expect(!effect.isIdentity(at: Bench.time(2)))
        // The curve runs beyond 1 at four seconds or so; strength stops there.
        var (overshot, full) = (portrait.frame, portrait.frame)
        effect.process(&overshot, at: Bench.time(3))
        Bench.effect(Bench.parameters(smooth: 1), portrait.size).process(&full, at: Bench.time(0))
        #expect(SyntheticFrames.areEqual(overshot, full))
    }

    @Test("what a frame becomes does not depend on frames before it")
    func stateless() {
        let parameters = Bench.parameters(smooth: 0.8, whiten: 0.4, ruddy: 0.4, sharpen: 0.4)
        let effect = Bench.effect(parameters, portrait.size)
        let others = [
            SyntheticFrames.noise(portrait.size), SyntheticFrames.plain(portrait.size, y: 140, u: 110, v: 150),
        ]
        let alone = Bench.treated(portrait.frame, parameters)
        for other in others {
            var (before, frame) = (other, portrait.frame)
            effect.process(&before, at: Bench.time(1))
            effect.process(&frame, at: Bench.time(2))
            #expect(SyntheticFrames.areEqual(frame, alone))
        }
        // A frame of another size than promised.
        var small = SyntheticFrames.noise(PixelSize(width: 31, height: 17))
        effect.process(&small, at: Bench.time(3))
        var again = portrait.frame
        effect.process(&again, at: Bench.time(4))
        #expect(SyntheticFrames.areEqual(again, alone))
    }

    @Test("a picture without skin is the same memory afterwards")
    func leavesBlueAlone() {
        let blue = SyntheticFrames.plain(PixelSize(width: 320, height: 240), y: 60, u: 200, v: 110)
        let result = Bench.treated(blue, Bench.parameters(smooth: 1, whiten: 0.5, ruddy: 1))
        #expect(result.isSamePicture(as: blue))
    }

    @Test("nothing is written outside a row's width")
    func keepsPadding() {
        let size = PixelSize(width: 37, height: 21)
        var frame = SyntheticFrames.noise(size)
        func padding(_ frame: VideoFrame) -> [UInt8] {
            (0..<3).flatMap { plane in
                frame.withPlane(plane) { pixels, layout in
                    (0..<layout.height - 1).flatMap { y in
                        (layout.width..<layout.stride).map { pixels[y * layout.stride + $0] }
                    }
                }
            }
        }
        for plane in 0..<3 {
            frame.withMutablePlane(plane) { pixels, layout in
                for y in 0..<layout.height - 1 {
                    for x in layout.width..<layout.stride { pixels[y * layout.stride + x] = UInt8((x * 31 + y) & 255) }
                }
            }
        }
        let before = padding(frame)
        let parameters = Bench.parameters(smooth: 1, whiten: 1, ruddy: 1, sharpen: 1, skinOnly: false)
        // Held by nobody else, so that it is changed in place.
        Bench.effect(parameters, size).process(&frame, at: Bench.time())
        #expect(padding(frame) == before)
    }

    @Test("parameters are read with their defaults and ranges")
    func parameters() throws {
        var reading = ParameterReading()
        let defaults = try #require(BeautyParameters.read([:], at: JSONPointer(), into: &reading))
        #expect(defaults.smooth == 0.5 && defaults.whiten == 0 && defaults.ruddy == 0 && defaults.sharpen == 0)
        #expect(defaults.skinOnly && reading.findings.isEmpty)
        _ = BeautyParameters.read(["smooth": 1.5, "skinOnly": 1, "smoth": 1], at: JSONPointer(), into: &reading)
        #expect(reading.findings.map(\.code).sorted() == ["config.range", "config.type", "config.unknownKey"])
        var registry = EffectRegistry()
        try registry.register(BeautyModule.self)
        let descriptor = try #require(registry["beauty"])
        #expect(descriptor.kind == .video && descriptor.module == "beauty")
        var example = ParameterReading()
        _ = BeautyParameters.read(descriptor.example, at: JSONPointer(), into: &example)
        #expect(example.findings.isEmpty)
    }
}
