internal import CFFmpeg
internal import EditorCore

/// The sound of one stream of a file as 48 kHz stereo, by position. Belongs to one thread.
///
/// Every decoded block stands where its timestamp says: a hole is silence, an overlap is cut.
final class FileAudioSource: AudioReading {
    private let path: String
    private let index: Int
    /// What counts as position 0 on the file's own clock; nil: the first decoded sample.
    private let origin: MediaTime?

    private var demuxer: Demuxer
    private var decoder: Decoder
    private var resampler: Resampler?
    private let packet: Packet
    private let frame: MediaFrame
    /// Decoded sound that was not asked for yet; it starts at `bufferStart`.
    private var buffer = AudioBuffer(sampleCount: 0)
    private var bufferStart = 0
    private var inputEnded = false
    private var ended = false
    /// Where the first decoded sample of the stream stands, once known.
    private var firstTimestamp: MediaTime?
    private var hasStarted = false

    /// Steps between timestamps and samples up to this many samples are rounding of the container's clock.
    private static let slack = 2_400
    /// Decoders need some sound before a seek target to settle.
    private static let preroll = 9_600

    let sampleCount: Int? = nil

    /// - Throws: `EditorError` when the file cannot be opened or its sound cannot be decoded.
    init(path: String, stream index: Int, origin: MediaTime?) throws {
        self.path = path
        self.index = index
        self.origin = origin
        demuxer = try Demuxer(path: path)
        demuxer.readOnly(streams: [index])
        decoder = try Decoder(stream: demuxer.stream(index), path: path)
        packet = try Packet()
        frame = try MediaFrame()
    }

    func read(from position: Int, into output: inout AudioBuffer) throws -> Int {
        let count = output.sampleCount
        do {
            try move(to: position)
            while !ended, bufferStart + buffer.sampleCount < position + count { try decodeMore() }
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the sound of \(path) could not be decoded: \(error)")
        }
        let available = bufferStart + buffer.sampleCount
        for channel in output.channels.indices {
            let source = min(channel, 1)
            for i in 0..<count {
                let place = position + i - bufferStart
                output.channels[channel][i] = place >= 0 && place < buffer.sampleCount ? buffer.channels[source][place] : 0
            }
        }
        discard(before: position + count)
        return ended ? max(0, min(count, available - position)) : count
    }

    /// Makes sure that reading on reaches `position`, by a seek when it lies behind or far ahead.
    private func move(to position: Int) throws {
        let end = bufferStart + buffer.sampleCount
        if position < bufferStart, hasStarted, bufferStart > earliest {
            try seek(to: position)
        } else if !ended, position > end + 10 * AudioFormat.sampleRate {
            try seek(to: position)
        }
        discard(before: position)
    }

    /// Nothing lies before this position.
    private var earliest = Int.min
    /// Whether decoding began with the stream's first packet.
    private var isFromBeginning = true

    private func discard(before position: Int) {
        let drop = min(buffer.sampleCount, position - bufferStart)
        // In large steps, so that the rest is not moved with every block.
        guard drop > 0, drop == buffer.sampleCount || drop > 48_000 else { return }
        for channel in buffer.channels.indices { buffer.channels[channel].removeFirst(drop) }
        bufferStart += drop
    }

    private func seek(to position: Int) throws {
        let stream = demuxer.stream(index)
        let base = stream.pointee.time_base.rational
        let time = MediaTime(value: Int64(position - Self.preroll), timescale: Int64(AudioFormat.sampleRate)) + (origin ?? firstTimestamp ?? .zero)
        let tick = time.ticksRoundedDown(per: Rational(base.denominator, base.numerator))
        let isAtStart = position - Self.preroll <= 0
        isFromBeginning = isAtStart || !demuxer.seek(stream: index, to: tick)
        if isFromBeginning {
            // From a fresh start the decoder sees the encoder's delay again and leaves it out.
            demuxer = try Demuxer(path: path)
            demuxer.readOnly(streams: [index])
            decoder = try Decoder(stream: demuxer.stream(index), path: path)
        }
        decoder.flush()
        resampler = nil
        buffer.clear(sampleCount: 0)
        hasStarted = false
        inputEnded = false
        ended = false
    }

    private func decodeMore() throws {
        switch try decoder.receive(into: frame) {
        case .frame: try append(frame)
        case .needsInput:
            if inputEnded {
                try finish()
            } else if demuxer.read(into: packet) {
                if packet.streamIndex == index { _ = try decoder.send(packet) }
            } else {
                inputEnded = true
                _ = try decoder.send(nil)
            }
        case .end: try finish()
        }
    }

    private func finish() throws {
        if let resampler { _ = try resampler.convert(nil, appendingTo: &buffer) }
        resampler = nil
        ended = true
    }

    private func append(_ frame: MediaFrame) throws {
        guard frame.pointer.pointee.nb_samples > 0, frame.pointer.pointee.sample_rate > 0 else { return }
        if let resampler, resampler.key != Resampler.key(of: frame) {
            _ = try resampler.convert(nil, appendingTo: &buffer)
            self.resampler = nil
        }
        if let pts = frame.pts {
            let base = demuxer.stream(index).pointee.time_base.rational
            let time = MediaTime(seconds: 1) * base * Rational(pts)
            if firstTimestamp == nil { firstTimestamp = time }
            let place = Int((time - (origin ?? firstTimestamp!)).ticksRounded(per: AudioFormat.rate))
            try align(to: place)
        } else if !hasStarted {
            hasStarted = true
            bufferStart = 0
        }
        if resampler == nil { resampler = try Resampler(like: frame) }
        _ = try resampler!.convert(frame, appendingTo: &buffer)
    }

    /// Makes the next sample stand at `place`.
    private func align(to place: Int) throws {
        guard hasStarted else {
            hasStarted = true
            bufferStart = place
            if isFromBeginning { earliest = place }
            return
        }
        let next = bufferStart + buffer.sampleCount + (resampler?.delay ?? 0)
        guard abs(place - next) > Self.slack else { return }
        if let resampler { _ = try resampler.convert(nil, appendingTo: &buffer) }
        resampler = nil
        let gap = place - (bufferStart + buffer.sampleCount)
        for channel in buffer.channels.indices {
            if gap > 0 {
                // A hole of hours is a broken timestamp, not silence to be stored.
                guard gap < 600 * AudioFormat.sampleRate else { return }
                buffer.channels[channel].append(contentsOf: repeatElement(0, count: gap))
            } else {
                buffer.channels[channel].removeLast(min(-gap, buffer.channels[channel].count))
            }
        }
    }
}
