/// A block of planar float samples: channels × samples, full scale ±1, at 48 kHz unless said otherwise.
public struct AudioBuffer: Sendable {
    /// One array a channel, all of `sampleCount` elements. Left, right for stereo.
    public var channels: [[Float]]

    public init(channelCount: Int = AudioFormat.channelCount, sampleCount: Int) {
        channels = Array(repeating: Array(repeating: 0, count: sampleCount), count: channelCount)
    }

    public init(channels: [[Float]]) { self.channels = channels }

    public var sampleCount: Int { channels.first?.count ?? 0 }

    /// Makes every sample 0 and the block `count` samples long; keeps its memory.
    public mutating func clear(sampleCount count: Int) {
        for channel in channels.indices {
            channels[channel].removeAll(keepingCapacity: true)
            channels[channel].append(contentsOf: repeatElement(0, count: count))
        }
    }
}

/// The working sound: one clock for everything.
public enum AudioFormat {
    /// Samples a second.
    public static let sampleRate = 48_000
    public static let channelCount = 2
    package static let rate = Rational(Int64(sampleRate))
}

/// Sound that can be read from anywhere, as 48 kHz stereo.
///
/// A reader belongs to one thread. Reading on from where the last read ended is fast; jumping is allowed.
public protocol AudioReading: AnyObject {
    /// Samples in all; nil when that is known only after reading to the end.
    var sampleCount: Int? { get }

    /// Fills `buffer` (all its samples, both channels) with the sound from sample `position` on.
    /// Before the start and after the end there is silence.
    /// - Returns: the number of samples before the end of the sound; fewer than asked for only at the end.
    func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int
}
