import EditorTestSupport
import Foundation
import Testing

@testable import EditorCore

@Suite struct AudioMixerTests {
    /// Quiet noise, so that the limiter has nothing to do.
    static let noise = SyntheticSound.noise(amplitude: 0.1, count: 48_000 * 3, seed: 5)
    static let other = SyntheticSound.noise(amplitude: 0.1, count: 48_000, seed: 6)
    static let steady = AudioBuffer(channels: Array(repeating: Array(repeating: 0.25, count: 48_000 * 3), count: 2))

    static let stage = Stage([
        "noise": .init(number: 1, frameCount: 60, sound: noise),
        "other": .init(number: 2, frameCount: 60, sound: other),
        "silent": .init(number: 3, frameCount: 30), "steady": .init(number: 4, frameCount: 60, sound: steady),
        "ntsc": .init(number: 5, frameCount: 7, rate: Rational(30000, 1001), sound: noise),
    ])

    private func mix(_ config: JSONValue, blocks: [Int] = [8192]) throws -> AudioBuffer {
        let plan = try Self.stage.plan(config)
        let mixer = AudioMixer(plan, library: Self.stage.library)
        var result = AudioBuffer(channels: [[], []])
        var block = 0
        while result.sampleCount < plan.sampleCount {
            var buffer = AudioBuffer(
                sampleCount: min(blocks[block % blocks.count], plan.sampleCount - result.sampleCount))
            try mixer.fill(&buffer)
            for channel in 0..<2 { result.channels[channel] += buffer.channels[channel] }
            block += 1
        }
        return result
    }

    @Test func clipsSoundInTheirPlacesToTheSample() throws {
        let mixed = try mix([
            "assetArray": [
                ["path": "noise", "timeRange": ["start": 0.5, "duration": 1]], "silent",
                ["path": "other", "timeRange": ["start": 0, "duration": 2]],
            ]
        ])
        #expect(mixed.sampleCount == 48_000 * 4)
        for channel in 0..<2 {
            let samples = mixed.channels[channel]
            // The cuts are faded within 96 samples.
            #expect(Array(samples[..<47_904]) == Array(Self.noise.channels[channel][24_000..<71_904]))
            #expect(samples[48_000..<96_000].allSatisfy { $0 == 0 }, "a clip without sound")
            // The sound is half as long as the picture.
            #expect(Array(samples[96_096..<144_000]) == Array(Self.other.channels[channel][96...]))
            #expect(samples[144_000...].allSatisfy { $0 == 0 })
        }
    }

