internal import CFFmpeg
internal import EditorCore

/// The times of a file's streams, from its packets: all of them, or the first and the last of a long file.
struct PacketSurvey {
    private(set) var scans: [Int: StreamScan]
    /// Whether every packet was seen.
    private(set) var isWhole = false

    /// Files are read whole up to so many bytes and packets, which takes some hundredths of a second.
    private static let mostBytes = 48 << 20
    private static let mostPackets = 60_000
    /// Of longer ones, so much is read at the start …
    private static let headPackets = 2_000
    /// … and so many seconds at the end.
    private static let tail = 3.0

    /// Reads from the current position of `demuxer`, which stands somewhere else afterwards.
    /// - Parameters:
    ///   - streams: those that count.
    ///   - visit: gets every packet in order until it says that it needs no more.
    init(_ demuxer: Demuxer, streams: Set<Int>, visit: (Packet) throws -> Bool) throws {
        let empty = Dictionary(
            uniqueKeysWithValues: streams.map { index in
                (index, StreamScan(codec: demuxer.stream(index).pointee.codecpar.pointee.codec_id))
            })
        scans = empty
        demuxer.readOnly(streams: streams)
        let packet = try Packet()
        let end = demuxer.claimedEnd
        // Without a length there is no way around reading all.
        let isLong = end != nil && (demuxer.fileSize ?? 0) > Int64(Self.mostBytes)
        let mostPackets = end == nil ? Int.max : isLong ? Self.headPackets : Self.mostPackets
        var wantsMore = true
        var count = 0
        while demuxer.read(into: packet) {
            count += 1
            scans[packet.streamIndex]?.add(packet)
            if wantsMore { wantsMore = try visit(packet) }
            guard count >= mostPackets, !wantsMore, let end else { continue }
            if readTail(demuxer, packet, from: end - Self.tail) { return }
            // It ends before it says. Back to the start, for all of it.
            scans = empty
            guard demuxer.rewind() else { break }
            while demuxer.read(into: packet) { scans[packet.streamIndex]?.add(packet) }
        }
        isWhole = true
    }

    /// Adds the packets from a time on; false when there are none in some stream that has packets before.
    private mutating func readTail(_ demuxer: Demuxer, _ packet: Packet, from seconds: Double) -> Bool {
        guard let time = MediaTime(decimal: seconds) else { return false }
        let hasPictures = { (index: Int) in
            demuxer.stream(index).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        }
        guard let main = scans.keys.first(where: hasPictures) ?? scans.keys.first else { return false }
        let base = demuxer.stream(main).pointee.time_base.rational
        guard demuxer.seek(stream: main, to: time.ticksRounded(per: Rational(base.denominator, base.numerator))) else {
            return false
        }
        let latest = scans[main]?.times.max() ?? .min
        for index in scans.keys { scans[index]?.skip() }
        var isFurther = false
        while demuxer.read(into: packet) {
            scans[packet.streamIndex]?.add(packet)
            if packet.streamIndex == main, packet.pts ?? packet.dts ?? .min > latest { isFurther = true }
        }
        return isFurther
    }

    /// - Parameters:
    ///   - stream: the one with pictures.
    ///   - first: the timestamp of its first picture, when it is that of the first packet.
    mutating func finish(stream: Int?, first: Int64?) {
        for index in scans.keys { scans[index]?.finish(first: index == stream ? first : nil) }
    }
}
