import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct TimelineBuilderTests {
    static let stage = Stage([
        "a": .init(number: 1, frameCount: 60, sound: AudioBuffer(sampleCount: 10)),
        "b": .init(number: 2, frameCount: 30),
        "photo": .init(number: 3, frameCount: 1, isStill: true),
        "ntsc": .init(number: 4, frameCount: 100, rate: Rational(30000, 1001)), "song": .init(hasVideo: false),
    ])

    private func clips(_ assets: JSONValue) throws -> [Clip] {
        try Self.stage.plan(["assetArray": assets]).timeline.clips
    }

    private func time(_ value: Int64, _ scale: Int64 = 1) -> MediaTime { MediaTime(value: value, timescale: scale) }

    @Test func lengthsAreExact() throws {
        let clips = try clips([
            "a", "ntsc", ["path": "a", "speed": 3], ["path": "photo"], ["path": "photo", "duration": 0.7],
            ["path": "a", "timeRange": ["start": 0.1, "duration": 0.3], "hold": 0.2], ["path": "b", "duration": 2.5],
        ])
        #expect(
            clips.map(\.range.duration) == [
                time(2), time(1001 * 100, 30000), time(2, 3), time(3), time(7, 10), time(5, 10), time(5, 2),
            ])
        for (clip, next) in zip(clips, clips.dropFirst()) { #expect(clip.range.end == next.range.start) }
        #expect(clips[5].sourceRange == TimeRange(start: time(1, 10), duration: time(3, 10)))
    }

    @Test func sourceTimesFollowSpeedAndDirection() throws {
        let clips = try clips([
            ["path": "a", "timeRange": ["start": 0.5, "duration": 1], "speed": 2],
            ["path": "a", "timeRange": ["start": 0.5, "duration": 1], "reverse": true, "hold": 1],
        ])
        #expect(clips[0].sourceTime(at: time(1, 4)) == time(1))
        #expect(clips[1].sourceTime(at: time(1, 2)) == time(3, 2))
        #expect(clips[1].sourceTime(at: time(3, 4)) == time(5, 4))
        // Held at its end, which lies at the start of the part.
        #expect(clips[1].sourceTime(at: time(2)) == time(1, 2))
    }

    /// A range may reach a little beyond the source, which is then used as far as it goes.
    @Test func rangesEndWithTheSource() throws {
        let clips = try clips([["path": "b", "timeRange": ["start": 0.5, "end": 1.05]]])
        #expect(clips[0].sourceRange.end == time(1))
        #expect(clips[0].range.duration == time(1, 2))
    }

    @Test func soundIsChosen() throws {
        let clips = try clips(["a", "b", ["path": "a", "mute": true]])
        #expect(clips.map(\.audioStream) == [0, nil, nil])
    }

    @Test func allProblemsComeAtOnceWithTheirPlaces() throws {
        let error = #expect(throws: EditorError.self) {
            try Self.stage.plan([
                "assetArray": [
                    "nowhere", "song", ["path": "b", "timeRange": ["start": 0.5, "duration": 3]],
                    ["path": "a", "audioStream": 4],
                    ["path": "a", "transition": ["type": "mix", "duration": 1.5]], "b",
                    ["path": "a", "effects": [["type": "lifd"]]],
                ],
                "effects": [["type": "gain", "amount": 1000], ["type": "mix"]],
            ])
        }
        let found = try #require(error).findings.map { "\($0.code) \($0.pointer)" }
        #expect(
            found == [
                "clip.unreadable /assetArray/0", "clip.noVideo /assetArray/1", "clip.range /assetArray/2/timeRange",
                "clip.audioStream /assetArray/3/audioStream", "transition.tooLong /assetArray/4/transition/duration",
                "effect.unknown /assetArray/6/effects/0/type", "config.range /effects/0/amount",
                "effect.kind /effects/1/type",
            ])
        #expect(error?.findings.first { $0.code == "effect.unknown" }?.hint == "did you mean \"lift\"?")
        #expect(error?.findings.first { $0.code == "transition.tooLong" }?.hint == "the largest that fits is 1")
    }

    @Test func aTransitionBehindTheLastClipIsLeftOut() throws {
        let plan = try Self.stage.plan(["assetArray": ["a", ["path": "b", "transition": ["type": "mix"]]]])
        #expect(plan.findings.map(\.code) == ["transition.last"])
        #expect(plan.timeline.duration == time(3))
    }

    /// Two transitions may not take the same part of a clip.
    @Test func transitionsShareAClip() throws {
        func plan(_ second: JSONValue) throws -> RenderPlan {
            try Self.stage.plan([
                "assetArray": [
                    ["path": "a", "transition": ["type": "mix", "duration": 0.6]],
                    ["path": "b", "transition": ["type": "mix", "duration": second]], "a",
                ]
            ])
        }
        #expect(try plan(0.4).timeline.duration == time(4))
        #expect(throws: EditorError.self) { try plan(0.5) }
    }
}
