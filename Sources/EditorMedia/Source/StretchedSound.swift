internal import EditorCore

/// Sound played faster or slower at its own pitch: sample n sounds like what the source has at n × speed.
/// Belongs to one thread.
final class StretchedSound: AudioReading {
    private let source: any AudioReading
    private let speed: Rational
    private let filter: TempoFilter
    private var graph: FilterGraph
    private let frame: MediaFrame
    private var input = AudioBuffer(sampleCount: 0)
    /// The next sample of the source that the filter gets.
    private var inputPosition = 0
    /// Where the source ends, once it was reached.
    private var inputEnd: Int?
    /// Stretched sound that was not asked for yet; it starts at `bufferStart`.
    private var buffer = AudioBuffer(sampleCount: 0)
    private var bufferStart = 0
    /// Samples of the filter's output that are still to be left out.
    private var discarded = 0

    /// After a jump the filter runs for so many samples before the first that is given out.
    private static let preroll = 4_800
    private static let blockLength = 4_096

    /// - Throws: `FFmpegError` when libavfilter cannot make the filter.
    convenience init(_ source: any AudioReading, speed: Rational) throws {
        try self.init(source, speed: speed, filter: TempoFilter(speed: speed.doubleValue))
    }

    init(_ source: any AudioReading, speed: Rational, filter: TempoFilter) throws {
        self.source = source
        self.speed = speed
        self.filter = filter
        graph = try FilterGraph(sound: filter.chain)
        frame = try MediaFrame()
        begin(at: 0)
    }

    var sampleCount: Int? { (source.sampleCount ?? inputEnd).map(stretched) }

    /// The place in the output of a sample of the source.
    private func stretched(_ sample: Int) -> Int {
        Int((MediaTime(value: Int64(sample), timescale: 1) / speed).ticksRounded(per: .one))
    }

    func read(from position: Int, into output: inout AudioBuffer) throws -> Int {
        let count = output.sampleCount
        if position < bufferStart || position > available + 10 * AudioFormat.sampleRate {
            graph = try telling { try FilterGraph(sound: filter.chain) }
            begin(at: position)
        }
        while available < position + count {
            discard(before: position)
            try telling { try stretchMore() }
        }
        for channel in output.channels.indices {
            let samples = buffer.channels[min(channel, 1)]
            for i in 0..<count { output.channels[channel][i] = samples[position + i - bufferStart] }
        }
        discard(before: position + count)
        return sampleCount.map { max(0, min(count, $0 - position)) } ?? count
    }

    private func telling<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "sound could not be played at another speed: \(error)")
        }
    }

    private var available: Int { bufferStart + buffer.sampleCount }

    private func begin(at position: Int) {
        let start = MediaTime(value: Int64(position - Self.preroll), timescale: 1) * speed
        inputPosition = Int(start.ticksRounded(per: .one)) - filter.lead
        discarded = Self.preroll + filter.discarded
        buffer.clear(sampleCount: 0)
        bufferStart = position
    }

    private func discard(before position: Int) {
        let drop = min(buffer.sampleCount, position - bufferStart)
        guard drop > 0, drop == buffer.sampleCount || drop > 48_000 else { return }
        for channel in buffer.channels.indices { buffer.channels[channel].removeFirst(drop) }
        bufferStart += drop
    }

    private func stretchMore() throws {
        input.clear(sampleCount: Self.blockLength)
        let count = try source.read(from: inputPosition, into: &input)
        if count < Self.blockLength, inputEnd == nil { inputEnd = inputPosition + count }
        inputPosition += Self.blockLength
        try frame.copySamples(of: input)
        try graph.push(frame)
        while try graph.pull(into: frame) {
            frame.appendSamples(to: &buffer)
            let drop = min(discarded, buffer.sampleCount)
            guard drop > 0 else { continue }
            for channel in buffer.channels.indices { buffer.channels[channel].removeFirst(drop) }
            discarded -= drop
        }
    }
}
