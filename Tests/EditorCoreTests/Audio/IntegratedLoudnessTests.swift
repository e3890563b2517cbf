import EditorCore
import EditorTestSupport
import Testing

@Suite struct IntegratedLoudnessTests {
    private func measure(_ sound: AudioBuffer) -> Double? {
        var loudness = IntegratedLoudness()
        loudness.add(sound)
        return loudness.value
    }

    /// BS.1770-4: a 997 Hz tone of full scale in one channel reads -3.01 LUFS, in both 0.
    @Test func theReferenceTone() throws {
        var tone = SyntheticSound.tone(997, amplitude: 1, seconds: 2)
        #expect(abs(try #require(measure(tone))) < 0.02)
        tone.channels[1] = Array(repeating: 0, count: tone.sampleCount)
        #expect(abs(try #require(measure(tone)) + 3.01) < 0.02)
    }

    @Test func agreesWithFFmpeg() throws {
        var sound = SyntheticSound.noise(amplitude: 0.4, count: 7 * 48_000)
        sound.add(SyntheticSound.tone(80, amplitude: 0.5, seconds: 3))
        // A quiet part for the relative gate, and silence for the absolute one.
        for channel in 0..<2 {
            for i in 4 * 48_000..<6 * 48_000 { sound.channels[channel][i] *= 0.02 }
            for i in 6 * 48_000..<7 * 48_000 { sound.channels[channel][i] = 0 }
        }
        let own = try #require(measure(sound))
        #expect(abs(own - (try FFmpegMeter.loudness(sound))) < 0.2)
    }

    @Test func silenceAndSnippetsHaveNone() {
        #expect(measure(AudioBuffer(sampleCount: 96_000)) == nil)
        #expect(measure(SyntheticSound.tone(1000, amplitude: 0.5, seconds: 0.39)) == nil)
        #expect(measure(SyntheticSound.tone(1000, amplitude: 0.0001, seconds: 2)) == nil)
    }

    @Test func blocksOfAnyLengthGiveTheSame() {
        let sound = SyntheticSound.noise(amplitude: 0.3, count: 100_000)
        var loudness = IntegratedLoudness()
        var position = 0
        for length in [1, 4799, 7000, 31_337, 56_863] {
            loudness.add(AudioBuffer(channels: sound.channels.map { Array($0[position..<position + length]) }))
            position += length
        }
        #expect(position == 100_000)
        #expect(loudness.value == measure(sound))
    }
}
