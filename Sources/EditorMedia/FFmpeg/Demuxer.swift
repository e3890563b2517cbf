internal import CFFmpeg
internal import EditorCore
internal import Glibc

/// An open media file that gives packets. Belongs to one thread.
final class Demuxer {
    let path: String
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// What `keyTable` found, by stream.
    private var keyTables: [Int: [Int64]] = [:]

    /// Opens a file and reads as much as is needed to know its streams.
    ///
    /// The path is taken literally: no protocols, patterns or options hide in it.
    /// - Parameters:
    ///   - format: libav's name of the container; nil finds it out from the content.
    ///   - options: options of that container's reader.
    /// - Throws: `EditorError`: `.missingInput` when the file is missing or unreadable, `.invalidData` when it is no media.
    init(path: String, format: String? = nil, options: [String: String] = [:]) throws {
        FFmpegLog.install()
        self.path = path
        try FileBytes.requireFile(path)
        var opened: UnsafeMutablePointer<AVFormatContext>?
        // Only plain files: a playlist or a script inside a media file must not open anything else.
        let settings = OptionDictionary([("protocol_whitelist", "file,crypto,data")] + options.map { ($0, $1) })
        FFmpegLog.forget()
        do {
            let reader = format.flatMap { av_find_input_format($0) }
            try check(avformat_open_input(&opened, "file:" + path, reader, &settings.pointer), "avformat_open_input")
        } catch let error as FFmpegError {
            if let picture = UnreadablePicture(path: path) { throw picture.refusal(of: path) }
            throw EditorError(.invalidData, "\(path) is no media file that can be read: \(error.reason)")
        }
        context = opened!
        do {
            try check(avformat_find_stream_info(context, nil), "avformat_find_stream_info")
        } catch let error as FFmpegError {
            throw EditorError(.invalidData, "\(path) has no readable streams: \(error.reason)")
        }
    }

    // Runs also when `init` throws once `context` is set.
    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    var streamCount: Int { Int(context.pointee.nb_streams) }

    /// Valid as long as the demuxer lives.
    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> { context.pointee.streams[index]! }

    /// libav's name of the container.
    var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

    /// Length in seconds as the container claims it; nil when it claims none.
    var claimedDuration: Double? {
        let duration = context.pointee.duration
        return duration == editor_AV_NOPTS_VALUE || duration <= 0 ? nil : Double(duration) / Double(AV_TIME_BASE)
    }

    /// A tag of the whole file.
    func tag(_ key: String) -> String? { metadata(context.pointee.metadata, key) }

    /// Where the file ends on its own clock, in seconds, as the container claims it; nil when it claims no length.
    var claimedEnd: Double? {
        let start = context.pointee.start_time
        return claimedDuration.map { $0 + (start == editor_AV_NOPTS_VALUE ? 0 : Double(start) / Double(AV_TIME_BASE)) }
    }

    /// Decoding times of all shown packets of a stream, from the container's own table; nil when it has no whole one.
    func indexedTimes(_ index: Int) -> [Int64]? {
        guard formatName.hasPrefix("mov,") else { return nil }
        let stream = stream(index)
        return (0..<avformat_index_get_entries_count(stream)).compactMap { number in
            guard let entry = avformat_index_get_entry(stream, number)?.pointee else { return nil }
            return entry.flags & AVINDEX_DISCARD_FRAME != 0 ? nil : entry.timestamp
        }
    }

    /// The last key frame at or before `tick` that the container's table knows of; nil when the table does not reach so
    /// far, as where it only grows with reading.
    func indexedKey(_ index: Int, at tick: Int64) -> Int64? {
        let stream = stream(index)
        guard let last = avformat_index_get_entry(stream, avformat_index_get_entries_count(stream) - 1),
            last.pointee.timestamp >= tick,
            let entry = avformat_index_get_entry_from_timestamp(stream, tick, AVSEEK_FLAG_BACKWARD)
        else { return nil }
        return entry.pointee.timestamp
    }

    /// A place to seek to for the key frame that the container's table has nearest to `tick`; nil without such a table.
    ///
    /// Tables count decoding times in some containers, which lie a little before the pictures' own: the place is between
    /// this key frame and the next there.
    func nearestIndexedKey(_ index: Int, to tick: Int64) -> Int64? {
        let keys = keyTable(index)
        guard let first = keys.first else { return nil }
        let wanted = tick - reordering(index, from: first)
        // The earlier one of two that are as near.
        let nearest = keys.indices.min { abs(keys[$0] - wanted) < abs(keys[$1] - wanted) } ?? 0
        // Matroska's is of the pictures' times, and reading adds to it: only the key frame's own time leads to it.
        if formatName.hasPrefix("matroska") { return keys[nearest] }
        let last = avformat_index_get_entry(stream(index), avformat_index_get_entries_count(stream(index)) - 1)
        let next = nearest + 1 < keys.count ? keys[nearest + 1] : max(last?.pointee.timestamp ?? 0, keys[nearest]) + 1
        return keys[nearest] + (tick - wanted) + (next - keys[nearest]) / 2
    }

