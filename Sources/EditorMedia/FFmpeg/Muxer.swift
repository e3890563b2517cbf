internal import CFFmpeg
internal import EditorCore
internal import Glibc

/// Writes one movie file beside its final name, and gives it that name when it is complete. Belongs to one thread.
final class Muxer: MovieWriter {
    private let path: String
    private let replacing: Bool
    private let partPath: String
    private let frameRate: Rational
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let packet: Packet
    private var videoStream: Int32?
    private var soundStream: Int32?
    private var soundTimeBase = AVRational(num: 1, den: 1)
    private var sound: ArraySlice<EncodedPacket> = []
    /// The captions of all tracks, those that come first first.
    private var subtitles: ArraySlice<(stream: Int32, packet: EncodedPacket)> = []
    private var isFinished = false
    private let isGIF: Bool
    private let addsCodecDelay: Bool

    /// - Parameters:
    ///   - replacing: whether a file that has the name already gives way at the end.
    ///   - format: libav's name of the container.
    ///   - video: an encoder opened like those of the spans; nil for sound alone.
    ///   - options: the container's options.
    init(
        path: String, replacing: Bool, format: String, video: Encoder?, sound: Encoder?,
        subtitles: [SubtitleStream] = [], frameRate: Rational, options: [(String, String)]
    ) throws {
        self.path = path
        self.replacing = replacing
        self.frameRate = frameRate
        isGIF = format == "gif"
        // A Matroska reader takes the delay of the codec from all times of the sound. libavformat writes it for Opus, but
        // before version 60 it leaves the times as they are.
        addsCodecDelay =
            ["matroska", "webm"].contains(format) && sound?.context.pointee.codec_id == AV_CODEC_ID_OPUS
            && CodecCatalog.formatVersion >> 16 < 60
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // Long names must not become too long by the addition.
        let (folder, name) = (String(path[..<slash]), ".\(String(path[slash...]).prefix(60)).")
        partPath = "\(folder)\(name)\(getpid())-\(UniqueNumber.next()).part"
        Self.removeLeftovers(in: folder, named: name)
        packet = try Packet()
        do {
            let address = "file:" + partPath
            try check(avformat_alloc_output_context2(&context, nil, format, address), "avformat_alloc_output_context2")
            let context = context!
            // No dates and version numbers: equal movies are equal files.
            context.pointee.flags |= AVFMT_FLAG_BITEXACT
            if let video { videoStream = try addStream(video) }
            if let sound {
                soundStream = try addStream(sound)
                soundTimeBase = sound.context.pointee.time_base
            }
            var captions: [(stream: Int32, packet: EncodedPacket)] = []
            for track in subtitles {
                let stream = try addStream(track)
                captions += track.packets.map { (stream, $0) }
            }
            self.subtitles = captions.sorted { ($0.packet.pts, $0.stream) < ($1.packet.pts, $1.stream) }[...]
            let opened = avio_open2(&context.pointee.pb, address, AVIO_FLAG_WRITE, nil, nil)
            guard opened >= 0 else {
                throw EditorError(
                    .cannotCreateOutput,
                    "\(path) cannot be created: \(FFmpegError(code: opened, function: "", lastLogLine: nil).reason)")
            }
            let dictionary = OptionDictionary(options)
            try check(avformat_write_header(context, &dictionary.pointer), "avformat_write_header")
        } catch let error as FFmpegError {
            close()
            throw EditorError([
                Finding(
                    .error, code: "export.container", at: JSONPointer(["export"]),
                    "\(path) cannot be a \(format) file with these streams: \(error.reason)")
            ])!
        } catch {
            close()
            throw error
        }
    }

    deinit { abandon() }

