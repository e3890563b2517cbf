import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

/// libebur128 against the arithmetic of BS.1770 written out anew, and against the standard's own numbers.
@Suite struct LoudnessGaugeTests {
    private func read(_ sound: AudioBuffer, block: Int = 4096) throws -> LoudnessReading {
        let gauge = try LoudnessGauge()
        for first in stride(from: 0, to: sound.sampleCount, by: block) {
            let range = first..<min(first + block, sound.sampleCount)
            try gauge.add(AudioBuffer(channels: sound.channels.map { Array($0[range]) }))
        }
        return try gauge.reading()
    }

    /// A 997 Hz tone of full scale in one channel reads -3.01 LUFS, in both 0.
    @Test func theReferenceTone() throws {
        var tone = SyntheticSound.tone(997, amplitude: 1, seconds: 2)
        #expect(abs(try #require(try read(tone).integrated)) < 0.02)
        tone.channels[1] = Array(repeating: 0, count: tone.sampleCount)
        #expect(abs(try #require(try read(tone).integrated) + 3.01) < 0.02)
    }

    @Test func agreesWithTheArithmetic() throws {
        var sound = SyntheticSound.noise(amplitude: 0.4, count: 7 * 48_000)
        sound.add(SyntheticSound.tone(80, amplitude: 0.5, seconds: 3))
        for channel in 0..<2 {
            for i in 4 * 48_000..<6 * 48_000 { sound.channels[channel][i] *= 0.02 }
            for i in 6 * 48_000..<7 * 48_000 { sound.channels[channel][i] = 0 }
        }
        var plain = IntegratedLoudness()
        plain.add(sound)
        for block in [1000, 48_000] {
            #expect(abs(try #require(try read(sound, block: block).integrated) - plain.value!) < 0.02)
        }
    }

    /// A tone at a quarter of the rate whose samples all miss its crests by 45 degrees: the peak lies 3.01 dB above.
    @Test func seesPeaksBetweenTheSamples() throws {
        let tone = SyntheticSound.tone(12_000, amplitude: 0.5, seconds: 1, phase: .pi / 4)
        #expect(abs(try #require(try read(tone).truePeak) + 6.02) < 0.3)
        #expect(tone.channels[0].map(abs).max()! < 0.36)
    }

    @Test func silenceHasNeither() throws {
        #expect(try read(AudioBuffer(sampleCount: 96_000)) == LoudnessReading())
        let short = try read(SyntheticSound.tone(1000, amplitude: 0.5, seconds: 0.39))
        #expect(short.integrated == nil && short.truePeak != nil)
    }
}
