import EditorCore
import EditorTestSupport
import Foundation
import MusicEffects
import Synchronization
import Testing

@Suite struct MusicEffectTests {
    private let tone = SyntheticSound.tone(440, amplitude: 0.25, seconds: 4)

    @Test func addsTheMusicUnchangedAtVolumeOne() throws {
        let ramp = SyntheticSound.ramp(count: 100_000)
        let under = SyntheticSound.tone(1000, amplitude: 0.25, seconds: 1)
        let stage = MusicStage(ramp, duration: 1)
        let movie = try stage.play(["volume": 1, "fadeOut": 0], over: under)
        for channel in 0..<2 {
            let wanted = zip(under.channels[channel], ramp.channels[channel]).map { $0 + $1 }
            #expect(movie.channels[channel] == wanted)
        }
    }

    @Test func theDefaultVolumeIsAHalf() throws {
        let movie = try MusicStage(tone).play([:])
        #expect(abs(SyntheticSound.level(movie, from: 0.1, to: 3.9) + 21.07) < 0.05)
    }

    @Test func decibelsAreFactors() throws {
        let movie = try MusicStage(tone).play(["volume": "-6dB"])
        #expect(abs(SyntheticSound.level(movie, from: 0.1, to: 3.9) + 21.05) < 0.05)
    }

    @Test func startAndSourceStartAreExactToTheSample() throws {
        let ramp = SyntheticSound.ramp(count: 200_000)
        let movie = try MusicStage(ramp).play(["volume": 1, "start": 1, "sourceStart": 0.5, "loop": false])
        #expect(movie.channels[0][..<48_000].allSatisfy { $0 == 0 })
        #expect(Array(movie.channels[0][48_000..<190_000]) == Array(ramp.channels[0][24_000..<166_000]))
    }

    @Test func aTimeRangeStartsTheMusic() throws {
        let ramp = SyntheticSound.ramp(count: 200_000)
        let movie = try MusicStage(ramp).play(["volume": 1, "timeRange": ["start": 0.5, "duration": 1]])
        #expect(movie.channels[0][..<24_000].allSatisfy { $0 == 0 })
        #expect(Array(movie.channels[0][24_000..<72_000]) == Array(ramp.channels[0][..<48_000]))
        #expect(movie.channels[0][72_000...].allSatisfy { $0 == 0 })
    }

    @Test func startLiesWithinTheTimeRange() throws {
        let ramp = SyntheticSound.ramp(count: 200_000)
        let movie = try MusicStage(ramp).play(["volume": 1, "start": 1, "timeRange": ["start": 0.5, "duration": 1]])
        #expect(movie.channels[0][..<48_000].allSatisfy { $0 == 0 })
        #expect(Array(movie.channels[0][48_000..<72_000]) == Array(ramp.channels[0][..<24_000]))
        #expect(movie.channels[0][72_000...].allSatisfy { $0 == 0 })
    }

    /// Two pieces that meet at 2.904 s make the whole again, down to the last sample before the closing fade.
    @Test func piecesJoinWithoutASeam() throws {
        let movie = try MusicStage(tone).play(
            ["volume": 1, "loop": false, "timeRange": ["start": 0, "duration": 2.904]],
            ["volume": 1, "loop": false, "start": 2.904, "sourceStart": 2.904])
        #expect(Array(movie.channels[0][..<191_520]) == Array(tone.channels[0][..<191_520]))
    }

    @Test func musicThatDoesNotLoopEnds() throws {
        let music = SyntheticSound.ramp(count: 48_000)
        let movie = try MusicStage(music).play(["volume": 1, "loop": false])
        #expect(Array(movie.channels[0][..<48_000]) == music.channels[0])
        #expect(movie.channels[0][48_000...].allSatisfy { $0 == 0 })
    }

    @Test func theMoviesEndDoesNotClick() throws {
        let music = AudioBuffer(channels: [[Float]](repeating: Array(repeating: 1, count: 240_000), count: 2))
        let soft = try MusicStage(music).play(["volume": 1])
        #expect(soft.channels[0][191_519] == 1)
        #expect(abs(soft.channels[0][191_760] - 0.5) < 1e-6)
        #expect(soft.channels[0][191_999] < 0.003)
        let hard = try MusicStage(music).play(["volume": 1, "fadeOut": 0])
        #expect(hard.channels[0][191_999] == 1)
    }

    @Test(arguments: ["linear", "equalPower"])
    func fadesLieAtBothEndsOfTheTimeRange(curve: String) throws {
        let music = AudioBuffer(channels: [[Float]](repeating: Array(repeating: 1, count: 240_000), count: 2))
        let movie = try MusicStage(music).play([
            "volume": 1, "timeRange": ["start": 0.5, "duration": 3], "fadeIn": 1, "fadeOut": 0.5,
            "fadeCurve": .string(curve),
        ])
        func gain(_ fraction: Double) -> Double { curve == "linear" ? fraction : sin(fraction * .pi / 2) }
        for (time, wanted) in [
            (0.4999, 0), (0.5, 0), (0.75, gain(0.25)), (1.0, gain(0.5)), (1.5, 1), (3.0, 1), (3.125, gain(0.75)),
            (3.4, gain(0.2)), (3.5, 0),
        ] {
            #expect(abs(Double(movie.channels[0][Int(time * 48_000)]) - wanted) < 1e-4, "at \(time)")
        }
    }