    /// Removes the part files of processes that were killed while they wrote the same movie.
    private static func removeLeftovers(in folder: String, named prefix: String) {
        for name in FileBytes.names(in: folder.isEmpty ? "." : folder) {
            guard name.hasPrefix(prefix), name.hasSuffix(".part"),
                let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), kill(process, 0) != 0,
                errno == ESRCH
            else { continue }
            unlink(folder + name)
        }
    }

    private func addStream(_ encoder: Encoder) throws -> Int32 {
        let stream = try checkAllocated(avformat_new_stream(context, nil), "avformat_new_stream")
        try encoder.copyParameters(to: stream.pointee.codecpar)
        stream.pointee.time_base = encoder.context.pointee.time_base
        stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
        stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
        stream.pointee.codecpar.pointee.codec_tag = 0
        return stream.pointee.index
    }

    private func addStream(_ track: SubtitleStream) throws -> Int32 {
        let stream = try checkAllocated(avformat_new_stream(context, nil), "avformat_new_stream")
        stream.pointee.time_base = SubtitleStream.timeBase
        let parameters = stream.pointee.codecpar!
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = track.codec
        (parameters.pointee.width, parameters.pointee.height) = (Int32(track.size.width), Int32(track.size.height))
        if !track.header.isEmpty {
            // libav frees it, and wants some clear bytes behind it.
            let copy = try checkAllocated(
                av_mallocz(track.header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "av_mallocz")
            track.header.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            parameters.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
            parameters.pointee.extradata_size = Int32(track.header.count)
        }
        if let language = track.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
        return stream.pointee.index
    }

    func writeSound(_ packets: [EncodedPacket]) throws {
        sound = packets[...]
        guard addsCodecDelay, let start = packets.first?.pts, start < 0 else { return }
        for index in sound.indices {
            sound[index].pts -= start
            sound[index].dts -= start
        }
    }

    /// Appends sound to a file without pictures.
    func writeSoundNow(_ packets: [EncodedPacket]) throws {
        for packet in packets { try write(packet, stream: soundStream!, timeBase: soundTimeBase) }
    }

    func writeSpan(_ packets: [EncodedPacket], firstFrame: Int) throws {
        let base = AVRational(num: Int32(frameRate.denominator), den: Int32(frameRate.numerator))
        for (index, packet) in packets.enumerated() {
            var encoded = packet
            if isGIF, firstFrame > 0, index == 0 { encoded.data = GIFPacket.withoutHeader(encoded.data) }
            encoded.pts += Int64(firstFrame)
            encoded.dts += Int64(firstFrame)
            while let next = subtitles.first,
                av_compare_ts(next.packet.dts, SubtitleStream.timeBase, encoded.dts, base) <= 0
            {
                try write(subtitles.removeFirst().packet, stream: next.stream, timeBase: SubtitleStream.timeBase)
            }
            // Sound goes before the pictures of its time.
            while let next = sound.first, av_compare_ts(next.dts, soundTimeBase, encoded.dts, base) <= 0 {
                sound.removeFirst()
                try write(next, stream: soundStream!, timeBase: soundTimeBase)
            }
            try write(encoded, stream: videoStream!, timeBase: base)
        }
    }

    private func write(_ encoded: EncodedPacket, stream index: Int32, timeBase: AVRational) throws {
        do {
            try packet.setData(encoded.data)
            packet.pointer.pointee.pts = encoded.pts
            packet.pointer.pointee.dts = encoded.dts
            packet.pointer.pointee.duration = encoded.duration
            packet.pointer.pointee.flags = encoded.isKey ? AV_PKT_FLAG_KEY : 0
            packet.pointer.pointee.stream_index = index
            av_packet_rescale_ts(packet.pointer, timeBase, context!.pointee.streams[Int(index)]!.pointee.time_base)
            try check(av_interleaved_write_frame(context, packet.pointer), "av_interleaved_write_frame")
            try check(context!.pointee.pb.pointee.error, "avio_write")
        } catch let error as FFmpegError {
            throw writingFailed(error.reason)
        }
    }

    private func writingFailed(_ reason: String) -> EditorError {
        EditorError(.ioFailed, "writing \(path) failed: \(reason)")
    }

    func finish() throws {
        do {
            while let next = subtitles.popFirst() {
                try write(next.packet, stream: next.stream, timeBase: SubtitleStream.timeBase)
            }
            while !sound.isEmpty { try write(sound.removeFirst(), stream: soundStream!, timeBase: soundTimeBase) }
            try check(av_write_trailer(context), "av_write_trailer")
            avio_flush(context!.pointee.pb)
            try check(context!.pointee.pb.pointee.error, "avio_flush")
            try check(avio_closep(&context!.pointee.pb), "avio_close")
        } catch let error as FFmpegError {
            throw writingFailed(error.reason)
        }
        // On the disk before it has its name: a power cut leaves the whole movie or none.
        let file = open(partPath, O_RDONLY | O_CLOEXEC)
        let isFlushed = file >= 0 && fsync(file) == 0
        let reason = String(cString: strerror(errno))
        if file >= 0 { Glibc.close(file) }
        guard isFlushed else { throw writingFailed(reason) }
        try FileBytes.publish(partPath, as: path, replacing: replacing)
        isFinished = true
        close()
    }

    func abandon() {
        guard !isFinished else { return }
        isFinished = true
        close()
    }

    /// Frees everything and removes the part file, if it is still there.
    private func close() {
        if context != nil {
            if context!.pointee.pb != nil { avio_closep(&context!.pointee.pb) }
            avformat_free_context(context)
            context = nil
        }
        unlink(partPath)
    }
}
