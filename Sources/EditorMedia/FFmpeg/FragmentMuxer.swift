internal import CFFmpeg
internal import EditorCore
internal import Glibc

/// Writes a movie in fragments, each readable as soon as it is in the file. Belongs to one thread.
final class FragmentMuxer {
    enum Track { case video, sound }

    private let path: String
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var flusher: FileFlusher?
    private let packet: Packet
    private var streams: [Track: (index: Int32, timeBase: AVRational)] = [:]
    private var isIndexWritten = false
    /// Bytes up to the end of the last whole fragment.
    private var wholeSize: Int64 = 0

    /// - Throws: `EditorError` `.cannotCreateOutput` that names the file, `FFmpegError`.
    init(path: String, video: Encoder, sound: Encoder?) throws {
        self.path = path
        packet = try Packet()
        try check(avformat_alloc_output_context2(&context, nil, "mp4", nil), "avformat_alloc_output_context2")
        let context = context!
        streams[.video] = (try addStream(video), video.context.pointee.time_base)
        if let sound { streams[.sound] = (try addStream(sound), sound.context.pointee.time_base) }
        let opened = avio_open2(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, nil, nil)
        guard opened >= 0 else {
            throw EditorError(
                .cannotCreateOutput,
                "\(path) cannot be created: \(FFmpegError(code: opened, function: "", lastLogLine: nil).reason)")
        }
        flusher = try FileFlusher(path)
        // The index is written with the first fragment, when it is known how much of the sound's start is the encoder's
        // own. Fragments are cut by hand, so that they are as long as we like and not as the key frames.
        let options = OptionDictionary([("movflags", "frag_custom+delay_moov+default_base_moof+write_colr")])
        try check(avformat_write_header(context, &options.pointer), "avformat_write_header")
    }

    /// Closes the file and cuts off what lies behind its last whole fragment.
    func cut() {
        close()
        truncate(path, Int(wholeSize))
    }

    private func close() {
        guard context != nil else { return }
        if context!.pointee.pb != nil { avio_closep(&context!.pointee.pb) }
        avformat_free_context(context)
        context = nil
    }

    // Runs also when `init` throws, as all properties are set by then.
    deinit { close() }

    private func addStream(_ encoder: Encoder) throws -> Int32 {
        let stream = try checkAllocated(avformat_new_stream(context, nil), "avformat_new_stream")
        try encoder.copyParameters(to: stream.pointee.codecpar)
        stream.pointee.time_base = encoder.context.pointee.time_base
        stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
        stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
        stream.pointee.codecpar.pointee.codec_tag = 0
        return stream.pointee.index
    }

    func write(_ encoded: EncodedPacket, _ track: Track) throws {
        guard let stream = streams[track], let context else { return }
        try packet.setData(encoded.data)
        packet.pointer.pointee.pts = encoded.pts
        packet.pointer.pointee.dts = encoded.dts
        packet.pointer.pointee.duration = encoded.duration
        packet.pointer.pointee.flags = encoded.isKey ? AV_PKT_FLAG_KEY : 0
        packet.pointer.pointee.stream_index = stream.index
        let target = context.pointee.streams[Int(stream.index)]!.pointee.time_base
        av_packet_rescale_ts(packet.pointer, stream.timeBase, target)
        // Fragments hold each track by itself, so nothing has to be interleaved and held back for it.
        try check(av_write_frame(context, packet.pointer), "av_write_frame")
    }

    /// Closes the running fragment. The file is put on the disk meanwhile, by a thread that may wait for it.
    func flush() throws {
        guard let context else { return }
        try check(av_write_frame(context, nil), "av_write_frame")
        // The first call writes the index alone.
        if !isIndexWritten { try check(av_write_frame(context, nil), "av_write_frame") }
        isIndexWritten = true
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error, "avio_flush")
        wholeSize = avio_seek(context.pointee.pb, 0, SEEK_CUR)
        flusher?.flush()
    }

    /// Closes the file and waits until it is on the disk.
    func finish() throws {
        guard let context else { return }
        try check(av_write_trailer(context), "av_write_trailer")
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error, "avio_flush")
        try check(avio_closep(&context.pointee.pb), "avio_close")
        try flusher?.finish()
    }
}
