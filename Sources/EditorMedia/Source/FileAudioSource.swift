internal import CFFmpeg
internal import EditorCore

/// The sound of one stream of a file as 48 kHz stereo, by position. Belongs to one thread.
///
/// Every decoded block stands where its timestamp says: a hole is silence, an overlap is cut. Encoder delay and padding
/// are left out. A jump gives the samples that reading on gives, as far as the container's clock tells single samples.
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
    /// Known once something was decoded.
    private var clock: SampleClock?
    /// Whether something was decoded since the beginning or the last jump.
    private var hasStarted = false
    /// What was decoded before this position came from a decoder that had not settled after a jump.
    private var settledFrom = Int.min
    /// Whether decoding began with the stream's first packet.
    private var isFromBeginning = true
    /// Packets before this tick are passed over.
    private var firstWantedTick = Int64.min
    /// Samples of the stream that are still to be left out after a jump, so that the resampler starts in step.
    private var skipped = 0
    private var samplesPerFrame = 0

    /// Steps between timestamps and samples up to this many samples are rounding of the container's clock.
    private static let slack = 2_400
    /// Decoders need some sound before a seek target to settle.
    private static let preroll = 9_600
    /// Containers in which libav goes to the exact packet. The others estimate, and are read from their beginning.
    private static let exactContainers = [
        "mov,", "flac", "wav", "matroska,", "w64", "aiff", "caf", "mpegts", "avi",
    ]

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
        FFmpegLog.forget()
        do {
            try move(to: position)
            while !ended, available < position + count || isInPadding { try decodeMore() }
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the sound of \(path) could not be decoded: \(error)")
        }
        let available = available
        let known = (bufferStart..<available).clamped(to: position..<position + count)
        for channel in output.channels.indices {
            output.channels[channel].withUnsafeMutableBufferPointer { samples in
                samples.update(repeating: 0)
                buffer.channels[min(channel, 1)].withUnsafeBufferPointer { decoded in
                    for place in known { samples[place - position] = decoded[place - bufferStart] }
                }
            }
        }
        discard(before: position + count)
        return ended ? max(0, min(count, available - position)) : count
    }

    /// Where the decoded sound ends.
    private var available: Int { bufferStart + buffer.sampleCount }

    // MARK: Jumping

    /// Makes sure that reading on reaches `position`, by a seek when it lies behind or far ahead.
    private func move(to position: Int) throws {
        while clock == nil, !ended { try decodeMore() }
        let readable = max(bufferStart, settledFrom)
        let isBehind = position < readable && readable > (clock?.firstPlace ?? 0)
        if isBehind || (!ended && position > available + 10 * AudioFormat.sampleRate) {
            try jump(to: position)
        }
        discard(before: position)
    }

    private func discard(before position: Int) {
        let drop = min(buffer.sampleCount, position - bufferStart)
        // In large steps, so that the rest is not moved with every block.
        guard drop > 0, drop == buffer.sampleCount || drop > 48_000 else { return }
        for channel in buffer.channels.indices { buffer.channels[channel].removeFirst(drop) }
        bufferStart += drop
    }

    private func jump(to position: Int) throws {
        guard let clock, position - Self.preroll > clock.firstPlace else { return try restart(from: .min, position) }
        let base = demuxer.stream(index).pointee.time_base.rational
        let tick = clock.time(of: position - Self.preroll).ticksRoundedDown(
            per: Rational(base.denominator, base.numerator))
        let isExact = Self.exactContainers.contains { demuxer.formatName.hasPrefix($0) }
        guard isExact, demuxer.seek(stream: index, to: tick) else { return try restart(from: tick, position) }
        decoder.flush()
        forget(position)
        while !hasStarted, !ended { try decodeMore() }
        // It went too far, or nowhere.
        if bufferStart > position || !hasStarted { try restart(from: tick, position) }
    }

    /// Opens the file anew: the decoder then sees the encoder's delay again and leaves it out.
    private func restart(from tick: Int64, _ position: Int) throws {
        demuxer = try Demuxer(path: path)
        demuxer.readOnly(streams: [index])
        decoder = try Decoder(stream: demuxer.stream(index), path: path)
        forget(position)
        firstWantedTick = tick
        isFromBeginning = tick == .min
        if isFromBeginning { settledFrom = .min }
    }

    private func forget(_ position: Int) {
        resampler = nil
        buffer.clear(sampleCount: 0)
        bufferStart = position
        settledFrom = position
        hasStarted = false
        isFromBeginning = false
        firstWantedTick = .min
        skipped = 0
        inputEnded = false
        ended = false
    }

    // MARK: Decoding

    private func decodeMore() throws {
        switch try decoder.receive(into: frame) {
        case .frame: try append(frame)
        case .needsInput:
            if inputEnded {
                try finish()
            } else if demuxer.read(into: packet) {
                guard packet.streamIndex == index, packet.pts ?? packet.dts ?? .max >= firstWantedTick else { break }
                _ = try decoder.send(packet)
            } else {
                inputEnded = true
                _ = try decoder.send(nil)
            }
        case .end: try finish()
        }
    }

    private func finish() throws {
        try endResampling()
        if isInPadding, let end = clock?.end {
            for channel in buffer.channels.indices {
                buffer.channels[channel].removeLast(min(buffer.sampleCount(of: channel), available - end))
            }
        }
        ended = true
    }

    /// Whether more was decoded than the file says there is, by no more than an encoder's padding.
    private var isInPadding: Bool {
        guard let end = clock?.end else { return false }
        return available > end && available - end <= 4 * samplesPerFrame
    }

    private func endResampling() throws {
        try resampler?.convert(nil, appendingTo: &buffer)
        resampler = nil
    }

    private func append(_ frame: MediaFrame) throws {
        let (count, rate) = (Int(frame.pointer.pointee.nb_samples), Int(frame.pointer.pointee.sample_rate))
        guard count > 0, rate > 0 else { return }
        if let resampler, resampler.key != Resampler.key(of: frame) { try endResampling() }
        if let pts = frame.pts {
            let time = MediaTime(seconds: 1) * demuxer.stream(index).pointee.time_base.rational * Rational(pts)
            if clock == nil {
                var started = SampleClock(first: time, origin: origin ?? time, rate: rate)
                started.end = claimedLength(rate).map { started.firstPlace + $0 }
                clock = started
            }
            try align(to: time, rate)
        } else if !hasStarted {
            if clock == nil { clock = SampleClock(first: origin ?? .zero, origin: origin ?? .zero, rate: rate) }
            hasStarted = true
            bufferStart = clock!.firstPlace
        }
        samplesPerFrame = max(samplesPerFrame, count * AudioFormat.sampleRate / rate)
        let left = min(skipped, count)
        skipped -= left
        if resampler == nil { resampler = try Resampler(like: frame) }
        try resampler!.convert(frame, skipping: left, appendingTo: &buffer)
    }

    /// Makes the next sample stand at `time`.
    private func align(to time: MediaTime, _ rate: Int) throws {
        guard hasStarted else {
            hasStarted = true
            (bufferStart, skipped) = isFromBeginning ? (clock!.firstPlace, 0) : clock!.stepPlace(atOrAfter: time, rate)
            return
        }
        let place = clock!.place(of: time)
        let next = available + (resampler?.delay ?? 0)
        guard abs(place - next) > Self.slack else { return }
        try endResampling()
        let gap = place - available
        for channel in buffer.channels.indices {
            if gap > 0 {
                // A hole of hours is a broken timestamp, not silence to be stored.
                guard gap < 600 * AudioFormat.sampleRate else { return }
                buffer.channels[channel].append(contentsOf: repeatElement(0, count: gap))
            } else {
                buffer.channels[channel].removeLast(min(-gap, buffer.sampleCount(of: channel)))
            }
        }
    }

    /// How many samples at 48 kHz an MP4 file says there are, without its encoder's padding, which libav leaves in. The
    /// usual edit lists count milliseconds, and libav gives their length, so up to one of those may remain.
    private func claimedLength(_ rate: Int) -> Int? {
        guard demuxer.formatName.hasPrefix("mov,") else { return nil }
        // iTunes writes: flags, delay, padding, and the number of samples, in hexadecimal.
        if let fields = demuxer.tag("iTunSMPB")?.split(separator: " "), fields.count >= 4,
            let count = Int(fields[3], radix: 16), count > 0
        {
            return Int((Double(count) * Double(AudioFormat.sampleRate) / Double(rate)).rounded())
        }
        let stream = demuxer.stream(index).pointee
        guard stream.duration != editor_AV_NOPTS_VALUE, stream.duration > 0 else { return nil }
        return Int(
            (MediaTime(seconds: 1) * stream.time_base.rational * Rational(stream.duration)).ticksRounded(
                per: AudioFormat.rate))
    }
}

extension AudioBuffer {
    fileprivate func sampleCount(of channel: Int) -> Int { channels[channel].count }
}
