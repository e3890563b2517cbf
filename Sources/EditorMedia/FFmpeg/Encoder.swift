internal import CFFmpeg
internal import EditorCore

/// An open encoder that turns frames into packets. Belongs to one thread. The number of threads inside is fixed, so that
/// equal frames give equal bytes.
final class Encoder {
    private let codecContext: CodecContext
    var context: UnsafeMutablePointer<AVCodecContext> { codecContext.pointer }
    private let packet: Packet
    private var packets = PacketLog()

    /// - Parameters:
    ///   - threads: how many the encoder works with.
    ///   - configure: sets the context's fields before it is opened.
    ///   - options: private options; one that the encoder does not know is an error.
    init(
        _ codec: UnsafePointer<AVCodec>, options: [(String, String)], threads: Int = 1,
        configure: (UnsafeMutablePointer<AVCodecContext>) throws -> Void
    ) throws {
        packet = try Packet()
        codecContext = try CodecContext(codec)
        do {
            context.pointee.thread_count = Int32(threads)
            try configure(context)
            let dictionary = OptionDictionary(options)
            try codecContext.open(dictionary)
            if let refused = FFmpegLog.refusedOption {
                throw EditorError([
                    Finding(
                        .error, code: "export.option", at: JSONPointer(["export", "options"]),
                        "the encoder \(String(cString: codec.pointee.name)) does not take an option: \(refused)")
                ])!
            }
            if let unknown = dictionary.leftKeys.first {
                throw EditorError([
                    Finding(
                        .error, code: "export.option", at: JSONPointer(["export", "options", unknown]),
                        "the encoder \(String(cString: codec.pointee.name)) has no option \"\(unknown)\"")
                ])!
            }
        } catch let error as FFmpegError {
            throw EditorError(
                [
                    Finding(
                        .error, code: "export.encoder", at: JSONPointer(["export"]),
                        "the encoder \(String(cString: codec.pointee.name)) refuses these settings: \(error.reason)")
                ])!
        }
    }

    /// Hands a frame over (nil ends the stream) and collects what comes out.
    func send(_ frame: MediaFrame?) throws {
        try check(avcodec_send_frame(context, frame?.pointer), "avcodec_send_frame")
        while true {
            let result = avcodec_receive_packet(context, packet.pointer)
            if result == editor_AVERROR_EAGAIN || result == editor_AVERROR_EOF { return }
            try check(result, "avcodec_receive_packet")
            if context.pointee.extradata == nil, let header = packet.newHeader { try setHeader(header) }
            packets.append(packet)
        }
    }

    /// Hands over the packets that were collected so far.
    func takePackets() -> [EncodedPacket] { packets.take() }

    /// What decoders must know before the first packet.
    var parameterSets: [UInt8] {
        guard let data = context.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(context.pointee.extradata_size)))
    }

    private func setHeader(_ header: [UInt8]) throws {
        context.pointee.extradata = try paddedCopy(of: header)
        context.pointee.extradata_size = Int32(header.count)
    }

    /// What a muxer has to know of the stream.
    func copyParameters(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
        try check(avcodec_parameters_from_context(parameters, context), "avcodec_parameters_from_context")
    }
}
