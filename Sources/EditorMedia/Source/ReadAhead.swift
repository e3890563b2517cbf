internal import EditorCore

/// Sound that was made and not asked for yet, by position.
struct ReadAhead {
    private var buffer = AudioBuffer(sampleCount: 0)
    /// Position of its first sample.
    private(set) var start = 0

    /// Position behind its last sample.
    var end: Int { start + buffer.sampleCount }

    /// Forgets everything; what comes next stands at `position`.
    mutating func begin(at position: Int) {
        buffer.clear(sampleCount: 0)
        start = position
    }

    /// Lets `body` append samples to the sound.
    mutating func append(_ body: (inout AudioBuffer) throws -> Void) rethrows { try body(&buffer) }

    /// Takes samples out at the front; what follows moves up into their place.
    mutating func leaveOut(_ count: Int) -> Int {
        let drop = min(count, buffer.sampleCount)
        if drop > 0 {
            for channel in buffer.channels.indices { buffer.channels[channel].removeFirst(drop) }
        }
        return drop
    }

    /// Forgets what lies before a position, in large steps, so that the rest is not moved with every block.
    mutating func discard(before position: Int) {
        let drop = min(buffer.sampleCount, position - start)
        guard drop > 0, drop == buffer.sampleCount || drop > 48_000 else { return }
        for channel in buffer.channels.indices { buffer.channels[channel].removeFirst(drop) }
        start += drop
    }

    /// Fills `output` from `position` on, all of which must be there.
    func copy(from position: Int, into output: inout AudioBuffer) {
        let first = position - start
        for channel in output.channels.indices {
            let samples = buffer.channels[min(channel, buffer.channels.count - 1)]
            for i in 0..<output.sampleCount { output.channels[channel][i] = samples[first + i] }
        }
    }
}
