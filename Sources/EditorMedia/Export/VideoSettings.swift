internal import CFFmpeg
internal import EditorCore

/// Export settings in the words of one video encoder.
struct VideoSettings: Sendable {
    let settings: ExportSettings
    let codecName: String
    let options: [(String, String)]
    let needsGlobalHeader: Bool
    /// Frames by which decoding times lead presentation times, where the encoder does not tell itself.
    var reorderDelay: Int { codecName == "libx265" ? 2 : 0 }
    /// Options that would break what spans are joined by.
    private static let reserved: Set<String> = ["threads", "g", "keyint_min", "flags", "flags2", "b", "forced-idr"]
    /// Whether the encoder tells the stream's header only with its first packet.
    private var tellsHeaderLate: Bool { needsGlobalHeader && codecName == "libaom-av1" }
    /// What the encoder is given.
    let pixelFormat: AVPixelFormat

    private static func pixelFormat(_ name: String?, codec: UnsafePointer<AVCodec>) throws -> AVPixelFormat {
        var known: [AVPixelFormat] = []
        if var formats = codec.pointee.pix_fmts {
            while formats.pointee != AV_PIX_FMT_NONE {
                known.append(formats.pointee)
                formats += 1
            }
        }
        guard let name else {
            return known.isEmpty || known.contains(AV_PIX_FMT_YUV420P) ? AV_PIX_FMT_YUV420P : known[0]
        }
        let format = av_get_pix_fmt(name)
        if format != AV_PIX_FMT_NONE, known.isEmpty || known.contains(format) { return format }
        let names = known.map { String(cString: av_get_pix_fmt_name($0)) }
        throw EditorError([
            Finding(
                .error, code: "export.pixelFormat", at: JSONPointer(["export", "pixelFormat"]),
                "\(String(cString: codec.pointee.name)) does not take the pixel format \"\(name)\"",
                hint: "it takes " + names.joined(separator: ", "))
        ])!
    }

    /// How working pictures become what the encoder takes, as a chain of libavfilter; nil when they are that already.
    var conversion: String? {
        if pixelFormat == AV_PIX_FMT_YUV420P { return nil }
        if codecName == "gif" {
            // A palette for each picture: pictures then depend on nothing else, and gradients keep their colours.
            return
                "split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];[b][p]paletteuse=new=1:dither=sierra2_4a"
        }
        return "format=\(String(cString: av_get_pix_fmt_name(pixelFormat)))"
    }

    /// How x264's threads share the work on a processor with AVX-512: each takes a half of a picture; without AVX-512,
    /// as elsewhere, a picture, which keeps two cores busiest.
    ///
    /// With AVX-512 the macroblock tree of build 164 reads costs behind the end of its tables, which may be those of a
    /// picture that had the memory before. These are the same each time only where one thread hands the memory on, as
    /// with halves, and where it is zero at first; otherwise x264 has to do without AVX-512, a tenth of its time.
    private static var parallelismWithAVX512: String {
        ProcessMemory.givesZeroedBlocks ? "sliced-threads=1" : "asm=AVX2"
    }

    /// Two threads on one encoder and one that composes need far less memory than two encoders and keep two cores busy;
    /// x264 gives the same bytes for the same number of threads. The other encoders do not promise that.
    var threads: Int { codecName == "libx264" ? 2 : 1 }
    /// How the speed word was understood, where the encoder has other words.
    let presetNote: String?

