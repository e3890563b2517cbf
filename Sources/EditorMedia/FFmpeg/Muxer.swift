internal import CFFmpeg
internal import EditorCore
internal import Glibc

/// Writes one movie file beside its final name, and gives it that name when it is complete. Belongs to one thread.
final class Muxer: MovieWriter {
    private let path: String
    private let replacing: Bool
    private let partPath: String
    private let frameRate: Rational
    private var output: OutputContext?
    private var videoStream: OutputContext.Stream?
    private var soundStream: OutputContext.Stream?
    private var sound: ArraySlice<EncodedPacket> = []
    /// The captions of all tracks, those that come first first.
    private var subtitles: ArraySlice<(stream: OutputContext.Stream, packet: EncodedPacket)> = []
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
        do {
            let output = try OutputContext(format: format, path: partPath)
            self.output = output
            output.isReproducible = true
            if let video {
                let encoded = try output.addStream(video)
                // Packets of the spans count frames, whatever the encoder counts.
                let frames = AVRational(num: Int32(frameRate.denominator), den: Int32(frameRate.numerator))
                videoStream = encoded.counting(in: frames)
            }
            if let sound { soundStream = try output.addStream(sound) }
            var captions: [(order: Int, stream: OutputContext.Stream, packet: EncodedPacket)] = []
            for (order, track) in subtitles.enumerated() {
                let stream = try addStream(track, to: output)
                captions += track.packets.map { (order, stream, $0) }
            }
            captions.sort { ($0.packet.pts, $0.order) < ($1.packet.pts, $1.order) }
            self.subtitles = captions.map { ($0.stream, $0.packet) }[...]
            try output.createFile(calling: path)
            try output.writeHeader(options)
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

    private func addStream(_ track: SubtitleStream, to output: OutputContext) throws -> OutputContext.Stream {
        try output.addStream(timeBase: SubtitleStream.timeBase) { stream in
            let parameters = stream.pointee.codecpar!
            parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            parameters.pointee.codec_id = track.codec
            (parameters.pointee.width, parameters.pointee.height) = (Int32(track.size.width), Int32(track.size.height))
            if !track.header.isEmpty {
                parameters.pointee.extradata = try paddedCopy(of: track.header)
                parameters.pointee.extradata_size = Int32(track.header.count)
            }
            if let language = track.language { setMetadata(&stream.pointee.metadata, "language", language) }
        }
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
        for packet in packets { try write(packet, to: soundStream!) }
    }

    func writeSpan(_ packets: [EncodedPacket], firstFrame: Int) throws {
        guard let videoStream else { return }
        for (index, packet) in packets.enumerated() {
            var encoded = packet
            if isGIF, firstFrame > 0, index == 0 { encoded.data = GIFPacket.withoutHeader(encoded.data) }
            encoded.pts += Int64(firstFrame)
            encoded.dts += Int64(firstFrame)
            func isDue(_ other: EncodedPacket, _ stream: OutputContext.Stream) -> Bool {
                av_compare_ts(other.dts, stream.timeBase, encoded.dts, videoStream.timeBase) <= 0
            }
            while let next = subtitles.first, isDue(next.packet, next.stream) {
                subtitles.removeFirst()
                try write(next.packet, to: next.stream)
            }
            // Sound goes before the pictures of its time.
            while let next = sound.first, let soundStream, isDue(next, soundStream) {
                sound.removeFirst()
                try write(next, to: soundStream)
            }
            try write(encoded, to: videoStream)
        }
    }

    private func write(_ encoded: EncodedPacket, to stream: OutputContext.Stream) throws {
        do {
            try output?.write(encoded, to: stream, .interleaved)
        } catch let error as FFmpegError {
            throw writingFailed(error.reason)
        }
    }

    private func writingFailed(_ reason: String) -> EditorError {
        EditorError(.ioFailed, "writing \(path) failed: \(reason)")
    }

    func finish() throws {
        do {
            while let next = subtitles.popFirst() { try write(next.packet, to: next.stream) }
            while let next = sound.popFirst() { try write(next, to: soundStream!) }
            try output?.finish()
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
        output?.close()
        output = nil
        unlink(partPath)
    }
}