    @Test func aFadeOutEndsWhereTheMusicEnds() throws {
        let music = AudioBuffer(channels: [[Float]](repeating: Array(repeating: 1, count: 48_000), count: 2))
        let movie = try MusicStage(music).play(["volume": 1, "loop": 2, "fadeOut": 1])
        #expect(movie.channels[0][47_999] == 1)
        #expect(abs(movie.channels[0][72_000] - 0.5) < 1e-4)
        #expect(movie.channels[0][96_000...].allSatisfy { $0 == 0 })
    }

    @Test func keyframesMoveTheVolume() throws {
        let music = AudioBuffer(channels: [[Float]](repeating: Array(repeating: 0.5, count: 240_000), count: 2))
        let movie = try MusicStage(music).play([
            "volume": [
                ["time": 1, "value": 0], ["time": 2, "value": 1, "easing": "easeInOut"], ["time": 3, "value": "-6dB"],
            ], "fadeOut": 0,
        ])
        let samples = movie.channels[0].map { Double($0) * 2 }
        for (time, wanted) in [
            (0.5, 0), (1.25, 0.25), (1.9, 0.9), (2, 1), (2.25, 1 - 0.125 * 0.498813), (2.5, 1 - 0.5 * 0.498813),
            (3.5, 0.501187),
        ] {
            #expect(abs(samples[Int(time * 48_000)] - wanted) < 1e-4, "at \(time)")
        }
        let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
        #expect(steps.max()! < 1.01 / 48_000)
    }

    @Test func reachesTheLoudnessTarget() throws {
        let movie = try MusicStage(SyntheticSound.tone(1000, amplitude: 0.02, seconds: 3), duration: 3).play([
            "volume": 1, "loudness": -20, "loop": false,
        ])
        var loudness = IntegratedLoudness()
        loudness.add(movie)
        #expect(abs(try #require(loudness.value) + 20) < 0.1)
    }

    @Test func silentMusicHasNoLoudness() throws {
        let findings = FindingBox()
        let stage = MusicStage(AudioBuffer(sampleCount: 48_000))
        _ = try stage.make(["loudness": -20]) { findings.add($0) }
        #expect(findings.all.map(\.code) == ["music.loudness"])
        #expect(findings.all.first?.message.contains("m.wav") == true)
    }

    @Test func musicAfterTheEndIsWarnedOf() throws {
        let findings = FindingBox()
        _ = try MusicStage(tone).make(["start": 5]) { findings.add($0) }
        #expect(findings.all.map(\.code) == ["music.neverHeard"])
        #expect(findings.all.first?.message.contains("5 s") == true)
    }

    @Test func whatCannotBePlayedIsRefusedByName() throws {
        #expect(throws: EditorError.self) { try MusicStage(tone).make(["source": "nowhere.wav"]) }
        let late = #expect(throws: EditorError.self) { try MusicStage(tone).make(["sourceStart": 4]) }
        #expect(late?.message.contains("sourceStart 4") == true && late?.message.contains("m.wav") == true)
        let empty = #expect(throws: EditorError.self) { try MusicStage(AudioBuffer(sampleCount: 0)).make([:]) }
        #expect(empty?.message.contains("m.wav holds no sound") == true)
    }

    @Test(arguments: [[1], [480], [999, 1, 4800], [38_399, 1]])
    func blocksOfAnyLengthGiveTheSame(blocks: [Int]) throws {
        var under = AudioBuffer(sampleCount: 38_400)
        under.add(SyntheticSound.tone(1000, amplitude: 0.3, seconds: 0.2), at: 9_000)
        var stage = MusicStage(SyntheticSound.noise(amplitude: 0.5, count: 9_001), duration: 0.8)
        let config: JSONValue = [
            "volume": [["time": 0.2, "value": 0.3], ["time": 0.7, "value": 1.9, "easing": "easeOut"]], "start": 0.123,
            "fadeIn": 0.3, "fadeOut": 0.2, "fadeCurve": "equalPower", "duck": ["fadeIn": 200, "fadeOut": 60],
            "loopCrossfade": 0.02, "sourceStart": 0.01,
        ]
        let reference = try stage.play(config, over: under)
        stage.blocks = blocks
        #expect(try stage.play(config, over: under).channels == reference.channels)
    }
}

/// Findings that an effect reported.
final class FindingBox: Sendable {
    private let findings = Mutex<[Finding]>([])
    var all: [Finding] { findings.withLock { $0 } }
    func add(_ finding: Finding) { findings.withLock { $0.append(finding) } }
}
