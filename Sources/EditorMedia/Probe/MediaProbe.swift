internal import CFFmpeg
internal import EditorCore
internal import Glibc

/// Looks into a media file: its streams, their exact times, and everything that has to be put right.
struct MediaProbe {
    private let path: String
    private let demuxer: Demuxer
    private var normalisations: [Finding] = []

    /// - Throws: `EditorError` that names the file.
    static func probe(_ path: String) throws -> MediaInfo {
        var probe = MediaProbe(path: path, demuxer: try Demuxer(path: path))
        return try probe.run()
    }

    private init(path: String, demuxer: Demuxer) {
        self.path = path
        self.demuxer = demuxer
    }

    private mutating func run() throws -> MediaInfo {
        let videoIndex = demuxer.bestStream(AVMEDIA_TYPE_VIDEO)
        let audioIndices = (0..<demuxer.streamCount).filter {
            demuxer.stream($0).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
        }
        guard videoIndex != nil || !audioIndices.isEmpty else {
            throw EditorError(.invalidData, "\(path) has neither pictures nor sound")
        }
        let identity = try Self.identity(path)
        let search = try videoIndex.map { try FirstPictureSearch(demuxer, stream: $0) }
        var survey = try PacketSurvey(demuxer, streams: Set(audioIndices + (videoIndex.map { [$0] } ?? []))) { packet in
            try search?.send(packet)
            return search.map { $0.found == nil } ?? false
        }
        let first = try search?.finish()
        survey.finish(stream: videoIndex, first: first.flatMap { $0.skippedPackets == 0 ? $0.timestamp : nil })
        let scans = survey.scans

        var video: VideoStreamInfo?
        if let videoIndex, let first {
            let scan = scans[videoIndex].flatMap { $0.times.isEmpty ? nil : $0 }
            video = describe(first, stream: videoIndex, scan: scan, isWhole: survey.isWhole)
            if let video, survey.isWhole, !video.isStill { noteBreak(scans, pictures: video.duration) }
        }
        let origin = video?.firstTimestamp ?? .zero
        let audio = audioIndices.map { describeAudio($0, scan: scans[$0]!, origin: origin, hasVideo: video != nil) }
        return MediaInfo(
            path: path, identity: identity, container: demuxer.formatName, video: video, audio: audio,
            normalisations: normalisations)
    }

    /// The file itself, its size, and its modification time to the nanosecond.
    static func identity(_ path: String) throws -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw EditorError(.missingInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        return "\(status.st_dev)-\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    private mutating func note(_ code: String, _ message: String) {
        normalisations.append(Finding(.warning, code: code, "\(path) \(message)"))
    }

