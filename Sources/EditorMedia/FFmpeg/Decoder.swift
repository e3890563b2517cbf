internal import CFFmpeg
internal import EditorCore

/// A decoder of one stream. Belongs to one thread and decodes on it alone.
final class Decoder {
    enum Output {
        case frame
        /// Another packet is wanted.
        case needsInput
        case end
    }

    private let codecContext: CodecContext
    private var context: UnsafeMutablePointer<AVCodecContext> { codecContext.pointer }
    let name: String

    /// - Throws: `EditorError` `.unavailable` when no decoder is installed, `.invalidData` when it refuses the stream.
    init(stream: UnsafeMutablePointer<AVStream>, path: String) throws {
        let parameters = stream.pointee.codecpar!
        guard let codec = Self.codec(for: stream) else {
            let name = CodecCatalog.name(of: parameters.pointee.codec_id)
            throw EditorError(.unavailable, "\(path) needs a decoder for \(name), which this libavcodec does not have")
        }
        name = String(cString: codec.pointee.name)
        codecContext = try CodecContext(codec)
        do {
            try check(avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
            context.pointee.pkt_timebase = stream.pointee.time_base
            context.pointee.thread_count = 1
            try codecContext.open()
        } catch let error as FFmpegError {
            throw EditorError(.invalidData, "\(path) cannot be decoded: \(error.reason)")
        }
    }

    /// A decoder for pictures that stand in a file without a container.
    ///
    /// - Parameter isStrict: whether damage that could be passed over is an error.
    /// - Throws: `EditorError` `.unavailable` when no decoder is installed.
    convenience init(stills id: AVCodecID, isStrict: Bool, path: String) throws {
        try self.init(id, path: path) { if isStrict { $0.pointee.err_recognition = AV_EF_EXPLODE } }
    }

    /// A decoder for a stream that comes as it is made, without a container; each picture is given at once.
    ///
    /// - Throws: `EditorError` `.unavailable` when no decoder is installed.
    convenience init(live id: AVCodecID, path: String) throws {
        try self.init(id, path: path) { $0.pointee.flags |= Int32(AV_CODEC_FLAG_LOW_DELAY) }
    }

    private init(_ id: AVCodecID, path: String, configure: (UnsafeMutablePointer<AVCodecContext>) -> Void) throws {
        FFmpegLog.install()
        guard let codec = Self.find(id) else {
            let name = CodecCatalog.name(of: id)
            throw EditorError(.unavailable, "\(path) needs a decoder for \(name), which this libavcodec does not have")
        }
        name = String(cString: codec.pointee.name)
        codecContext = try CodecContext(codec)
        do {
            context.pointee.thread_count = 1
            configure(context)
            try codecContext.open()
        } catch let error as FFmpegError {
            throw EditorError(.unavailable, "\(path) cannot be decoded: \(error.reason)")
        }
    }

    /// The decoder that libavcodec prefers; nil when it has none.
    static func find(_ id: AVCodecID) -> UnsafePointer<AVCodec>? { avcodec_find_decoder(id) }

    /// libavcodec's own VP8 and VP9 decoders leave alpha out; libvpx gives it.
    private static func codec(for stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
        let id = stream.pointee.codecpar.pointee.codec_id
        if id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9, metadata(stream.pointee.metadata, "alpha_mode") == "1" {
            if let codec = avcodec_find_decoder_by_name(id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9") {
                return codec
            }
        }
        return find(id)
    }

    /// Whether pictures that no other picture is made from are passed over. Set between packets.
    var skipsDisposable = false {
        didSet {
            guard skipsDisposable != oldValue else { return }
            context.pointee.skip_frame = skipsDisposable ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        }
    }

    /// Whether passing over disposable pictures leaves the others as they are, bit for bit.
    var canSkipDisposable: Bool {
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(context.pointee.codec_id)
    }

    /// Hands a packet over, or nil at the end of the stream. A packet the decoder cannot use is skipped and makes the
    /// result false.
    func send(_ packet: Packet?) throws -> Bool {
        let result = avcodec_send_packet(context, packet?.pointer)
        if result >= 0 || result == editor_AVERROR_EOF { return true }
        if result == editor_AVERROR_ENOMEM { try check(result, "avcodec_send_packet") }
        FFmpegLog.forget()
        return false
    }

    /// Takes the next decoded frame. Damage inside the stream counts as wanting more input.
    func receive(into frame: MediaFrame) throws -> Output {
        let result = avcodec_receive_frame(context, frame.pointer)
        if result >= 0 { return .frame }
        if result == editor_AVERROR_EOF { return .end }
        if result == editor_AVERROR_ENOMEM { try check(result, "avcodec_receive_frame") }
        return .needsInput
    }

    /// Decodes the one picture that `packet` is.
    /// - Throws: `FFmpegError` when anything in it is damaged.
    func decode(whole packet: Packet, into frame: MediaFrame) throws {
        FFmpegLog.forget()
        try check(avcodec_send_packet(context, packet.pointer), "avcodec_send_packet")
        try check(avcodec_send_packet(context, nil), "avcodec_send_packet")
        try check(avcodec_receive_frame(context, frame.pointer), "avcodec_receive_frame")
    }

    /// Forgets everything, after a seek.
    func flush() { avcodec_flush_buffers(context) }
}
