import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct ClipScheduleTests {
    static let stage = Stage([
        "a": .init(number: 1, frameCount: 60), "b": .init(number: 2, frameCount: 30),
        "c": .init(number: 3, frameCount: 45),
    ])

    private func seconds(_ value: Int64, _ scale: Int64) -> MediaTime { MediaTime(value: value, timescale: scale) }

    @Test func clipsFollowEachOther() throws {
        let schedule = ClipSchedule(try Self.stage.plan(["assetArray": ["a", "b", "c"]]).timeline)
        let expected: [(MediaTime, Int)] = [
            (seconds(-1, 1), 0), (.zero, 0), (seconds(1999, 1000), 0), (seconds(2, 1), 1), (seconds(2999, 1000), 1),
            (seconds(3, 1), 2), (seconds(4499, 1000), 2), (seconds(99, 1), 2),
        ]
        for (time, clip) in expected {
            let moment = schedule.moment(at: time)
            #expect(moment.clip == clip, "\(time)")
            #expect(moment.outgoing == nil)
        }
    }

    @Test func neighboursOverlapByTheirTransition() throws {
        let plan = try Self.stage.plan([
            "assetArray": [["path": "a", "transition": ["type": "mix", "duration": 0.5]], "b"]
        ])
        #expect(plan.timeline.duration == seconds(5, 2))
        #expect(plan.timeline.clips[1].range == TimeRange(start: seconds(3, 2), duration: seconds(1, 1)))
        let schedule = ClipSchedule(plan.timeline)
        #expect(schedule.moment(at: seconds(1499, 1000)).outgoing == nil)
        for (time, progress) in [(seconds(3, 2), 0), (seconds(7, 4), 0.5), (seconds(15, 8), 0.75)] {
            let moment = schedule.moment(at: time)
            #expect(moment.clip == 1)
            #expect(moment.outgoing?.clip == 0)
            #expect(moment.outgoing?.progress == progress)
        }
        #expect(schedule.moment(at: seconds(2, 1)).outgoing == nil)
        #expect(schedule.moment(at: seconds(2, 1)).clip == 1)
    }

    /// Lengths such as 0.333 are meant to be thirds: an instant half a millisecond early belongs to the next clip.
    @Test func aHairBeforeTheStartBelongsToTheClip() throws {
        let plan = try Self.stage.plan(["assetArray": [["path": "a", "duration": 0.3337], "b"]])
        // Frame 10 shows at 0.333333.
        #expect(ClipSchedule(plan.timeline).moment(at: plan.time(ofFrame: 10)).clip == 1)
        #expect(ClipSchedule(plan.timeline).moment(at: plan.time(ofFrame: 9)).clip == 0)
    }

    @Test func aStretchHoldsEveryClipThatShowsInIt() throws {
        let plan = try Self.stage.plan([
            "assetArray": [
                ["path": "a", "duration": 0.4],
                ["path": "b", "duration": 0.5, "transition": ["type": "mix", "duration": 0.2]],
                ["path": "c", "duration": 0.7], ["path": "a", "duration": 0.3],
                ["path": "b", "overlay": true, "duration": 0.2],
                ["path": "c", "duration": 0.2],
            ]
        ])
        let schedule = ClipSchedule(plan.timeline)
        for first in 0..<plan.frameCount {
            for last in first..<min(plan.frameCount, first + 12) {
                var expected: Set<String> = []
                for frame in first...last {
                    let time = plan.time(ofFrame: frame)
                    let moment = schedule.moment(at: time)
                    let indices = [moment.clip] + (moment.outgoing.map { [$0.clip] } ?? [])
                    for index in indices { expected.insert("\(plan.timeline.clips[index].pointer)") }
                    for index in schedule.overlays(at: time) {
                        expected.insert("\(plan.timeline.overlays[index].pointer)")
                    }
                }
                let clips = schedule.clips(from: plan.time(ofFrame: first), through: plan.time(ofFrame: last))
                #expect(Set(clips.map { "\($0.pointer)" }) == expected, "frames \(first)…\(last)")
            }
        }
    }
}