    private mutating func describe(
        _ first: FirstPicture, stream index: Int, scan: StreamScan?, isWhole: Bool
    ) -> VideoStreamInfo {
        let stream = demuxer.stream(index)
        let parameters = stream.pointee.codecpar.pointee
        let base = stream.pointee.time_base.rational
        func time(_ ticks: Int64) -> MediaTime {
            MediaTime(seconds: 1) * Rational(base.numerator, base.denominator) * Rational(ticks)
        }

        let isStill = Self.isStillImage(demuxer.formatName, packets: scan?.packetCount ?? 1)
        let average = stream.pointee.avg_frame_rate
        let usualGap =
            average.num > 0
            ? (MediaTime(seconds: 1) / average.rational).ticksRounded(per: Rational(base.denominator, base.numerator))
            : 1
        let firstTicks = first.timestamp ?? scan?.times.first ?? 0
        let shown = scan.map { scan in scan.times.filter { $0 >= firstTicks } } ?? [firstTicks]
        let end = scan?.end(usualGap: usualGap) ?? firstTicks + usualGap
        let duration = max(time(end - firstTicks), isStill ? .zero : MediaTime(value: 1, timescale: 1000))

        // Of a long file the table of its packets, if there is one, says what was not read.
        let table = isWhole || isStill ? nil : demuxer.indexedTimes(index)
        let isVariable =
            !isStill
            && (scan?.isVariable(from: firstTicks) ?? false
                || table.map { StreamScan.isVariable($0[...], usual: usualGap) } ?? false)
        if isVariable {
            note("clip.variableRate", "has a variable frame rate; its pictures are shown by their timestamps")
        }
        if first.orientation != .up {
            note("clip.rotated", "is stored turned or mirrored (\(first.orientation.rawValue)) and is set upright")
        }
        if first.hasUnusableMatrix {
            note("clip.matrixIgnored", "has a display matrix that is no turn by quarters or mirror; it is ignored")
        }
        // A decoder may wait for a picture it can begin with and say nothing; two pictures may lead a key frame rightly.
        let unseen = scan?.times.prefix { $0 < firstTicks }.count ?? 0
        if first.skippedPackets > 0 || unseen > 2 {
            note(
                "clip.startDamaged",
                "does not start with a picture that can be decoded; it begins at the first that can")
        }
        if !isStill, demuxer.claimedDuration == nil {
            note("clip.noDuration", "does not say how long it is; \(duration) s of pictures were found in it")
        }
        var aspect = first.pixelAspect
        if aspect.numerator <= 0 || !(0.05...20).contains(aspect.doubleValue) { aspect = .one }
        if aspect != .one {
            note("clip.pixelAspect", "has pixels that are not square (\(aspect)); it is widened to its shape")
        }
        if first.isInterlaced { note("clip.deinterlaced", "is interlaced and is deinterlaced") }
        if let profile = first.dolbyVisionOnlyProfile {
            note(
                "clip.dolbyVision",
                "is Dolby Vision of profile \(profile), which has no picture for other decoders; its colours come out wrong: "
                    + "export it as HDR10, HLG or SDR first")
        }
        if first.color.isHDR { note("clip.toneMapped", "is HDR (\(first.color.transfer.rawValue)) and is tone-mapped") }

        let rate: Rational? =
            isStill
            ? nil
            : shown.count > 1 && duration > .zero && isWhole
                ? Rational(decimal: Double(shown.count) / duration.seconds) : average.num > 0 ? average.rational : nil
        return VideoStreamInfo(
            streamIndex: index, codec: CodecCatalog.name(of: parameters.codec_id),
            pixelFormat: first.pixelFormatName, storedSize: first.size, pixelAspect: aspect,
            orientation: first.orientation, firstTimestamp: time(firstTicks), duration: duration,
            frameCount: isWhole ? shown.count : table?.count,
            frameRate: isVariable ? rate : average.num > 0 ? average.rational : rate,
            isVariableRate: isVariable, isStill: isStill, hasAlpha: first.hasAlpha, isInterlaced: first.isInterlaced,
            color: first.color)
    }

    /// Tells of a file that ends before the time it claims, in every stream.
    private mutating func noteBreak(_ scans: [Int: StreamScan], pictures: MediaTime) {
        // Some files count their length from where they start, some from 0: the shorter claim is enough.
        guard let claimed = demuxer.claimedDuration, claimed > 1 else { return }
        let ends = scans.compactMap { index, scan in
            scan.end(usualGap: 0).map { demuxer.stream(index).pointee.time_base.rational.doubleValue * Double($0) }
        }
        guard let last = ends.max(), last < claimed * 0.9 - 0.2 else { return }
        note(
            "clip.shorterThanClaimed",
            "claims to last until \(MediaTime.text(claimed)) s and ends at \(MediaTime.text(last)) s; its pictures are used, "
                + "which are \(pictures) s")
    }

    /// Image demuxers give one packet without a length.
    private static func isStillImage(_ format: String, packets: Int) -> Bool {
        packets <= 1 && (format.hasSuffix("_pipe") || ["image2", "gif", "apng", "ico", "webp"].contains(format))
    }

    private mutating func describeAudio(_ index: Int, scan: StreamScan, origin: MediaTime, hasVideo: Bool)
        -> AudioStreamInfo
    {
        let stream = demuxer.stream(index)
        let parameters = stream.pointee.codecpar.pointee
        let base = stream.pointee.time_base.rational
        func time(_ ticks: Int64) -> MediaTime {
            MediaTime(seconds: 1) * Rational(base.numerator, base.denominator) * Rational(ticks)
        }
        var layout = [CChar](repeating: 0, count: 64)
        var channelLayout = parameters.ch_layout
        av_channel_layout_describe(&channelLayout, &layout, layout.count)
        // The stream's own word leaves out an encoder's delay; the first packet would count it.
        let claimed = stream.pointee.start_time
        let start = (claimed == editor_AV_NOPTS_VALUE ? scan.times.first : claimed).map { time($0) } ?? .zero
        let end = scan.end(usualGap: 0)
        return AudioStreamInfo(
            streamIndex: index, codec: CodecCatalog.name(of: parameters.codec_id),
            channelCount: Int(parameters.ch_layout.nb_channels),
            layout: String(decoding: layout.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }, as: UTF8.self),
            sampleRate: Int(parameters.sample_rate), start: hasVideo ? start - origin : .zero,
            duration: end.map { time($0) - start }, isEmpty: scan.packetCount == 0)
    }
}
