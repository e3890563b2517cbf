import EditorCore
import EditorTestSupport
import Foundation
import Testing

@Suite struct MusicDuckingTests {
    /// Constant music; what is left of the movie without the speech is the gain.
    private func gains(_ duck: JSONValue, speech: [ClosedRange<Double>], level: Double = 0.25, duration: Double = 6)
        throws
        -> [Double]
    {
        let count = Int(duration * 48_000)
        var under = AudioBuffer(sampleCount: count)
        for stretch in speech {
            let tone = SyntheticSound.tone(1000, amplitude: level, seconds: stretch.upperBound - stretch.lowerBound)
            under.add(tone, at: Int(stretch.lowerBound * 48_000))
        }
        let music = AudioBuffer(channels: [[Float]](repeating: Array(repeating: 1, count: count), count: 2))
        let movie = try MusicStage(music, duration: duration).play(
            ["volume": 1, "fadeOut": 0, "duck": duck], over: under)
        return zip(movie.channels[0], under.channels[0]).map { Double($0) - Double($1) }
    }

    private func decibels(_ gains: [Double], at seconds: Double) -> Double { 20 * log10(gains[Int(seconds * 48_000)]) }

    @Test func goesDownAndComesBackInTime() throws {
        let gains = try gains(true, speech: [2...4])
        #expect(abs(decibels(gains, at: 1.9)) < 0.01)
        #expect(abs(decibels(gains, at: 2.14) + 6) < 1.2)
        #expect(abs(decibels(gains, at: 2.3) + 12) < 0.01)
        #expect(abs(decibels(gains, at: 4.4) + 12) < 0.01)
        #expect(decibels(gains, at: 5) > -9 && decibels(gains, at: 5) < -3)
        #expect(abs(decibels(gains, at: 5.6)) < 0.01)
    }

    @Test func noZipperNoise() throws {
        let gains = try gains(true, speech: [2...4])
        let steps = zip(gains, gains.dropFirst()).map { abs($0 - $1) }
        // 12 dB in 250 ms are 0.00012 a sample at full level.
        #expect(steps.max()! < 0.00013)
    }

    @Test func gapsBetweenWordsDoNotPump() throws {
        let words = stride(from: 1.0, to: 6, by: 0.7).map { $0...($0 + 0.3) }
        let gains = try gains(true, speech: words)
        for time in stride(from: 1.35, to: 5.9, by: 0.05) { #expect(abs(decibels(gains, at: time) + 12) < 0.01) }
    }

    @Test func quietSoundDoesNotCount() throws {
        // 0.04 is -31 dBFS RMS, 0.05 is -29.
        #expect(try gains(true, speech: [1...3], level: 0.04, duration: 4).allSatisfy { abs($0 - 1) < 1e-6 })
        #expect(try gains(true, speech: [1...3], level: 0.05, duration: 4).min()! < 0.26)
    }

    @Test func theFourNumbersCount() throws {
        let gains = try gains(
            ["threshold": -50, "attenuation": -20, "fadeOut": 1000, "fadeIn": 600], speech: [1...3], level: 0.01)
        #expect(abs(decibels(gains, at: 1.51) + 10) < 0.5)
        #expect(abs(decibels(gains, at: 2.9) + 20) < 0.01)
        #expect(abs(decibels(gains, at: 3.18) + 20) < 0.01)
        #expect(abs(decibels(gains, at: 3.43) + 10) < 1)
        #expect(abs(decibels(gains, at: 3.66)) < 0.01)
    }

    @Test func falseLeavesTheMusicAlone() throws {
        #expect(try gains(false, speech: [1...3], level: 0.9, duration: 4).allSatisfy { abs($0 - 1) < 1e-6 })
    }

    /// The acceptance case, with tones: 300 Hz music under 1000 Hz speech from 2 to 4 s.
    @Test func theSpeechItselfKeepsItsLevel() throws {
        var under = AudioBuffer(sampleCount: 288_000)
        under.add(SyntheticSound.tone(1000, amplitude: 0.25, seconds: 2), at: 96_000)
        let movie = try MusicStage(SyntheticSound.tone(300, amplitude: 0.25, seconds: 6), duration: 6)
            .play(["volume": 1, "duck": true], over: under)
        func level(_ hertz: Double, _ from: Double, _ to: Double) -> Double {
            20 * log10(SyntheticSound.amplitude(movie, hertz: hertz, from: from, to: to)) - 3.01
        }
        #expect(abs(level(300, 0.3, 1.7) + 15.05) < 0.05)
        #expect(abs(level(300, 2.9, 3.9) + 27.05) < 0.05)
        #expect(level(300, 5.3, 5.9) > -16.5)
        #expect(abs(level(1000, 2.9, 3.9) + 15.05) < 0.05)
    }
}
