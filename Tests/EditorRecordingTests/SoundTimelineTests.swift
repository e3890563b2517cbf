import EditorCapture
import EditorCore
import EditorRecording
import Foundation
import Testing

/// A microphone's clock, and its sound on ours.
@Suite struct SoundTimelineTests {
    /// A microphone that takes `rate` samples a second of a sine that is a function of true time, read in blocks of
    /// 10 ms by a thread that is up to 8 ms late.
    private struct Microphone {
        /// Samples in a true second.
        var rate: Double
        var nominal = 48_000
        var hertz = 440.0
        let zero = MonotonicTime(nanoseconds: 77_000_000_000)
        /// From `zero` to sample 0.
        var start = 0.123
        /// The sample that comes next.
        var position: Int64 = 0

        func value(at seconds: Double) -> Double { 0.5 * sin(2 * .pi * hertz * seconds) }

        mutating func run(untilSecond end: Double, into timeline: SoundTimeline) {
            var random = SystemRandomNumberGenerator()
            let size = 480
            while Double(position) < end * rate {
                var sound = AudioBuffer(sampleCount: size)
                for index in 0..<size {
                    let sample = Float(value(at: start + Double(position + Int64(index)) / rate))
                    sound.channels[0][index] = sample
                    sound.channels[1][index] = sample
                }
                let count = position + Int64(size)
                let late = Double.random(in: 0..<0.008, using: &random)
                timeline.append(
                    MicrophoneBlock(
                        sound: sound, position: position, epoch: 0, capturedCount: count,
                        readAt: zero + (start + Double(count) / rate + late)))
                position = count
            }
        }
    }

    /// What drifts apart is measured to within a few millionths.
    @Test(arguments: [-200e-6, 0, 100e-6]) func theDriftIsMeasured(drift: Double) {
        var microphone = Microphone(rate: 48_000 * (1 - drift))
        let timeline = SoundTimeline(rate: 48_000)
        microphone.run(untilSecond: 60, into: timeline)
        #expect(abs(timeline.clock.drift - drift) < 20e-6, "\(timeline.clock.drift)")
        // A second later than the last sample that it saw.
        let truth = microphone.zero + (microphone.start + 61)
        let told = timeline.clock.time(of: 61 * microphone.rate)
        #expect(told.map { abs($0 - truth) < 0.002 } ?? false)
    }

    /// Sound that was taken by a clock 200 millionths off is within a millisecond of the true time after a minute, and
    /// is the sine that it was.
    @Test(arguments: [48_000, 44_100]) func soundStaysInTime(nominal: Int) {
        var microphone = Microphone(rate: Double(nominal) * (1 + 200e-6), nominal: nominal)
        let timeline = SoundTimeline(rate: nominal)
        microphone.run(untilSecond: 2, into: timeline)
        let begin = microphone.zero + (microphone.start + 1)
        timeline.seek(to: begin)
        var block = AudioBuffer(sampleCount: 0)
        var count = 0
        var worst = 0.0
        for second in 2..<60 {
            microphone.run(untilSecond: Double(second + 1), into: timeline)
            while timeline.readableCount >= 4800 {
                timeline.read(4800, into: &block)
                // The phase of the block tells where its sound comes from.
                var (re, im) = (0.0, 0.0)
                for (index, sample) in block.channels[0].enumerated() {
                    let angle = 2 * .pi * microphone.hertz * Double(count + index) / 48_000
                    re += Double(sample) * cos(angle)
                    im += Double(sample) * sin(angle)
                }
                let expected = 2 * .pi * microphone.hertz * (microphone.start + 1)
                var phase = atan2(re, im) - expected
                phase -= (phase / (2 * .pi)).rounded() * 2 * .pi
                worst = max(worst, abs(phase) / (2 * .pi * microphone.hertz))
                #expect(abs((re * re + im * im).squareRoot() * 2 / 4800 - 0.5) < 0.005)
                count += 4800
            }
        }
        #expect(count > 56 * 48_000)
        #expect(worst < 0.001, "\(worst * 1000) ms")
    }

    /// Reading between samples adds little that was not there.
    @Test func theSineStaysClean() {
        var microphone = Microphone(rate: 48_000 * 1.0001, hertz: 5000)
        let timeline = SoundTimeline(rate: 48_000)
        microphone.run(untilSecond: 3, into: timeline)
        timeline.seek(to: microphone.zero + (microphone.start + 1.00001))
        var block = AudioBuffer(sampleCount: 0)
        timeline.read(9600, into: &block)
        let samples = block.channels[0].map(Double.init)
        let power = samples.reduce(0) { $0 + $1 * $1 }
        // The best sine of nearly that frequency takes nearly everything away.
        let least =
            stride(from: 4985.0, through: 5015, by: 0.25).map { hertz -> Double in
                var (re, im) = (0.0, 0.0)
                for (index, sample) in samples.enumerated() {
                    re += sample * cos(2 * .pi * hertz * Double(index) / 48_000)
                    im += sample * sin(2 * .pi * hertz * Double(index) / 48_000)
                }
                let scale = 2 / Double(samples.count)
                var rest = 0.0
                for (index, sample) in samples.enumerated() {
                    let angle = 2 * Double.pi * hertz * Double(index) / 48_000
                    let left = sample - scale * (re * cos(angle) + im * sin(angle))
                    rest += left * left
                }
                return rest
            }.min() ?? power
        #expect(10 * log10(least / power) < -40)
    }

    /// A sound without a clock's help: the same samples come out.
    @Test func equalClocksCopy() {
        let table = SincTable(cutoff: 1)
        var row = [Float](repeating: 0, count: 2 * SincTable.reach)
        table.weights(at: 0, into: &row)
        for (index, weight) in row.enumerated() { #expect(abs(weight - (index == SincTable.reach - 1 ? 1 : 0)) < 1e-6) }
    }
}
