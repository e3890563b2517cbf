internal import CFFmpeg
internal import EditorCore

/// Tells what packets of a stream are without decoding them; owns its AVCodecParserContext. Belongs to one thread.
final class StreamParser {
    struct Facts {
        /// Whether decoding can begin here.
        var isKey: Bool
        /// Whether it is shown before a picture that comes earlier in the stream.
        var isReordered: Bool
        var size: PixelSize
    }

    private let pointer: UnsafeMutablePointer<AVCodecParserContext>
    private let context: CodecContext

    /// - Throws: `EditorError` `.unavailable` when this libavcodec does not know the codec.
    init(_ id: AVCodecID) throws {
        let missing = EditorError(.unavailable, "this libavcodec has no decoder for \(CodecCatalog.name(of: id))")
        guard let codec = Decoder.find(id) else { throw missing }
        context = try CodecContext(codec)
        guard let pointer = av_parser_init(Int32(id.rawValue)) else { throw missing }
        self.pointer = pointer
        pointer.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    }

    deinit { av_parser_close(pointer) }

    /// - Parameter packet: one whole picture.
    func parse(_ packet: Packet) throws -> Facts {
        var (data, size): (UnsafeMutablePointer<UInt8>?, Int32) = (nil, 0)
        let none = editor_AV_NOPTS_VALUE
        let taken = av_parser_parse2(
            pointer, context.pointer, &data, &size, packet.pointer.pointee.data, packet.pointer.pointee.size, none,
            none,
            0)
        try check(taken, "av_parser_parse2")
        let parser = pointer.pointee
        return Facts(
            isKey: parser.key_frame == 1 && parser.pict_type == Int32(AV_PICTURE_TYPE_I.rawValue),
            isReordered: parser.pict_type == Int32(AV_PICTURE_TYPE_B.rawValue),
            size: PixelSize(width: Int(parser.width), height: Int(parser.height)))
    }
}
