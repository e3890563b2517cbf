internal import CFFmpeg
public import EditorCore

/// Encodes and writes movies with libavcodec and libavformat.
public struct FFmpegMovieBackend: MovieBackend {
    public init() {}

    public func format(for settings: ExportSettings) throws -> any MovieFormat {
        do {
            return try FFmpegMovieFormat(settings)
        } catch let error as FFmpegError {
            throw EditorError(
                .unavailable, "this libavformat cannot write \(settings.container.rawValue): \(error.reason)")
        }
    }
}

struct FFmpegMovieFormat: MovieFormat {
    private let settings: ExportSettings
    private let video: VideoSettings?
    private let sound: SoundSettings?
    let videoCodec: String?
    let audioCodec: String?
    let findings: [Finding]
    let pictureIdentity: String
    let soundIdentity: String

    init(_ settings: ExportSettings) throws {
        FFmpegLog.install()
        self.settings = settings
        let container = Self.formatName(settings.container)
        let flags = try checkAllocated(av_guess_format(container, nil, nil), "av_guess_format").pointee.flags
        let needsGlobalHeader = flags & AVFMT_GLOBALHEADER != 0
        var problems: [Finding] = []
        func collecting<T>(_ body: () throws -> T) -> T? {
            do { return try body() } catch {
                problems += Finding.all(of: error, at: JSONPointer(["export"]), code: "export")
                return nil
            }
        }
        let videoEncoder = settings.videoCodec.flatMap { name in
            collecting { try EncoderChoice.find(name, kind: AVMEDIA_TYPE_VIDEO, key: "videoCodec") }
        }
        let soundEncoder = settings.audioCodec.flatMap { name in
            collecting { try EncoderChoice.find(name, kind: AVMEDIA_TYPE_AUDIO, key: "audioCodec") }
        }
        for (encoder, key) in [(videoEncoder, "videoCodec"), (soundEncoder, "audioCodec")] {
            guard let encoder,
                avformat_query_codec(av_guess_format(container, nil, nil), encoder.pointee.id, FF_COMPLIANCE_NORMAL)
                    == 0
            else { continue }
            problems.append(
                Finding(
                    .error, code: "export.container", at: JSONPointer(["export", key]),
                    "a \(settings.container.rawValue) file cannot hold \(CodecCatalog.name(of: encoder.pointee.id))"
                ))
        }
        let soundSettings = soundEncoder.flatMap { encoder in
            collecting { try SoundSettings(settings, codec: encoder, needsGlobalHeader: needsGlobalHeader) }
        }
        let videoSettings = videoEncoder.flatMap { encoder in
            collecting { try VideoSettings(settings, codec: encoder, needsGlobalHeader: needsGlobalHeader) }
        }
        if let error = EditorError(problems) { throw error }
        video = videoSettings
        sound = soundSettings
        videoCodec = videoEncoder.map { CodecCatalog.name(of: $0.pointee.id) }
        audioCodec = soundEncoder.map { CodecCatalog.name(of: $0.pointee.id) }
        findings = []
        // Wrong values show when an encoder is opened; better now than at the first frame. The movie's parameter sets
        // are those of a fresh encoder, so spans of another one must not be taken for these.
        let opened = collecting { try videoSettings?.makeEncoder() }
        let openedSound = collecting { try soundSettings?.makeEncoder() }
        if let error = EditorError(problems) { throw error }
        pictureIdentity = "\(video?.identity ?? "none") \(opened??.parameterSets ?? []) \(CodecCatalog.versions)"
        soundIdentity = "\(sound?.identity ?? "none") \(openedSound??.parameterSets ?? []) \(CodecCatalog.versions)"
    }

    private static func formatName(_ container: OutputFileType) -> String {
        switch container {
        case .mp4: "mp4"
        case .mov: "mov"
        case .mkv: "matroska"
        case .webm: "webm"
        case .gif: "gif"
        case .m4a: "ipod"
        }
    }

    var encoderThreads: Int { video?.threads ?? 1 }
    var note: String? { video?.presetNote }

    func makeSpanEncoder() throws -> any SpanEncoder {
        guard let video else { throw EditorError(.internalBug, "this container has no picture") }
        return try making("the video encoder") { try VideoSpanEncoder(video) }
    }

    func makeSoundEncoder() throws -> any SoundEncoder {
        guard let sound else { throw EditorError(.internalBug, "this container has no sound") }
        return try making("the audio encoder") { try SoundTrackEncoder(sound) }
    }

    private func making<T>(_ what: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(what) could not be started: \(error)")
        }
    }

    func makeWriter(path: String, replacing: Bool, subtitles: [SubtitleTrack]) throws -> any MovieWriter {
        var options: [(String, String)] = []
        switch settings.container {
        case .mp4, .mov, .m4a:
            options.append(("movflags", settings.isFastStart ? "+faststart+write_colr" : "+write_colr"))
        case .mkv, .webm:
            // The sound's priming is told as the codec's delay: shifted into positive times, it would push the picture
            // behind the movie's start.
            options.append(("avoid_negative_ts", "disabled"))
        case .gif:
            break
        }
        return try making("the writer of \(path)") {
            try Muxer(
                path: path, replacing: replacing, format: Self.formatName(settings.container),
                video: try video?.makeHeaderEncoder(), sound: try sound?.makeEncoder(),
                subtitles: subtitles.map { SubtitleStream($0, container: settings.container, canvas: settings.canvas) },
                frameRate: settings.frameRate, options: options)
        }
    }
}
