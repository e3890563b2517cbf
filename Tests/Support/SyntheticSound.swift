public import EditorCore
internal import Foundation

/// Sounds with known samples for tests: stereo at 48 kHz, both channels alike.
public enum SyntheticSound {
    /// A sine tone.
    public static func tone(_ hertz: Double, amplitude: Double, seconds: Double, phase: Double = 0) -> AudioBuffer {
        let count = Int((seconds * Double(AudioFormat.sampleRate)).rounded())
        let samples = (0..<count).map { i in
            Float(amplitude * sin(2 * .pi * hertz * Double(i) / Double(AudioFormat.sampleRate) + phase))
        }
        return AudioBuffer(channels: [samples, samples])
    }

    /// A sample for every sample: its number as a fraction, so that each can be told from all others.
    public static func ramp(count: Int) -> AudioBuffer {
        let samples = (0..<count).map { Float($0 + 1) / Float(1 << 20) }
        return AudioBuffer(channels: [samples, samples.map { -$0 }])
    }

    /// Reproducible white noise, different in each channel.
    public static func noise(amplitude: Double, count: Int, seed: UInt64 = 1) -> AudioBuffer {
        var random = SplitMix64(seed)
        return AudioBuffer(
            channels: (0..<2).map { _ in
                (0..<count).map { _ in Float(amplitude * (Double(random.next() >> 11) / Double(1 << 52) - 1)) }
            })
    }

    /// RMS of the first channel between two times, in dB; -200 for silence.
    public static func level(_ sound: AudioBuffer, from: Double, to: Double) -> Double {
        let rate = Double(AudioFormat.sampleRate)
        let samples = sound.channels[0][Int(from * rate)..<Int(to * rate)]
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return power > 1e-20 ? 10 * log10(power) : -200
    }

    /// Amplitude of one frequency in the first channel between two times, by the Goertzel sum.
    public static func amplitude(_ sound: AudioBuffer, hertz: Double, from: Double, to: Double) -> Double {
        let rate = Double(AudioFormat.sampleRate)
        let range = Int(from * rate)..<Int(to * rate)
        var (re, im) = (0.0, 0.0)
        for i in range {
            let angle = 2 * .pi * hertz * Double(i) / rate
            re += Double(sound.channels[0][i]) * cos(angle)
            im += Double(sound.channels[0][i]) * sin(angle)
        }
        return 2 * (re * re + im * im).squareRoot() / Double(range.count)
    }
}
