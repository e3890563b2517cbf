internal import EditorCore

/// Sound through a filter that may change its tempo: sample n sounds like what the source has at n × speed.
/// Belongs to one thread.
final class StretchedSound: AudioReading {
    private let source: any AudioReading
    private let speed: Rational
    private let filter: VoiceFilter
    private var graph: FilterGraph
    private let frame: MediaFrame
    private var input = AudioBuffer(sampleCount: 0)
    /// The next sample of the source that the filter gets.
    private var inputPosition = 0
    /// Where the source ends, once it was reached.
    private var inputEnd: Int?
    private var ahead = ReadAhead()
    /// Samples of the filter's output that are still to be left out.
    private var discarded = 0

    /// After a jump the filter runs for so many samples before the first that is given out.
    private static let preroll = 4_800
    private static let blockLength = 4_096

    /// - Parameter speed: what the filter was made for.
    /// - Throws: `FFmpegError` when libavfilter cannot make the filter.
    init(_ source: any AudioReading, speed: Rational, filter: VoiceFilter) throws {
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
        if position < ahead.start || position > ahead.end + 10 * AudioFormat.sampleRate {
            graph = try telling { try FilterGraph(sound: filter.chain) }
            begin(at: position)
        }
        while ahead.end < position + count {
            ahead.discard(before: position)
            try telling { try stretchMore() }
        }
        ahead.copy(from: position, into: &output)
        ahead.discard(before: position + count)
        return sampleCount.map { max(0, min(count, $0 - position)) } ?? count
    }

    private func telling<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "sound could not be played at another speed or pitch: \(error)")
        }
    }

    private func begin(at position: Int) {
        let start = MediaTime(value: Int64(position - Self.preroll), timescale: 1) * speed
        inputPosition = Int(start.ticksRounded(per: .one)) - filter.lead
        discarded = Self.preroll + filter.discarded
        ahead.begin(at: position)
    }

    private func stretchMore() throws {
        input.clear(sampleCount: Self.blockLength)
        let count = try source.read(from: inputPosition, into: &input)
        if count < Self.blockLength, inputEnd == nil { inputEnd = inputPosition + count }
        inputPosition += Self.blockLength
        try frame.copySamples(of: input)
        try graph.push(frame)
        while try graph.pull(into: frame) {
            ahead.append { frame.appendSamples(to: &$0) }
            if discarded > 0 { discarded -= ahead.leaveOut(discarded) }
        }
    }
}
