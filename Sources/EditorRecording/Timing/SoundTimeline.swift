package import EditorCapture
package import EditorCore

/// Microphone sound laid on the monotonic clock: what is read from it runs at 48 kHz of that clock, however fast the
/// microphone's own clock is. Belongs to one thread.
package final class SoundTimeline {
    package private(set) var clock: SampleClock
    private let rate: Int
    private let table: SincTable
    private var channels: [[Float]] = [[], []]
    /// Position of the first sample that is kept.
    private var base: Int64 = 0
    private var epoch = 0
    private var row = [Float](repeating: 0, count: 2 * SincTable.reach)

    private var start: MonotonicTime?
    private var outputCount = 0
    private var position = 0.0

    /// Seconds that are kept for readers that come late.
    private static let kept = 4
    /// The place that is read is led to where the clock says by at most this much of its speed: 0.2 %, three
    /// hundredths of a semitone.
    private static let steering = 0.002
    /// Beyond so many seconds it jumps.
    private static let leap = 0.05
    private static let blockSize = 480

    /// - Parameter rate: samples a second of the microphone.
    package init(rate: Int) {
        self.rate = rate
        clock = SampleClock(rate: rate)
        table = SincTable(cutoff: min(1, Double(AudioFormat.sampleRate) / Double(rate)))
    }

    package func append(_ block: MicrophoneBlock) {
        if block.epoch != epoch {
            // The device was started anew; what it missed is silence.
            epoch = block.epoch
            clock = SampleClock(rate: rate)
            for channel in channels.indices { channels[channel].removeAll(keepingCapacity: true) }
            base = block.position
        }
        clock.observe(count: block.capturedCount, at: block.readAt)
        if channels[0].isEmpty { base = block.position }
        for channel in channels.indices { channels[channel] += block.sound.channels[channel] }
        let surplus = channels[0].count - Self.kept * rate
        // Not at every block: moving the rest takes time.
        if surplus > rate {
            for channel in channels.indices { channels[channel].removeFirst(surplus) }
            base += Int64(surplus)
        }
    }

    private var end: Int64 { base + Int64(channels[0].count) }

    /// Whether the sound at a time is there or can be awaited.
    func reaches(_ time: MonotonicTime) -> Bool {
        guard !channels[0].isEmpty, let position = clock.position(at: time) else { return false }
        return position >= Double(base)
    }

    /// Reading begins with the sound of `time`.
    package func seek(to time: MonotonicTime) {
        start = time
        outputCount = 0
        position = clock.position(at: time) ?? 0
    }

    /// Samples that `read` could give now.
    package var readableCount: Int {
        guard start != nil, clock.isRunning else { return 0 }
        let left = Double(end) - Double(SincTable.reach) - position
        return max(0, Int(left / Double(rate) * Double(AudioFormat.sampleRate) * (1 - Self.steering)))
    }

    /// Fills `buffer` with the next `count` samples; silence where there are none.
    package func read(_ count: Int, into buffer: inout AudioBuffer) {
        buffer.clear(sampleCount: count)
        guard let start else { return }
        let step = Double(rate) / Double(AudioFormat.sampleRate)
        var done = 0
        while done < count {
            let size = min(Self.blockSize, count - done)
            let time = start + Double(outputCount) / Double(AudioFormat.sampleRate)
            var speed = step / (1 + clock.drift)
            if let target = clock.position(at: time) {
                let error = target - position
                if abs(error) > Self.leap * Double(rate) {
                    position = target
                } else {
                    // Half of what is left goes within half a second.
                    let correction = error / Double(rate) * 1.4
                    speed *= 1 + max(-Self.steering, min(Self.steering, correction))
                }
            }
            for index in done..<done + size {
                readSample(into: &buffer, at: index)
                position += speed
            }
            done += size
            outputCount += size
        }
    }

    private func readSample(into buffer: inout AudioBuffer, at index: Int) {
        let whole = position.rounded(.down)
        let first = Int64(whole) - Int64(SincTable.reach) + 1 - base
        let count = channels[0].count
        guard first > -Int64(2 * SincTable.reach), first < Int64(count) else { return }
        table.weights(at: position - whole, into: &row)
        for channel in channels.indices {
            var sum: Float = 0
            let offset = Int(first)
            let from = max(0, -offset)
            let to = min(row.count, count - offset)
            if from < to { for tap in from..<to { sum += row[tap] * channels[channel][offset + tap] } }
            buffer.channels[channel][index] = sum
        }
    }
}
