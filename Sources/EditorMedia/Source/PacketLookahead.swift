internal import CFFmpeg

/// Packets of one stream, read ahead of the decoder as far as it takes to know which picture shows at a time: packets
/// come in decoding order, and no picture is decoded later than it is shown. Belongs to one thread.
final class PacketLookahead {
    private let demuxer: Demuxer
    private let index: Int
    /// Read and not handed out yet, from `first` on.
    private var waiting: [Packet] = []
    private var first = 0
    private var bytes = 0
    private var spare: [Packet] = []
    /// Times of packets that were handed out, as far as their pictures may still be asked for.
    private var passed: [Int64] = []
    private var hasEnded = false
    /// Whether every packet since `clear` said when it is decoded and shown.
    private var isTimed = true

    /// Beyond these the stream's key frames are too far apart to read ahead.
    private static let mostPackets = 1024
    private static let mostBytes = 64 << 20
    /// More than any decoder holds back to put pictures in order.
    private static let deepestOrder = 32

    init(_ demuxer: Demuxer, stream index: Int) {
        (self.demuxer, self.index) = (demuxer, index)
    }

    /// After the demuxer has moved.
    func clear() {
        while first < waiting.count { giveBack(take()) }
        passed.removeAll(keepingCapacity: true)
        hasEnded = false
        isTimed = true
    }

    /// The stream's next packet, to be given back; nil at the end.
    func next() throws -> Packet? {
        if first == waiting.count { try read() }
        guard first < waiting.count else { return nil }
        let packet = take()
        if let pts = packet.pts, !packet.isDiscarded {
            if passed.count > 2 * Self.deepestOrder { passed.removeFirst(Self.deepestOrder) }
            passed.append(pts)
        }
        return packet
    }

    func giveBack(_ packet: Packet) {
        packet.unreference()
        spare.append(packet)
    }

    /// Time of the last picture that begins at `tick` or before, among those since `clear`; nil when the packets do not
    /// tell.
    func lastPicture(upTo tick: Int64) throws -> Int64? {
        // What an edit discards runs ahead of what comes after the edit.
        while isTimed, !hasEnded, waiting[first...].last(where: { !$0.isDiscarded })?.dts ?? .min <= tick {
            guard waiting.count - first < Self.mostPackets, bytes < Self.mostBytes else { return nil }
            try read()
        }
        guard isTimed else { return nil }
        var last: Int64?
        for pts in passed where pts <= tick { last = max(last ?? pts, pts) }
        for packet in waiting[first...] where !packet.isDiscarded {
            if let pts = packet.pts, pts <= tick { last = max(last ?? pts, pts) }
        }
        if let last { passed.removeAll { $0 < last } }
        return last
    }

    private func take() -> Packet {
        let packet = waiting[first]
        bytes -= packet.bytes.count
        first += 1
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
        }
        return packet
    }

    private func read() throws {
        let packet = try spare.popLast() ?? Packet()
        while demuxer.read(into: packet) {
            guard packet.streamIndex == index else { continue }
            if let pts = packet.pts, let dts = packet.dts, dts <= pts {} else { isTimed = false }
            bytes += packet.bytes.count
            waiting.append(packet)
            return
        }
        hasEnded = true
        giveBack(packet)
    }
}
