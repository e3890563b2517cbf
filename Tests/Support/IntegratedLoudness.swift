public import EditorCore
internal import Glibc

/// Integrated loudness of a sound as ITU-R BS.1770-4 defines it: K-weighted, in blocks of 400 ms that overlap by three
/// quarters, gated at -70 LUFS and at 10 LU below the mean of what passes that gate. For mono or stereo at 48 kHz.
public struct IntegratedLoudness: Sendable {
    /// Blocks advance by 100 ms.
    private static let hop = AudioFormat.sampleRate / 10
    private static let hopsPerBlock = 4
    /// -0.691 dB makes a 997 Hz tone of -3.01 dBFS RMS in one channel read -3.01 LUFS.
    private static let offset = -0.691
    private static let absoluteGate = -70.0
    private static let relativeGate = -10.0

    private var left = KWeighting()
    private var right = KWeighting()
    private var energy = 0.0
    private var samplesInHop = 0
    /// Sum of both channels' weighted squares in each full hop.
    private var hops: [Double] = []

    public init() {}

    /// Takes the next samples of the sound.
    public mutating func add(_ buffer: AudioBuffer) {
        let channels = buffer.channels
        for i in 0..<buffer.sampleCount {
            let a = left.next(Double(channels[0][i]))
            let b = channels.count > 1 ? right.next(Double(channels[1][i])) : 0
            energy += a * a + b * b
            samplesInHop += 1
            if samplesInHop == Self.hop {
                hops.append(energy)
                (energy, samplesInHop) = (0, 0)
            }
        }
    }

    /// Loudness of all that was added, in LUFS; nil when no block of 400 ms is louder than -70 LUFS.
    public var value: Double? {
        guard hops.count >= Self.hopsPerBlock else { return nil }
        let length = Double(Self.hop * Self.hopsPerBlock)
        let blocks = (0...hops.count - Self.hopsPerBlock).map { first in
            hops[first..<first + Self.hopsPerBlock].reduce(0, +) / length
        }
        guard let ungated = Self.mean(of: blocks, above: Self.absoluteGate) else { return nil }
        let gate = max(Self.absoluteGate, Self.loudness(ungated) + Self.relativeGate)
        return Self.mean(of: blocks, above: gate).map(Self.loudness)
    }

    private static func loudness(_ power: Double) -> Double { offset + 10 * log10(power) }

    private static func mean(of blocks: [Double], above gate: Double) -> Double? {
        let loud = blocks.filter { $0 > 0 && loudness($0) > gate }
        return loud.isEmpty ? nil : loud.reduce(0, +) / Double(loud.count)
    }
}

/// The K-weighting of BS.1770-4 for one channel: the head's high shelf (table 1), then the high-pass (table 2).
private struct KWeighting {
    private var shelf = Biquad(
        b: (1.53512485958697, -2.69169618940638, 1.19839281085285), a: (-1.69065929318241, 0.73248077421585))
    private var highPass = Biquad(b: (1, -2, 1), a: (-1.99004745483398, 0.99007225036621))

    mutating func next(_ x: Double) -> Double { highPass.next(shelf.next(x)) }
}

/// A second-order filter in transposed direct form II.
private struct Biquad {
    let b: (Double, Double, Double)
    let a: (Double, Double)
    private var s1 = 0.0
    private var s2 = 0.0

    init(b: (Double, Double, Double), a: (Double, Double)) { (self.b, self.a) = (b, a) }

    mutating func next(_ x: Double) -> Double {
        let y = b.0 * x + s1
        s1 = b.1 * x - a.0 * y + s2
        s2 = b.2 * x - a.1 * y
        return y
    }
}

/// The loudness as computed here, and the largest sample in place of the true peak.
public final class PlainLoudnessMeter: LoudnessMeter {
    private var loudness = IntegratedLoudness()
    private var peak: Float = 0

    public init() {}

    public func add(_ buffer: AudioBuffer) {
        loudness.add(buffer)
        for channel in buffer.channels { for sample in channel { peak = max(peak, abs(sample)) } }
    }

    public func reading() -> LoudnessReading {
        LoudnessReading(integrated: loudness.value, truePeak: peak > 0 ? Decibels.level(Double(peak)) : nil)
    }
}
