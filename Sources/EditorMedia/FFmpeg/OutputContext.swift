internal import CFFmpeg
internal import EditorCore

/// A container that is being written; owns its AVFormatContext and the file. Belongs to one thread.
final class OutputContext {
    /// One of its streams.
    struct Stream {
        fileprivate let index: Int32
        /// Ticks of the packets that are written to it.
        let timeBase: AVRational

        /// The same for packets with other ticks.
        func counting(in timeBase: AVRational) -> Stream { Stream(index: index, timeBase: timeBase) }
    }

    enum Order {
        /// Packets of the streams may come in any order; libav holds them back to put them in theirs.
        case interleaved
        /// Packets are written as they come.
        case asGiven
    }

    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let packet: Packet
    private let address: String

    /// - Parameter format: libav's name of the container.
    init(format: String, path: String) throws {
        packet = try Packet()
        address = "file:" + path
        try check(avformat_alloc_output_context2(&context, nil, format, address), "avformat_alloc_output_context2")
    }

    // Runs also when `init` throws, as all properties are set by then.
    deinit { close() }

    /// Whether dates and version numbers are left out, so that equal movies are equal files. Before the header.
    var isReproducible = false {
        didSet {
            if isReproducible { context?.pointee.flags |= AVFMT_FLAG_BITEXACT }
        }
    }

    // MARK: Streams

    /// A stream of what `encoder` makes.
    func addStream(_ encoder: Encoder) throws -> Stream {
        try addStream(timeBase: encoder.context.pointee.time_base) { stream in
            try encoder.copyParameters(to: stream.pointee.codecpar)
            stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
            stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
            stream.pointee.codecpar.pointee.codec_tag = 0
        }
    }

    /// - Parameter configure: fills in what the stream is.
    func addStream(timeBase: AVRational, configure: (UnsafeMutablePointer<AVStream>) throws -> Void) throws -> Stream {
        let stream = try checkAllocated(avformat_new_stream(context, nil), "avformat_new_stream")
        stream.pointee.time_base = timeBase
        try configure(stream)
        return Stream(index: stream.pointee.index, timeBase: timeBase)
    }

    // MARK: Writing

    /// Creates the file.
    /// - Parameter name: what the user calls it.
    /// - Throws: `EditorError` `.cannotCreateOutput`.
    func createFile(calling name: String) throws {
        guard let context else { return }
        let opened = avio_open2(&context.pointee.pb, address, AVIO_FLAG_WRITE, nil, nil)
        guard opened >= 0 else {
            let reason = FFmpegError(code: opened, function: "", lastLogLine: nil).reason
            throw EditorError(.cannotCreateOutput, "\(name) cannot be created: \(reason)")
        }
    }

    /// - Parameter options: the container's options.
    func writeHeader(_ options: [(String, String)]) throws {
        let dictionary = OptionDictionary(options)
        try check(avformat_write_header(context, &dictionary.pointer), "avformat_write_header")
    }

    func write(_ encoded: EncodedPacket, to stream: Stream, _ order: Order) throws {
        guard let context else { return }
        try packet.setData(encoded.data)
        packet.pointer.pointee.pts = encoded.pts
        packet.pointer.pointee.dts = encoded.dts
        packet.pointer.pointee.duration = encoded.duration
        packet.pointer.pointee.flags = encoded.isKey ? AV_PKT_FLAG_KEY : 0
        packet.pointer.pointee.stream_index = stream.index
        // Writing the header may have changed the container's ticks.
        let ticks = context.pointee.streams[Int(stream.index)]!.pointee.time_base
        av_packet_rescale_ts(packet.pointer, stream.timeBase, ticks)
        switch order {
        case .interleaved:
            try check(av_interleaved_write_frame(context, packet.pointer), "av_interleaved_write_frame")
        case .asGiven: try check(av_write_frame(context, packet.pointer), "av_write_frame")
        }
        try check(context.pointee.pb.pointee.error, "avio_write")
    }

    /// Has the container write what it holds back; a fragmented movie closes its fragment.
    func writeHeldBack() throws { try check(av_write_frame(context, nil), "av_write_frame") }

    /// Hands everything over to the system.
    /// - Returns: bytes of the file so far.
    @discardableResult func flush() throws -> Int64 {
        guard let context else { return 0 }
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error, "avio_flush")
        return avio_seek(context.pointee.pb, 0, SEEK_CUR)
    }

    /// Writes what stands at the end, and closes the file.
    func finish() throws {
        guard let context else { return }
        try check(av_write_trailer(context), "av_write_trailer")
        try flush()
        try check(avio_closep(&context.pointee.pb), "avio_close")
    }

    /// Closes the file as it is and frees everything.
    func close() {
        guard context != nil else { return }
        if context!.pointee.pb != nil { avio_closep(&context!.pointee.pb) }
        avformat_free_context(context)
        context = nil
    }
}
