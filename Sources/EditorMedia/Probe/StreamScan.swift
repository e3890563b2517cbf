internal import CFFmpeg
internal import EditorCore

/// What the packets of one stream say about time, without decoding.
struct StreamScan {
    /// Presentation times of shown packets in ticks; rising and each once after `finish`.
    private(set) var times: [Int64] = []
    private(set) var packetCount = 0
    /// The latest time, and how long its packet says that it lasts.
    private var last: (time: Int64, duration: Int64)?
    private var longestDuration: Int64 = 0
    /// Decoding times of shown packets, in their order; kept as long as every one has one.
    private var decodingTimes: [Int64]? = []
    private var hasAllTimes = true
    /// How far the first packet's presentation lies after its decoding.
    private var firstDelay: Int64?
    private var medianGap: Int64 = 0
    /// Number of the first packet after a stretch that was not read.
    private var tailStart: Int?

    /// Packets around a stretch that was not read whose neighbours in presentation order may be missing.
    private static let reordering = 16

    private let codec: AVCodecID

    init(codec: AVCodecID = AV_CODEC_ID_NONE) { self.codec = codec }

    /// Whether a packet holds a picture that is only a reference for others, in the codecs that have such packets.
    private func isHidden(_ packet: Packet) -> Bool {
        let bytes = packet.bytes
        guard let first = bytes.first, let last = bytes.last else { return false }
        switch codec {
        // RFC 6386, 9.1: the frame tag's bit 4 is show_frame.
        case AV_CODEC_ID_VP8: return first & 0x10 == 0
        // VP9 bitstream specification, 7.2 and annex B: a superframe ends with its marker and shows its last frame;
        // else after the frame marker and the profile come show_existing_frame, frame_type and show_frame.
        case AV_CODEC_ID_VP9:
            if last & 0xE0 == 0xC0 { return false }
            let header = (first & 0x30 == 0x30) ? first << 1 : first
            return header & 0x08 == 0 && header & 0x02 == 0
        default: return false
        }
    }

    mutating func add(_ packet: Packet) {
        packetCount += 1
        guard !packet.isDiscarded, !isHidden(packet), let time = packet.pts ?? packet.dts else { return }
        if times.isEmpty, let shown = packet.pts, let decoding = packet.dts { firstDelay = shown - decoding }
        times.append(time)
        longestDuration = max(longestDuration, packet.duration)
        if last.map({ time >= $0.time }) ?? true { last = (time, packet.duration) }
        if packet.pts == nil { hasAllTimes = false }
        if let decoding = packet.dts { decodingTimes?.append(decoding) } else { decodingTimes = nil }
    }

    /// Says that packets were left out here.
    mutating func skip() { tailStart = times.count }

    /// Sorts the times.
    ///
    /// Where the container leaves presentation times out, pictures are shown in the rhythm of their decoding.
    /// - Parameter first: the timestamp of the first picture, when it is that of the first packet.
    mutating func finish(first: Int64?) {
        if !hasAllTimes, let decodingTimes, let start = decodingTimes.first {
            let delay = firstDelay ?? first.map { $0 - start } ?? 0
            times = decodingTimes.map { $0 + delay }
            last = times.max().map { ($0, longestDuration) }
        }
        decodingTimes = nil
        times.sort()
        let hole = tailStart.map { $0 < times.count && $0 > 0 ? times[$0] : times.last ?? 0 }
        var unique: [Int64] = []
        unique.reserveCapacity(times.count)
        for time in times where time != unique.last { unique.append(time) }
        times = unique
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        medianGap = gaps.isEmpty ? 0 : gaps[gaps.count / 2]
        tailStart = hole.flatMap { times.firstIndex(of: $0) }
    }

    /// End of the last picture in ticks: its own duration, or the usual gap when it has none worth the name, as where a
    /// recording was stopped in it.
    func end(usualGap: Int64) -> Int64? {
        guard let last else { return nil }
        let usual = times.count >= 2 ? medianGap : usualGap
        if last.duration > 0, last.duration * 4 >= usual { return last.time + last.duration }
        return last.time + max(1, usual)
    }

    /// Whether the gaps between pictures differ by more than rounding of the clock: one tick or a tenth of the usual
    /// gap, and nothing where the clock ticks with the pictures.
    /// - Parameter first: what lies before is never shown.
    func isVariable(from first: Int64) -> Bool {
        let times = times.drop { $0 < first }
        guard let tailStart else { return Self.isVariable(times, usual: medianGap) }
        let head = times.prefix { $0 < self.times[max(0, tailStart - Self.reordering)] }
        let tail = self.times.dropFirst(tailStart + Self.reordering)
        return Self.isVariable(head, usual: medianGap) || Self.isVariable(tail, usual: medianGap)
    }

    /// - Parameter times: rising.
    static func isVariable(_ times: ArraySlice<Int64>, usual: Int64) -> Bool {
        guard usual > 0 else { return false }
        let slack = usual == 1 ? 0 : max(1, usual / 10)
        return zip(times, times.dropFirst()).contains { abs($1 - $0 - usual) > slack }
    }
}
