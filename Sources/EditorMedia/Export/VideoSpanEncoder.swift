internal import CFFmpeg
internal import EditorCore

/// Encodes one span with an encoder of its own, so that it depends on nothing before it.
final class VideoSpanEncoder: SpanEncoder {
    let encoder: Encoder
    private let conversion: String?
    private let reorderDelay: Int
    private var converter: FilterGraph?
    private var count: Int64 = 0

    init(_ settings: VideoSettings) throws {
        encoder = try settings.makeEncoder()
        conversion = settings.conversion
        reorderDelay = settings.reorderDelay
    }

    func encode(_ frame: VideoFrame) throws {
        do {
            let picture = try converted(try MediaFrame(lending: frame))
            picture.pointer.pointee.pts = count
            picture.pointer.pointee.pict_type = count == 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
            count += 1
            try encoder.send(picture)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the video encoder failed: \(error)")
        }
    }

    private func converted(_ picture: MediaFrame) throws -> MediaFrame {
        guard let conversion else { return picture }
        let graph = try converter ?? FilterGraph(conversion, like: picture, timeBase: encoder.context.pointee.time_base)
        converter = graph
        // Two pictures of one time would be taken for one.
        picture.pointer.pointee.pts = count
        try graph.push(picture)
        let output = try MediaFrame()
        guard try graph.pull(into: output) else {
            throw FFmpegError(code: editor_AVERROR_INVALIDDATA, function: "av_buffersink_get_frame", lastLogLine: nil)
        }
        return output
    }

    func finish() throws -> [EncodedPacket] {
        do {
            try encoder.send(nil)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the video encoder failed: \(error)")
        }
        // Decoding times on the frame grid, late pictures allowed for: neighbouring spans then join without a gap,
        // however short they are.
        let delay = Int64(max(reorderDelay, Int(encoder.context.pointee.has_b_frames)))
        return encoder.takePackets().enumerated().map { index, packet in
            var packet = packet
            packet.dts = Int64(index) - delay
            packet.duration = 1
            return packet
        }
    }
}

extension MediaFrame {
    /// An AVFrame that reads a working picture's memory and keeps it alive as long as libav needs it.
    convenience init(lending frame: VideoFrame) throws {
        try self.init()
        let planes = frame.planes
        pointer.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        pointer.pointee.width = Int32(frame.width)
        pointer.pointee.height = Int32(frame.height)
        pointer.pointee.data.0 = planes[0].base
        pointer.pointee.data.1 = planes[1].base
        pointer.pointee.data.2 = planes[2].base
        pointer.pointee.linesize.0 = Int32(planes[0].stride)
        pointer.pointee.linesize.1 = Int32(planes[1].stride)
        pointer.pointee.linesize.2 = Int32(planes[2].stride)
        pointer.pointee.color_range = AVCOL_RANGE_MPEG
        pointer.pointee.colorspace = AVCOL_SPC_BT709
        pointer.pointee.color_primaries = AVCOL_PRI_BT709
        pointer.pointee.color_trc = AVCOL_TRC_BT709
        pointer.pointee.chroma_location = AVCHROMA_LOC_LEFT
        let owner = Unmanaged.passRetained(frame.storage)
        let size = planes[0].stride * frame.height
        pointer.pointee.buf.0 = av_buffer_create(
            planes[0].base, size,
            { owner, _ in Unmanaged<FrameStorage>.fromOpaque(owner!).release() }, owner.toOpaque(),
            Int32(AV_BUFFER_FLAG_READONLY))
        if pointer.pointee.buf.0 == nil {
            owner.release()
            throw FFmpegError(code: editor_AVERROR_ENOMEM, function: "av_buffer_create", lastLogLine: nil)
        }
    }
}