    /// Times of the key frames in the container's own table, as it is before anything is read; empty where a table only
    /// grows with reading, as what it says then depends on what was read.
    private func keyTable(_ index: Int) -> [Int64] {
        if let known = keyTables[index] { return known }
        let stream = stream(index)
        var keys: [Int64] = []
        if ["mov,", "avi", "matroska"].contains(where: formatName.hasPrefix) {
            // Matroska's stands at the end and is read with the first jump.
            let start = stream.pointee.start_time
            if formatName.hasPrefix("matroska") {
                _ = seek(stream: index, to: start == editor_AV_NOPTS_VALUE ? 0 : start)
            }
            keys = (0..<avformat_index_get_entries_count(stream)).compactMap { number in
                let entry = avformat_index_get_entry(stream, number).pointee
                return entry.flags & AVINDEX_KEYFRAME != 0 ? entry.timestamp : nil
            }
        }
        keyTables[index] = keys
        return keys
    }

    /// The picture of the last key frame at or before `tick`, by the container's table; nil when the table does not reach
    /// so far.
    func indexedKeyPicture(_ index: Int, at tick: Int64) -> Int64? {
        guard let first = avformat_index_get_entry(stream(index), 0)?.pointee.timestamp else { return nil }
        let lead = reordering(index, from: first)
        return indexedKey(index, at: tick - lead).map { $0 + lead }
    }

    /// How far decoding times lie before the pictures' own in a table whose first entry is `first`. What an edit cuts off
    /// lies farther from the start; no decoder holds pictures back so long.
    private func reordering(_ index: Int, from first: Int64) -> Int64 {
        let stream = stream(index).pointee
        guard stream.start_time != editor_AV_NOPTS_VALUE, stream.avg_frame_rate.num > 0 else { return 0 }
        let ticksPerFrame = 1 / (av_q2d(stream.avg_frame_rate) * av_q2d(stream.time_base))
        let longest = Double(stream.codecpar.pointee.video_delay) * ticksPerFrame
        return min(max(0, stream.start_time - first), Int64(longest.rounded(.up)))
    }

    /// Size of the file in bytes, or nil when it cannot be told.
    var fileSize: Int64? {
        let size = avio_size(context.pointee.pb)
        return size < 0 ? nil : size
    }

    /// The stream that libav thinks best of a kind, cover art aside; nil when there is none.
    func bestStream(_ kind: AVMediaType) -> Int? {
        let best = av_find_best_stream(context, kind, -1, -1, nil, 0)
        if best >= 0, !isCover(Int(best)) { return Int(best) }
        return (0..<streamCount).first { stream($0).pointee.codecpar.pointee.codec_type == kind && !isCover($0) }
    }

    /// Whether a stream is an attached picture.
    func isCover(_ index: Int) -> Bool {
        stream(index).pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) != 0
    }

    /// Reads only some streams from now on; the others' packets are skipped cheaply.
    func readOnly(streams wanted: Set<Int>) {
        for index in 0..<streamCount {
            stream(index).pointee.discard = wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Reads the next packet into `packet`. Returns false at the end of the file.
    /// A damaged stretch that libav cannot get past counts as the end.
    func read(into packet: Packet) -> Bool {
        packet.unreference()
        for _ in 0..<64 {
            let result = av_read_frame(context, packet.pointer)
            if result >= 0 { return true }
            if result != editor_AVERROR_EAGAIN { return false }
        }
        return false
    }

    /// Moves to a key frame of `stream` at or before `timestamp`, or to the first one after when there is none before.
    /// Returns false when the container cannot do that.
    func seek(stream index: Int, to timestamp: Int64) -> Bool {
        if avformat_seek_file(context, Int32(index), .min, timestamp, timestamp, 0) >= 0 { return true }
        return av_seek_frame(context, Int32(index), timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Moves to the very beginning.
    func rewind() -> Bool {
        if avformat_seek_file(context, -1, .min, 0, 0, 0) >= 0 { return true }
        if av_seek_frame(context, -1, 0, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY) >= 0 { return true }
        return avformat_seek_file(context, -1, .min, .min + 1, .max, AVSEEK_FLAG_BYTE) >= 0
    }
}

extension AVRational {
    var rational: Rational { Rational(Int64(num), Int64(den == 0 ? 1 : den)) }
}