    /// 7 frames of 30000/1001 a second are 11211.2 samples: starts are rounded from exact times, so they never drift.
    @Test func boundariesAreRoundedFromExactTimes() throws {
        let mixed = try mix(["assetArray": .array(Array(repeating: "ntsc", count: 10)), "frameRate": "30000/1001"])
        #expect(mixed.sampleCount == 112_112)
        for clip in 0..<10 {
            let start = Int((Double(clip) * 11_211.2).rounded())
            let end = Int((Double(clip + 1) * 11_211.2).rounded())
            #expect(
                Array(mixed.channels[0][start + 96..<end - 96])
                    == Array(Self.noise.channels[0][96..<(end - start - 96)]),
                "clip \(clip)")
        }
    }

    /// Where one clip is cut to another there is no step, and where one recording was only cut in two nothing at all.
    @Test func cutsDoNotClick() throws {
        let cut = try mix([
            "assetArray": [["path": "steady", "duration": 1], ["path": "steady", "duration": 1, "volume": 2]]
        ])
        let steps = zip(cut.channels[0], cut.channels[0].dropFirst()).map { abs($0 - $1) }
        // Half of full scale within 96 samples.
        #expect(steps.max()! < 0.5 / 96 * 1.01)
        #expect(cut.channels[0][47_904] == 0.25 && abs(cut.channels[0][48_096] - 0.5) < 1e-6)
        let whole = try mix(["assetArray": ["noise"]])
        let pieces = try mix([
            "assetArray": .array(
                [(0.0, 0.6), (0.6, 1.1), (1.1, 2)].map {
                    ["path": "noise", "timeRange": ["start": .number($0), "end": .number($1)]]
                })
        ])
        #expect(pieces.channels == whole.channels)
    }

    /// A volume holds from the clip's first sample on, for this clip alone.
    @Test func volumesHoldFromTheStart() throws {
        let mixed = try mix([
            "assetArray": [
                ["path": "steady", "duration": 1], ["path": "steady", "duration": 1, "volume": 0.5],
                ["path": "steady", "duration": 1, "volume": 0],
            ],
            "originalVolume": 0.8,
        ])
        #expect(mixed.channels[0][..<47_904].allSatisfy { abs($0 - 0.2) < 1e-6 })
        #expect(mixed.channels[0][48_096..<95_904].allSatisfy { abs($0 - 0.1) < 1e-6 })
        #expect(mixed.channels[0][96_000...].allSatisfy { $0 == 0 })
    }

    @Test func volumesMoveOnTheClipsClock() throws {
        let mixed = try mix([
            "assetArray": [
                ["path": "silent"],
                ["path": "steady", "volume": [["time": 0.5, "value": 0], ["time": 1.5, "value": 1]]],
            ]
        ])
        for (second, level) in [(1.25, 0.0), (1.75, 0.25), (2.0, 0.5), (2.25, 0.75), (2.75, 1.0)] {
            #expect(abs(Double(mixed.channels[1][Int(second * 48_000)]) - level * 0.25) < 1e-4, "\(second) s")
        }
    }

    @Test func overlappingClipsAreSummed() throws {
        let mixed = try mix([
            "assetArray": ["noise", ["path": "other", "overlay": true, "duration": 0.5, "volume": 0.5]]
        ])
        for i in 0..<23_904 {
            let expected = Self.noise.channels[0][i] + Self.other.channels[0][i] * 0.5
            #expect(abs(mixed.channels[0][i] - expected) < 1e-7)
        }
        #expect(Array(mixed.channels[0][24_000..<48_000]) == Array(Self.noise.channels[0][24_000..<48_000]))
    }

    /// Two equal steady sounds crossed at equal power: sine and cosine of the same angle.
    @Test func transitionsCrossFadeAtEqualPower() throws {
        let mixed = try mix([
            "assetArray": [["path": "steady", "transition": ["type": "mix", "duration": 0.5]], "steady"]
        ])
        #expect(mixed.sampleCount == Int(3.5 * 48_000))
        for i in stride(from: 0, to: 24_000, by: 7) {
            let angle = Double(i) / 24_000 * .pi / 2
            #expect(abs(Double(mixed.channels[0][72_000 + i]) - 0.25 * (sin(angle) + cos(angle))) < 2e-4, "sample \(i)")
        }
        #expect(mixed.channels[0][71_999] == 0.25 && abs(mixed.channels[0][96_000] - 0.25) < 1e-6)
    }

    @Test func effectsBeginAndEndOnTheirSample() throws {
        let mixed = try mix([
            "assetArray": ["steady"],
            "effects": [
                ["type": "gain", "amount": 2, "timeRange": ["start": 0.30001, "duration": 0.5]],
                ["type": "gain", "amount": 0.5, "timeRange": ["start": 0.5, "duration": 1]],
            ],
        ])
        let first = Int((0.30001 * 48_000).rounded())
        let expected: [(Int, Float)] = [
            (0, 0.25), (first - 1, 0.25), (first, 0.5), (23_999, 0.5), (24_000, 0.25), (first + 23_999, 0.25),
            (first + 24_000, 0.125),
            (71_999, 0.125), (72_000, 0.25),
        ]
        for (sample, level) in expected { #expect(mixed.channels[0][sample] == level, "sample \(sample)") }
    }

    @Test func theSelectionCutsTheSound() throws {
        let mixed = try mix(["assetArray": ["silent", "noise"], "selectTimeRange": ["start": 0.75, "duration": 1]])
        #expect(mixed.channels[0][..<12_000].allSatisfy { $0 == 0 })
        #expect(Array(mixed.channels[0][12_096...]) == Array(Self.noise.channels[0][96..<36_000]))
        let late = try mix(["assetArray": ["noise"], "selectTimeRange": ["start": 1.5, "duration": 0.5]])
        #expect(Array(late.channels[0]) == Array(Self.noise.channels[0][72_000..<96_000]))
    }

    @Test(arguments: [[1, 31, 4096, 77], [100_000], [4095, 4097]])
    func blockLengthsDoNotMatter(blocks: [Int]) throws {
        let config: JSONValue = [
            "assetArray": [
                [
                    "path": "noise", "volume": [["time": 0, "value": 0.2], ["time": 1, "value": 2]],
                    "transition": ["type": "mix", "duration": 0.3],
                ],
                ["path": "steady", "volume": 2], ["path": "other", "overlay": true, "volume": 2],
            ],
            "originalVolume": 2,
            "effects": [["type": "gain", "amount": 3, "timeRange": ["start": 0.7, "duration": 1.1]]],
            "selectTimeRange": ["start": 0.2, "duration": 3],
        ]
        // Loud enough for the limiter to be at work.
        let reference = try mix(config)
        #expect(reference.channels[0].contains { $0 > 0.8 })
        #expect(try mix(config, blocks: blocks).channels == reference.channels)
    }

    @Test func theMixStaysUnderTheCeiling() throws {
        let mixed = try mix([
            "assetArray": [
                ["path": "steady", "volume": 2], ["path": "noise", "overlay": true, "volume": 2, "duration": 2],
            ], "originalVolume": 2,
        ])
        let ceiling = Float(pow(10, -1.0 / 20))
        #expect(mixed.channels.allSatisfy { $0.allSatisfy { abs($0) <= ceiling } })
    }
}
