import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct TruePeakLimiterTests {
    /// Runs a sound through the limiter in blocks of the given lengths, again and again; the delay taken off.
    private func limit(_ sound: AudioBuffer, blocks: [Int] = [1024]) -> AudioBuffer {
        let limiter = TruePeakLimiter(channelCount: sound.channels.count)
        var position = 0
        var result = AudioBuffer(channelCount: sound.channels.count, sampleCount: 0)
        var block = result
        for turn in 0... where position < sound.sampleCount + limiter.latency {
            block.clear(sampleCount: min(blocks[turn % blocks.count], sound.sampleCount + limiter.latency - position))
            copy(sound, from: position, into: &block)
            limiter.process(&block)
            for channel in result.channels.indices { result.channels[channel] += block.channels[channel] }
            position += block.sampleCount
            if position == sound.sampleCount + limiter.latency { break }
        }
        for channel in result.channels.indices { result.channels[channel].removeFirst(limiter.latency) }
        return result
    }

    private func copy(_ sound: AudioBuffer, from position: Int, into block: inout AudioBuffer) {
        for channel in block.channels.indices {
            for i in 0..<block.sampleCount where position + i < sound.sampleCount {
                block.channels[channel][i] = sound.channels[channel][position + i]
            }
        }
    }

    private func sum(_ a: AudioBuffer, _ b: AudioBuffer) -> AudioBuffer {
        var result = a
        result.add(b)
        return result
    }

    @Test func quietSoundPassesBitForBit() {
        let sound = SyntheticSound.noise(amplitude: 0.3, count: 20_000)
        #expect(limit(sound).channels == sound.channels)
    }

    @Test(arguments: [(997.0, 300.0), (5000, 4400), (60, 10_000), (15_000, 18_500)])
    func twoFullScaleTonesStayUnderTheCeiling(first: Double, second: Double) throws {
        let sound = sum(
            SyntheticSound.tone(first, amplitude: 1, seconds: 0.5, phase: 0.3),
            SyntheticSound.tone(second, amplitude: 1, seconds: 0.5))
        #expect(try FFmpegMeter.truePeak(sound) > 4)
        let peak = try FFmpegMeter.truePeak(limit(sound))
        #expect(peak < -0.9)
        #expect(peak > -1.6)
    }

    @Test func noiseAndClicksStayUnderTheCeiling() throws {
        var sound = SyntheticSound.noise(amplitude: 1.9, count: 30_000, seed: 7)
        for i in stride(from: 100, to: 30_000, by: 4_001) { sound.channels[0][i] = 30 }
        // Mean of neighbours: little is left beyond 20 kHz, as in music.
        for c in 0..<2 {
            sound.channels[c] = zip(sound.channels[c], sound.channels[c].dropFirst()).map { ($0 + $1) / 2 }
        }
        let limited = limit(sound)
        #expect(limited.channels.allSatisfy { $0.allSatisfy { abs($0) <= 0.8914 } })
        #expect(try FFmpegMeter.truePeak(limited) < -0.8)
    }

    /// Samples of a tone at a quarter of the rate, 45° off, lie 3 dB under its peak.
    @Test func findsThePeakBetweenTheSamples() throws {
        let tone = SyntheticSound.tone(12_000, amplitude: 1, seconds: 0.3, phase: .pi / 4)
        #expect(tone.channels[0].allSatisfy { abs($0) < 0.7072 })
        let limited = limit(tone)
        let amplitude = SyntheticSound.amplitude(limited, hertz: 12_000, from: 0.1, to: 0.2)
        #expect(abs(amplitude - 0.8913) < 0.005)
    }

    @Test(arguments: [60.0, 100, 300, 1000])
    func aSteadyToneKeepsItsShape(hertz: Double) {
        let limited = limit(SyntheticSound.tone(hertz, amplitude: 1.6, seconds: 1))
        #expect(abs(SyntheticSound.amplitude(limited, hertz: hertz, from: 0.5, to: 0.9) - 0.8913) < 0.003)
        for harmonic in 2...5 {
            let level = SyntheticSound.amplitude(limited, hertz: hertz * Double(harmonic), from: 0.5, to: 0.9)
            #expect(level < 0.001, "harmonic \(harmonic)")
        }
    }

    /// The acceptance case: 0.8 + 0.8 at 1000 and 300 Hz leaves hardly anything above 5 kHz.
    @Test func theSumOfTwoTonesIsNotDistorted() {
        let limited = limit(
            sum(
                SyntheticSound.tone(1000, amplitude: 0.8, seconds: 1),
                SyntheticSound.tone(300, amplitude: 0.8, seconds: 1)))
        let level = SyntheticSound.level(limited, from: 0.3, to: 0.7)
        #expect(level > -8 && level < -2)
        for hertz in stride(from: 1300.0, to: 12_000, by: 100) {
            #expect(SyntheticSound.amplitude(limited, hertz: hertz, from: 0.3, to: 0.7) < 0.005, "\(hertz) Hz")
        }
        #expect(SyntheticSound.amplitude(limited, hertz: 5200, from: 0.3, to: 0.7) < 0.0005)
    }

    @Test func bothChannelsGetOneGain() {
        var sound = SyntheticSound.tone(500, amplitude: 0.5, seconds: 0.4)
        sound.channels[0] = sound.channels[0].map { $0 * 4 }
        let limited = limit(sound)
        for i in stride(from: 1000, to: 19_000, by: 37) {
            #expect(abs(limited.channels[0][i] - 4 * limited.channels[1][i]) < 1e-5)
        }
    }

    @Test func comesBackAfterAPeak() {
        var sound = SyntheticSound.tone(1000, amplitude: 0.5, seconds: 3)
        for i in 24_000..<24_048 { for c in 0..<2 { sound.channels[c][i] *= 4 } }
        let limited = limit(sound)
        #expect(Array(limited.channels[0][..<23_000]) == Array(sound.channels[0][..<23_000]))
        // 2 / 0.891 is 7 dB down at the peak; e⁻¹ of the reduction is left 150 ms after the 10 ms of hold.
        let early = SyntheticSound.amplitude(limited, hertz: 1000, from: 0.502, to: 0.508) / 0.5
        let later = SyntheticSound.amplitude(limited, hertz: 1000, from: 0.655, to: 0.665) / 0.5
        #expect(abs(early - 0.446) < 0.02)
        #expect(abs(later - (1 - 0.554 / 2.718)) < 0.02)
        #expect(Array(limited.channels[0][130_000...]) == Array(sound.channels[0][130_000...]))
    }

    @Test(arguments: [[1], [7, 333, 1], [4096], [1023, 1025], [48_000]])
    func blocksOfAnyLengthGiveTheSame(blocks: [Int]) {
        var sound = SyntheticSound.noise(amplitude: 0.2, count: 12_000)
        sound.add(SyntheticSound.tone(333, amplitude: 1.4, seconds: 0.05), at: 3000)
        sound.add(SyntheticSound.tone(777, amplitude: 1.1, seconds: 0.02), at: 9000)
        #expect(limit(sound, blocks: blocks).channels == limit(sound).channels)
    }

    @Test func takesWhatIsNoNumberForSilence() {
        var sound = SyntheticSound.tone(400, amplitude: 0.5, seconds: 0.1)
        sound.channels[0][1000] = .nan
        sound.channels[1][1000] = .infinity
        sound.channels[0][2000] = -.greatestFiniteMagnitude
        let limited = limit(sound)
        var wanted = sound
        (wanted.channels[0][1000], wanted.channels[1][1000], wanted.channels[0][2000]) = (0, 0, 0)
        #expect(limited.channels == wanted.channels)
    }

    @Test func fillHidesTheDelay() {
        let sound = SyntheticSound.tone(300, amplitude: 1.2, seconds: 0.2)
        let limiter = TruePeakLimiter()
        var (position, result, block) = (0, AudioBuffer(sampleCount: 0), AudioBuffer(sampleCount: 0))
        while result.sampleCount < sound.sampleCount {
            block.clear(sampleCount: min(700, sound.sampleCount - result.sampleCount))
            limiter.fill(&block) { raw in
                raw.clear(sampleCount: raw.sampleCount)
                copy(sound, from: position, into: &raw)
                position += raw.sampleCount
            }
            for channel in 0..<2 { result.channels[channel] += block.channels[channel] }
        }
        #expect(result.channels == limit(sound).channels)
    }

    @Test func slidingMaximumIsThePlainOne() {
        let values = SyntheticSound.noise(amplitude: 1, count: 3000).channels[0].map { ($0 * 8).rounded() }
        var sliding = SlidingMaximum(length: 50)
        for i in values.indices {
            #expect(sliding.next(values[i]) == values[max(0, i - 49)...i].max())
        }
    }

    @Test(arguments: [1, 5, 64, 333])
    func theFastFilterIsThePlainOne(count: Int) {
        let taps = SyntheticSound.noise(amplitude: 1, count: 24, seed: 1).channels[0]
        let input = SyntheticSound.noise(amplitude: 100, count: count + 23, seed: 2).channels[0]
        var output = [Float](repeating: .nan, count: count)
        taps.withUnsafeBufferPointer { taps in
            input.withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer { FiniteFilter.apply(taps, to: input, into: $0) }
            }
        }
        for i in 0..<count {
            let plain = (0..<24).reduce(0.0) { $0 + Double(taps[$1]) * Double(input[i + $1]) }
            #expect(abs(Double(output[i]) - plain) < 1e-3)
        }
    }
}