    /// - Throws: `EditorError` when the encoder does not take the pixel format that is asked for.
    init(_ settings: ExportSettings, codec: UnsafePointer<AVCodec>, needsGlobalHeader: Bool) throws {
        self.settings = settings
        pixelFormat = try Self.pixelFormat(settings.pixelFormat, codec: codec)
        self.needsGlobalHeader = needsGlobalHeader
        codecName = String(cString: codec.pointee.name)
        var options: [(String, String)] = []
        var note: String?
        let crf = settings.crf.map { JSONValue.number($0).text() }
        let speed = ExportConfiguration.presets.firstIndex(of: settings.preset) ?? 2
        switch codecName {
        case "libx264", "libx265":
            options.append(("preset", settings.preset))
            if let crf { options.append(("crf", crf)) }
            if codecName == "libx264", av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0 {
                options.append(("x264-params", Self.parallelismWithAVX512))
            }
            if codecName == "libx265" { options.append(("x265-params", "log-level=error:pools=none:frame-threads=1")) }
        case "libvpx-vp9", "libvpx":
            let used = [8, 7, 6, 5, 4, 3, 2, 1, 0, 0][speed]
            options += [("deadline", "good"), ("cpu-used", String(codecName == "libvpx" ? min(used, 5) : used))]
            // libvpx' constant quality lies some ten steps above x264's for the same look.
            if let value = settings.crf { options.append(("crf", String(min(63, Int(value) + 10)))) }
            if codecName == "libvpx-vp9" { options.append(("row-mt", "0")) }
            note = "cpu-used \(used)"
        case "libaom-av1":
            let used = [8, 8, 7, 6, 6, 5, 4, 3, 2, 1][speed]
            options += [("usage", speed < 4 ? "realtime" : "good"), ("cpu-used", String(used))]
            if let value = settings.crf { options.append(("crf", String(min(63, Int(value) + 12)))) }
            note = "cpu-used \(used)"
        case "gif": break
        default:
            if settings.crf != nil || settings.videoBitRate == nil {
                note = "quality by the encoder's own choice: it knows neither crf nor preset"
            }
        }
        for (key, value) in settings.options.sorted(by: { $0.key < $1.key }) {
            if Self.reserved.contains(key) {
                throw EditorError([
                    Finding(
                        .error, code: "export.option", at: JSONPointer(["export", "options", key]),
                        "the option \"\(key)\" is the editor's own: spans stand on it",
                        hint: "use keyFrameInterval, videoBitRate, preset or crf")
                ])!
            }
            if key.hasSuffix("-params"), let own = options.firstIndex(where: { $0.0 == key }) {
                // The editor's own come last and win.
                options[own].1 = value + ":" + options[own].1
            } else {
                options.removeAll { $0.0 == key }
                options.append((key, value))
            }
        }
        self.options = options
        presetNote = note
    }

    /// Everything that the bytes depend on.
    var identity: String {
        "\(codecName) \(options.map { "\($0.0)=\($0.1)" }.joined(separator: " ")) \(settings.videoBitRate ?? 0) "
            + "\(settings.keyFrameInterval) \(pixelFormat.rawValue) \(settings.canvas) \(settings.frameRate) \(needsGlobalHeader) "
            + "threads \(threads) lavc \(CodecCatalog.codecVersion)"
    }

    /// An encoder that knows all that a container has to know of the stream.
    func makeHeaderEncoder() throws -> Encoder {
        // Its number of threads is not in the header, and one opens fastest.
        guard tellsHeaderLate else { return try makeEncoder(threads: 1) }
        let span = try VideoSpanEncoder(self)
        var picture = FramePool().frame(.yuv420, settings.canvas)
        PictureBlit.fill(&picture, with: .black)
        try span.encode(picture)
        _ = try span.finish()
        return span.encoder
    }

    func makeEncoder() throws -> Encoder { try makeEncoder(threads: threads) }

    private func makeEncoder(threads: Int) throws -> Encoder {
        let codec = try checkAllocated(EncoderChoice.encoder(named: codecName), codecName)
        return try Encoder(codec, options: options, threads: threads) { context in
            context.pointee.width = Int32(settings.canvas.width)
            context.pointee.height = Int32(settings.canvas.height)
            context.pointee.pix_fmt = codecName == "gif" ? AV_PIX_FMT_PAL8 : pixelFormat
            context.pointee.time_base = AVRational(
                num: Int32(settings.frameRate.denominator), den: Int32(settings.frameRate.numerator))
            context.pointee.framerate = AVRational(
                num: Int32(settings.frameRate.numerator), den: Int32(settings.frameRate.denominator))
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Int32(settings.keyFrameInterval)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.colorspace = AVCOL_SPC_BT709
            context.pointee.color_primaries = AVCOL_PRI_BT709
            context.pointee.color_trc = AVCOL_TRC_BT709
            context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
            if let rate = settings.videoBitRate {
                context.pointee.bit_rate = Int64(rate)
            } else {
                context.pointee.bit_rate = 0
            }
            if needsGlobalHeader { context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
        }
    }
}
