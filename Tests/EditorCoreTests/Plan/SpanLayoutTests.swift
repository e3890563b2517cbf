import EditorTestSupport
import Testing

@testable import EditorCore

/// What makes a span another one, and what does not.
@Suite struct SpanLayoutTests {
    static func stage(identity: String = "1") -> Stage {
        Stage([
            "a": .init(number: 1, frameCount: 60, identity: identity), "b": .init(number: 2, frameCount: 30),
            "copy of a": .init(number: 1, frameCount: 60),
        ])
    }

    private func names(_ config: JSONValue, stage: Stage = stage()) throws -> [Fingerprint] {
        try stage.plan(config).spans.map(\.content)
    }

    /// The spans whose names differ.
    private func changed(_ old: [Fingerprint], _ new: [Fingerprint]) -> [Int] {
        #expect(old.count == new.count)
        return zip(old, new).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    }

    private func lift(_ amount: Double, _ start: Double, _ duration: Double) -> JSONValue {
        [
            "type": "lift", "amount": .number(amount),
            "timeRange": ["start": .number(start), "duration": .number(duration)],
        ]
    }

    @Test func spansCoverEveryFrameOnce() throws {
        let plan = try Self.stage().plan(["assetArray": ["a", "b"], "selectTimeRange": ["start": 0, "duration": 2.8]])
        #expect(plan.spans.flatMap { Array($0.frames) } == Array(0..<84))
        #expect(plan.spans.map(\.frames.count) == [10, 10, 10, 10, 10, 10, 10, 10, 4])
        #expect(plan.spans.map(\.index) == Array(0..<9))
    }

    @Test func equalConfigsGiveEqualNames() throws {
        let config: JSONValue = ["assetArray": ["a", "b"], "effects": [lift(5, 0.2, 1)]]
        #expect(try names(config) == names(config))
        #expect(Set(try names(config)).count == 9)
    }

    @Test func anEffectTouchesTheSpansItCoversAlone() throws {
        let config: (Double) -> JSONValue = { amount in
            ["assetArray": ["a", "b"], "effects": [self.lift(1, 0, 3), self.lift(amount, 0.5, 0.9)]]
        }
        // 0.5 … 1.4 seconds are frames 15 to 41.
        #expect(try changed(names(config(2)), names(config(3))) == [1, 2, 3, 4])
    }

    @Test func theEdgesOfARangeAreExact() throws {
        func names(_ start: Double, _ duration: Double, _ amount: Double) throws -> [Fingerprint] {
            try self.names(["assetArray": ["a", "b"], "effects": [lift(amount, start, duration)]])
        }
        // From the first frame of span 3 to the last of span 5.
        #expect(try changed(names(1, 1, 2), names(1, 1, 3)) == [3, 4, 5])
    }

    @Test func aClipsOwnEffectTouchesItsSpansAlone() throws {
        let config: (Double) -> JSONValue = { amount in
            ["assetArray": ["a", ["path": "b", "effects": [["type": "lift", "amount": .number(amount)]]]]]
        }
        #expect(try changed(names(config(1)), names(config(2))) == [6, 7, 8])
    }

    @Test func anotherTransitionTouchesTheSpansAroundIt() throws {
        let config: (String) -> JSONValue = { easing in
            [
                "assetArray": [
                    ["path": "a", "transition": ["type": "mix", "duration": 0.4, "easing": .string(easing)]], "b",
                ]
            ]
        }
        // The incoming clip carries it: its frames begin at 1.6 seconds.
        #expect(try changed(names(config("linear")), names(config("easeIn"))).allSatisfy { $0 >= 4 })
        #expect(try changed(names(config("linear")), names(config("easeIn"))).contains(4))
    }

    /// A span keeps its name when only what lies before it becomes longer, so that its pictures are found again.
    @Test func whatComesBeforeDoesNotMatter() throws {
        let short = try names(["assetArray": [["path": "b", "duration": 1], "a"]])
        let long = try names(["assetArray": [["path": "b", "duration": 2], "a"]])
        #expect(short[3...] == long[6...])
    }

    @Test func soundDoesNotTouchPictures() throws {
        let quiet = try names([
            "assetArray": [["path": "a", "volume": 0.2]], "originalVolume": 0.3, "effects": [["type": "gain"]],
        ])
        #expect(try quiet == names(["assetArray": ["a"]]))
    }

    @Test func everythingPicturesDependOnIsInTheName() throws {
        let base = try names(["assetArray": ["a"]])
        let others: [JSONValue] = [
            ["assetArray": ["copy of a"]], ["assetArray": [["path": "a", "timeRange": ["start": 0.1, "end": 2]]]],
            ["assetArray": [["path": "a", "speed": 1.5]]], ["assetArray": [["path": "a", "reverse": true]]],
            ["assetArray": ["a"], "videoGravity": "resize"], ["assetArray": ["a"], "backgroundColor": "ff0000"],
            ["assetArray": ["a"], "frameRate": 25], ["assetArray": ["a"], "renderSize": ["width": 34, "height": 32]],
            ["assetArray": [["path": "a", "kenBurns": ["to": ["zoom": 2]]]]],
            ["assetArray": ["a", ["path": "b", "overlay": true]]],
            ["assetArray": ["a"], "effects": [lift(1, 0, 0.2)]],
        ]
        for other in others { #expect(try names(other)[0] != base[0], "\(other.text())") }
        #expect(try names(["assetArray": ["a"]], stage: Self.stage(identity: "2"))[0] != base[0])
    }
}
