import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct RenderPlannerTests {
    static let stage = Stage([
        "a": .init(number: 1, frameCount: 60), "b": .init(number: 2, frameCount: 30),
        "odd": .init(number: 3, frameCount: 101, rate: Rational(100)),
    ])

    private func time(_ value: Int64, _ scale: Int64 = 1) -> MediaTime { MediaTime(value: value, timescale: scale) }

    /// Three times 1.01 seconds at 30 frames a second are 91 frames, not three times 30.
    @Test func framesAreRoundedOnce() throws {
        let plan = try Self.stage.plan(["assetArray": ["odd", "odd", "odd"]])
        #expect(plan.frameCount == 91)
        #expect(plan.duration == time(91, 30))
        #expect(plan.sampleCount == 91 * 1600)
    }

    @Test(arguments: [("24000/1001", 72), (25, 75), ("60000/1001", 180), (240, 720)] as [(JSONValue, Int)])
    func framesFollowTheRate(rate: JSONValue, count: Int) throws {
        let plan = try Self.stage.plan(["assetArray": ["a", "b"], "frameRate": rate])
        #expect(plan.frameCount == count)
    }

    @Test func theSelectionCutsTheComposedTimeline() throws {
        let config: JSONValue = ["assetArray": ["a", "b"], "selectTimeRange": ["start": 0.5, "duration": 1]]
        let inside = try Self.stage.plan(config)
        #expect(inside.selection == TimeRange(start: time(1, 2), duration: time(1)))
        #expect(inside.frameCount == 30)
        let across = try Self.stage.plan(config, range: (time(3, 2), time(5, 2)))
        #expect(across.selection == TimeRange(start: time(3, 2), duration: time(1)))
        let open = try Self.stage.plan(config, range: (time(5, 2), nil))
        #expect(open.selection == TimeRange(start: time(5, 2), end: time(3)))
        let late = try Self.stage.plan(config, range: (time(5, 2), time(9)))
        #expect(late.selection.end == time(3))
        #expect(throws: EditorError.self) { try Self.stage.plan(config, range: (time(3), nil)) }
    }

    /// Reads its whole file when it is made, as measuring loudness does, and raises the flag midway.
    private final class Measuring: AudioEffect {
        static let id = "measuring"
        static let summary = "Reads a file to its end."
        static let flag = Cancellation()

        init(_ parameters: StageAmount, context: EffectContext) throws {
            let sound = try context.assets.audio(AssetReference(path: "long", kind: .audio))
            var block = AudioBuffer(sampleCount: 1000)
            _ = try sound.read(from: 0, into: &block)
            Self.flag.cancel()
            _ = try sound.read(from: 1000, into: &block)
            Issue.record("the flag was raised, but reading went on")
        }

        func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws {}
    }

    private enum MeasuringModule: EffectModule {
        static let name = "measuring"
        static var effects: [EffectDescriptor] { [.audio(Measuring.self)] }
    }

    @Test func planningIsCancelledWhileAnEffectReads() throws {
        var assets = FakeAssets()
        assets.sounds["long"] = AudioBuffer(sampleCount: 10_000)
        let stage = Stage(["a": .init(number: 1, frameCount: 60)], assets: assets)
        var registry = EffectRegistry()
        try registry.register(MeasuringModule.self)
        let configuration = try stage.configuration(["assetArray": ["a"], "effects": [["type": "measuring"]]])
        let planner = RenderPlanner(registry: registry, library: stage.library, cancellation: Measuring.flag)
        let error = #expect(throws: EditorError.self) {
            try planner.plan(configuration, settings: ExportSettings(configuration, fileName: "m.mp4"))
        }
        #expect(error?.kind == .cancelled && error?.findings.isEmpty == true)
    }

    @Test func aConfigWithoutClipsIsChecked() throws {
        let document = ConfigurationDocument(["effects": [["type": "lift", "amount": 900]]], name: "test")
        let (configuration, findings, _) = Configuration.read(document, requiresClips: false)
        let planner = RenderPlanner(registry: Self.stage.registry, library: Self.stage.library)
        let error = #expect(throws: EditorError.self) {
            try planner.check(
                configuration, findings: findings, settings: ExportSettings(configuration, fileName: "m.mp4"))
        }
        #expect(error?.findings.map(\.pointer.description) == ["/effects/0/amount"])
    }

    @Test func anEffectThatIsNeverOnIsAWarning() throws {
        let plan = try Self.stage.plan([
            "assetArray": ["a"],
            "effects": [
                ["type": "lift", "timeRange": ["start": 5, "duration": 1]],
                ["type": "lift", "timeRange": ["start": 1, "duration": 10]],
            ],
        ])
        #expect(
            plan.findings.map { "\($0.severity.rawValue) \($0.code) \($0.pointer)" } == [
                "warning effect.neverOn /effects/0/timeRange"
            ])
        #expect(plan.pictureEffects.map(\.range) == [TimeRange(start: time(1), end: time(2))])
    }

    @Test func rangesOfTimeBecomeFrames() throws {
        let plan = try Self.stage.plan(["assetArray": ["a"]])
        // A frame belongs to a range when its instant does: 1/30 … 2/30 holds frame 1 alone.
        #expect(plan.frames(in: TimeRange(start: time(1, 30), end: time(2, 30))) == 1..<2)
        #expect(plan.frames(in: TimeRange(start: time(1, 40), end: time(2, 30))) == 1..<2)
        #expect(plan.frames(in: TimeRange(start: .zero, end: time(100))) == 0..<60)
        #expect(plan.frames(in: TimeRange(start: time(-1), end: time(1, 10))) == 0..<3)
    }
}
