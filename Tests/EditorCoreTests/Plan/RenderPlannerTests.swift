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
