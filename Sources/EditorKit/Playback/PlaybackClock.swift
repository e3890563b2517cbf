public import EditorCore
internal import Synchronization

/// Takes sound as fast as a sound device would, and lets nobody hear it: for machines without one.
public final class SilentOutput: SoundOutput {
    private struct State {
        var queued = 0.0
        var since: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    public let latency = 0

    public init() {}

    public var queuedSamples: Int {
        state.withLock { state in
            Self.advance(&state)
            return Int(state.queued.rounded(.up))
        }
    }

    public func queue(_ buffer: AudioBuffer) {
        state.withLock { state in
            Self.advance(&state)
            state.queued += Double(buffer.sampleCount)
        }
    }

    public func clear() { state.withLock { $0.queued = 0 } }

    public func setPlaying(_ isPlaying: Bool) {
        state.withLock { state in
            Self.advance(&state)
            state.since = isPlaying ? ContinuousClock.now : nil
        }
    }

    private static func advance(_ state: inout State) {
        guard let since = state.since else { return }
        let now = ContinuousClock.now
        state.queued = max(0, state.queued - (now - since) / .seconds(1) * Double(AudioFormat.sampleRate))
        state.since = now
    }
}

/// What is heard now, from an output that takes sound in blocks.
struct PlaybackClock {
    /// The device's block, in samples: between two steps the clock goes on by at most so much.
    var latency = 0
    private var taken = Int.min
    private var since = ContinuousClock.now

    init() {}

    /// Seconds on the movie's clock.
    /// - Parameter position: the first sample that the output has not taken.
    mutating func seconds(at position: Int) -> Double {
        let now = ContinuousClock.now
        if position != taken { (taken, since) = (position, now) }
        let elapsed = (now - since) / .seconds(1) * Double(AudioFormat.sampleRate)
        return (Double(position - latency) + min(elapsed, Double(max(latency, 1)))) / Double(AudioFormat.sampleRate)
    }
}

/// How well pictures kept up with the sound.
public struct PlaybackStatistics: Sendable {
    /// Pictures shown while playing.
    public private(set) var shown = 0
    /// Frames left out to keep up.
    public internal(set) var dropped = 0
    /// Differences in milliseconds between the clock when a picture was shown and its time, by whole milliseconds.
    private var histogram = [Int](repeating: 0, count: 1_000)
    private var sum = 0.0
    /// The largest one.
    public private(set) var largest = 0.0

    init() {}

    mutating func add(milliseconds: Double) {
        shown += 1
        sum += abs(milliseconds)
        largest = max(largest, abs(milliseconds))
        histogram[min(histogram.count - 1, Int(abs(milliseconds)))] += 1
    }

    /// Mean difference in milliseconds.
    public var mean: Double { shown == 0 ? 0 : sum / Double(shown) }

    /// So many milliseconds a share of the differences, such as 0.95, does not exceed.
    public func quantile(_ share: Double) -> Double {
        var count = 0
        for (milliseconds, pictures) in histogram.enumerated() {
            count += pictures
            if Double(count) >= share * Double(shown) { return Double(milliseconds + 1) }
        }
        return largest
    }
}
