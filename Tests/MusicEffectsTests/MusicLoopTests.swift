import EditorCore
import EditorTestSupport
import Foundation
import MusicEffects
import Testing

@Suite struct MusicLoopTests {
    @Test func loopsWithoutAStep() throws {
        let music = SyntheticSound.tone(440, amplitude: 0.25, seconds: 1)
        let movie = try MusicStage(music, duration: 3.5).play(["volume": 1, "fadeOut": 0])
        #expect(abs(SyntheticSound.amplitude(movie, hertz: 440, from: 0.1, to: 3.4) - 0.25) < 1e-4)
        let steps = zip(movie.channels[0], movie.channels[0].dropFirst()).map { abs($0 - $1) }
        #expect(steps.max()! <= Float(0.25 * 2 * Double.pi * 440 / 48_000) + 1e-6)
    }

    /// Ten minutes of a loop of 3 s: every sample stands where the arithmetic says.
    @Test func doesNotDrift() throws {
        let ramp = SyntheticSound.ramp(count: 144_000)
        var stage = MusicStage(ramp, duration: 600)
        stage.blocks = [1600]
        let (effect, range) = try stage.make(["volume": 1])
        var block = AudioBuffer(sampleCount: 1600)
        for position in stride(from: 0, to: 598 * 48_000, by: 1600) {
            // A look at the start, then at every round's seam and at the end.
            guard
                position < 4800 || position % 144_000 < 3200 || position % 144_000 > 140_000 || position > 590 * 48_000
            else { continue }
            block.clear(sampleCount: 1600)
            let time = MediaTime(value: Int64(position), timescale: 48_000)
            try effect.process(&block, at: EffectTime(time: time, index: position, activeRange: range))
            let first = position % 144_000
            try #require(block.channels[0][0] == ramp.channels[0][first])
            try #require(block.channels[1][1599] == ramp.channels[1][(first + 1599) % 144_000])
        }
    }

    @Test func aCountIsKept() throws {
        let ramp = SyntheticSound.ramp(count: 10_000)
        let movie = try MusicStage(ramp, duration: 1).play(["volume": 1, "loop": 3])
        #expect(Array(movie.channels[0][..<30_000]) == ramp.channels[0] + ramp.channels[0] + ramp.channels[0])
        #expect(movie.channels[0][30_000...].allSatisfy { $0 == 0 })
    }

    @Test func eachRoundSkipsTheBeginning() throws {
        let ramp = SyntheticSound.ramp(count: 48_000)
        let movie = try MusicStage(ramp, duration: 2).play(["volume": 1, "sourceStart": 0.75])
        let round = Array(ramp.channels[0][36_000...])
        #expect(Array(movie.channels[0][..<36_000]) == round + round + round)
    }

    @Test func shorterThanABlockIsNoTrouble() throws {
        let ramp = SyntheticSound.ramp(count: 7)
        let movie = try MusicStage(ramp, duration: 0.5).play(["volume": 1])
        for i in 0..<23_000 { try #require(movie.channels[0][i] == ramp.channels[0][i % 7]) }
    }

    @Test(arguments: [nil, 52_000, 1_000_000])
    func theDecodedLengthCounts(claimed: Int?) throws {
        let ramp = SyntheticSound.ramp(count: 50_000)
        var members: [String: JSONValue] = ["source": "x", "volume": 1]
        for loop in [true, false, 2] as [JSONValue] {
            members["loop"] = loop
            var reading = ParameterReading()
            let parameters = try #require(MusicParameters.read(.object(members), at: JSONPointer(), into: &reading))
            let range = TimeRange(start: .zero, duration: MediaTime(seconds: 5))
            let context = EffectContext(
                canvas: PixelSize(width: 2, height: 2), frameRate: Rational(30), duration: range.end,
                activeRange: range,
                assets: OneSound {
                    if let claimed { BoastingAudio(ramp, claiming: claimed) } else { EndlessLookingAudio(ramp) }
                })
            let effect = try MusicEffect(parameters, context: context)
            var heard: [Float] = []
            for position in stride(from: 0, to: 144_000, by: 1000) {
                var block = AudioBuffer(sampleCount: 1000)
                let time = MediaTime(value: Int64(position), timescale: 48_000)
                try effect.process(&block, at: EffectTime(time: time, index: position, activeRange: range))
                heard += block.channels[0]
            }
            let rounds = loop == true ? 3 : loop == false ? 1 : 2
            let wanted = (0..<144_000).map { $0 < rounds * 50_000 ? ramp.channels[0][$0 % 50_000] : 0 }
            #expect(heard == wanted)
        }
    }

    @Test func jumpingAheadInASoundOfUnknownLength() throws {
        let ramp = SyntheticSound.ramp(count: 50_000)
        var reading = ParameterReading()
        let parameters = try #require(
            MusicParameters.read(["source": "x", "volume": 1], at: JSONPointer(), into: &reading))
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 60))
        let context = EffectContext(
            canvas: PixelSize(width: 2, height: 2), frameRate: Rational(30), duration: range.end, activeRange: range,
            assets: OneSound { EndlessLookingAudio(ramp) })
        let effect = try MusicEffect(parameters, context: context)
        var block = AudioBuffer(sampleCount: 500)
        let time = MediaTime(value: 1_001_234, timescale: 48_000)
        try effect.process(&block, at: EffectTime(time: time, index: 1_001_234, activeRange: range))
        #expect(block.channels[0] == Array(ramp.channels[0][1_234..<1_734]))
    }

    /// Crossing unlike sounds at equal power keeps the level through the seams.
    @Test func aCrossfadeKeepsThePower() throws {
        let noise = SyntheticSound.noise(amplitude: 0.5, count: 96_000)
        let movie = try MusicStage(noise, duration: 6).play(["volume": 1, "loopCrossfade": 0.5])
        let level = SyntheticSound.level(noise, from: 0, to: 2)
        for from in stride(from: 0.0, to: 5.9, by: 0.1) {
            #expect(abs(SyntheticSound.level(movie, from: from, to: from + 0.1) - level) < 0.6, "at \(from)")
        }
        // Outside of the crossings the rounds are plain; a round begins every 1.5 s.
        #expect(Array(movie.channels[0][..<72_000]) == Array(noise.channels[0][..<72_000]))
        #expect(Array(movie.channels[0][96_000..<144_000]) == Array(noise.channels[0][24_000..<72_000]))
        #expect(Array(movie.channels[0][168_000..<216_000]) == Array(noise.channels[0][24_000..<72_000]))
    }

    @Test func aCrossfadedLoopEndsWholly() throws {
        let noise = SyntheticSound.noise(amplitude: 0.5, count: 48_000)
        let movie = try MusicStage(noise, duration: 4).play(["volume": 1, "loop": 2, "loopCrossfade": 0.25])
        #expect(Array(movie.channels[0][48_000..<84_000]) == Array(noise.channels[0][12_000..<48_000]))
        #expect(movie.channels[0][84_000...].allSatisfy { $0 == 0 })
    }
}
