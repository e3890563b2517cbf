import EditorTestSupport
import Foundation
import Testing

@testable import EditorCore

/// A transition that shows its progress as luma.
private final class ProgressMeter: TransitionEffect {
    struct Parameters: ParameterSet {
        static let specs: [ParameterSpec<Self>] = []
    }
    static let id = "meter"
    static let summary = "Shows how far it has come."

    init(_ parameters: Parameters, context: EffectContext) {}

    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        from = SyntheticFrames.plain(from.size, y: UInt8((progress * 200).rounded()))
    }
}

private enum MeterModule: EffectModule {
    static let name = "meters"
    static var effects: [EffectDescriptor] { [.transition(ProgressMeter.self)] }
}

@Suite struct TransitionPlanTests {
    private let registry: EffectRegistry

    init() throws {
        var registry = EffectRegistry()
        try registry.register(MeterModule.self)
        self.registry = registry
    }

    private func media(_ y: Double, seconds: MediaTime, sound: Float? = nil) -> DrawnLibrary.Media {
        var media = DrawnLibrary.Media(duration: seconds) { plane, _, _ in plane == 0 ? y : 128 }
        if let sound { media.sound = { _ in (sound, -sound) } }
        return media
    }

    private func config(_ clips: String) -> String {
        "{assetArray: [\(clips)], renderSize: {width: 64, height: 64}, frameRate: 30}"
    }

    private func findings(_ clips: String, over library: DrawnLibrary) -> [Finding] {
        do {
            return try plan(config(clips), over: library, effects: registry).findings
        } catch let error as EditorError {
            return error.findings
        } catch {
            return []
        }
    }

    // MARK: Pictures

    @Test(arguments: [("linear", 1.0), ("easeIn", 2), ("easeInCubic", 3)])
    func bothClipsShowForItsLength(easing: String, power: Double) throws {
        let library = DrawnLibrary([
            "a": media(210, seconds: MediaTime(seconds: 1)), "b": media(230, seconds: MediaTime(seconds: 1)),
        ])
        let plan = try plan(
            config("{path: 'a', transition: {type: 'meter', duration: 0.5, easing: '\(easing)'}}, 'b'"), over: library,
            effects: registry)
        #expect(plan.frameCount == 45)
        let compositor = Compositor(plan, library: library)
        let lumas = try (0..<45).map { SyntheticFrames.bytes(of: try compositor.frame($0), plane: 0)[0] }
        for frame in 0..<45 {
            let expected: UInt8 =
                frame < 15 ? 210 : frame < 30 ? UInt8((pow(Double(frame - 15) / 15, power) * 200).rounded()) : 230
            #expect(lumas[frame] == expected, "frame \(frame)")
        }
        // Any order gives the same pictures.
        let other = Compositor(plan, library: library)
        for frame in [44, 20, 3, 29, 15] {
            #expect(SyntheticFrames.bytes(of: try other.frame(frame), plane: 0)[0] == lumas[frame])
        }
    }

    // MARK: Findings

    @Test func aTransitionLongerThanAClipSaysTheLargestThatFits() {
        let library = DrawnLibrary([
            "a": media(50, seconds: MediaTime(seconds: 2)), "b": media(50, seconds: MediaTime(value: 2, timescale: 5)),
        ])
        for clips in [
            "{path: 'a', transition: {type: 'meter', duration: 0.5}}, 'b'",
            "{path: 'b', transition: {type: 'meter', duration: 0.5}}, 'a'",
        ] {
            let found = findings(clips, over: library)
            #expect(found.map(\.code) == ["transition.tooLong"])
            #expect(found.first?.pointer.description == "/assetArray/0/transition/duration")
            #expect(found.first?.hint?.contains("0.4") == true, "\(found)")
        }
    }

    @Test func twoTransitionsShareTheClipBetweenThem() throws {
        let library = DrawnLibrary([
            "a": media(50, seconds: MediaTime(seconds: 2)), "b": media(50, seconds: MediaTime(value: 2, timescale: 5)),
        ])
        func clips(_ second: String) -> String {
            "{path: 'a', transition: {type: 'meter', duration: 0.3}}, "
                + "{path: 'b', transition: {type: 'meter', duration: \(second)}}, 'a'"
        }
        let found = findings(clips("0.2"), over: library)
        #expect(found.map(\.code) == ["transition.tooLong"])
        #expect(found.first?.pointer.description == "/assetArray/1/transition/duration")
        #expect(found.first?.hint?.contains("0.1") == true, "\(found)")
        // What it says fits, and no more is asked for.
        #expect(findings(clips("0.1"), over: library).isEmpty)
        #expect(try plan(config(clips("0.1")), over: library, effects: registry).frameCount == 120)
    }

    @Test func anUnknownTransitionIsNamedWithItsNeighbour() {
        let library = DrawnLibrary(["a": media(50, seconds: MediaTime(seconds: 1))])
        let found = findings("{path: 'a', transition: {type: 'metre', duration: 0.3}}, 'a'", over: library)
        #expect(found.map(\.code) == ["effect.unknown"])
        #expect(found.first?.message.contains("metre") == true && found.first?.hint?.contains("meter") == true)
    }

    @Test func atTheEndOfTheMovieItIsLeftOut() {
        let library = DrawnLibrary(["a": media(50, seconds: MediaTime(seconds: 1))])
        let found = findings("'a', {path: 'a', transition: {type: 'meter', duration: 0.3}}", over: library)
        #expect(found.map(\.code) == ["transition.last"] && found.first?.severity == .warning)
    }

    // MARK: Sound

    /// What of a steady sound is heard of the first and of the second clip.
    private func levels(first: Float, second: Float) throws -> [Float] {
        let library = DrawnLibrary([
            "a": media(50, seconds: MediaTime(seconds: 1), sound: first),
            "b": media(50, seconds: MediaTime(seconds: 1), sound: second),
        ])
        let plan = try plan(
            config("{path: 'a', transition: {type: 'meter', duration: 0.5}}, 'b'"), over: library, effects: registry)
        let mixer = AudioMixer(plan, library: library)
        var heard: [Float] = []
        var buffer = AudioBuffer(sampleCount: 0)
        while heard.count < plan.sampleCount {
            buffer.clear(sampleCount: min(1000, plan.sampleCount - heard.count))
            try mixer.fill(&buffer)
            heard += buffer.channels[0]
        }
        return heard
    }

    @Test func soundsCrossWithEqualPower() throws {
        let (out, incoming) = (try levels(first: 0.25, second: 0), try levels(first: 0, second: 0.25))
        #expect(out.count == 72_000)
        for sample in stride(from: 100, to: 72_000, by: 97) {
            let t = min(max((Double(sample) - 24_000) / 24_000, 0), 1)
            #expect(abs(Double(out[sample]) - 0.25 * cos(t * .pi / 2)) < 1e-4, "sample \(sample)")
            #expect(abs(Double(incoming[sample]) - 0.25 * sin(t * .pi / 2)) < 1e-4, "sample \(sample)")
        }
        // Unlike sounds keep their power: the squares sum to that of one clip alone.
        for sample in stride(from: 24_000, to: 48_000, by: 501) {
            let power = out[sample] * out[sample] + incoming[sample] * incoming[sample]
            #expect(abs(power - 0.0625) < 1e-4)
        }
    }
}
