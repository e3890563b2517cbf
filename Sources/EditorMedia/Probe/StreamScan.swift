internal import CFFmpeg
internal import EditorCore

/// What the packets of one stream say about time, without decoding.
struct StreamScan {
    /// Presentation times of shown packets in ticks, unsorted.
    private(set) var times: [Int64] = []
    private var durationOf: [Int64: Int64] = [:]
    private(set) var packetCount = 0

    mutating func add(_ packet: Packet) {
        packetCount += 1
        guard !packet.isDiscarded, let time = packet.pts ?? packet.dts else { return }
        times.append(time)
        if packet.duration > 0 { durationOf[time] = packet.duration }
    }

    /// Sorted, each once.
    mutating func finish() {
        times.sort()
        var unique: [Int64] = []
        unique.reserveCapacity(times.count)
        for time in times where time != unique.last { unique.append(time) }
        times = unique
    }

    /// End of the last picture in ticks: its own duration, or the usual gap when it has none.
    func end(usualGap: Int64) -> Int64? {
        guard let last = times.last else { return nil }
        if let duration = durationOf[last] { return last + duration }
        if times.count >= 2 { return last + max(1, medianGap) }
        return last + max(1, usualGap)
    }

    var medianGap: Int64 {
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        return gaps.isEmpty ? 0 : gaps[gaps.count / 2]
    }

    /// Whether the gaps between pictures differ by more than rounding of the clock (one tick, or a tenth of the usual
    /// gap for coarse clocks).
    var isVariable: Bool {
        let usual = medianGap
        guard usual > 0 else { return false }
        let slack = max(2, usual / 10)
        return zip(times, times.dropFirst()).contains { abs($1 - $0 - usual) > slack }
    }
}

extension Demuxer {
    /// Files up to this size are read whole to learn their times; of larger ones the start and the end.
    private static let wholeScanLimit: Int64 = 256 << 20

    /// Reads the packets of some streams from the current position on.
    /// - Returns: the scans by stream, and whether every packet was seen.
    func scan(_ streams: Set<Int>) throws -> (scans: [Int: StreamScan], isWhole: Bool) {
        readOnly(streams: streams)
        var scans = Dictionary(uniqueKeysWithValues: streams.map { ($0, StreamScan()) })
        let packet = try Packet()
        let isLarge = (fileSize ?? 0) > Self.wholeScanLimit
        var budget = isLarge ? 2_000 : Int.max
        while budget > 0, read(into: packet) {
            scans[packet.streamIndex]?.add(packet)
            budget -= 1
        }
        if isLarge, budget == 0, let length = claimedDuration {
            for index in streams {
                let base = stream(index).pointee.time_base.rational
                let target = MediaTime(decimal: max(0, length - 10))!.ticksRounded(per: Rational(base.denominator, base.numerator))
                guard seek(stream: index, to: target) else { continue }
                readOnly(streams: [index])
                while read(into: packet) { scans[index]?.add(packet) }
            }
        }
        for index in streams { scans[index]?.finish() }
        return (scans, !(isLarge && budget == 0))
    }
}
