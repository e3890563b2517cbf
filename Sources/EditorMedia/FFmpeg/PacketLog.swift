internal import EditorCore

/// The packets of a stream, one behind the other in one block of memory.
///
/// An hour of sound is a hundred thousand packets. As blocks of their own, each would keep the memory around it from
/// being used again for anything larger, while decoders of many sizes come and go.
struct PacketLog {
    private struct Entry {
        var size: Int
        var pts: Int64
        var dts: Int64
        var duration: Int64
        var isKey: Bool
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    mutating func append(_ packet: Packet) {
        let data = packet.bytes
        let pts = packet.pts ?? 0
        entries.append(
            Entry(size: data.count, pts: pts, dts: packet.dts ?? pts, duration: packet.duration, isKey: packet.isKey))
        bytes.append(contentsOf: data)
    }

    /// Hands the packets over, and forgets them.
    mutating func take() -> [EncodedPacket] {
        var result: [EncodedPacket] = []
        result.reserveCapacity(entries.count)
        var offset = 0
        for entry in entries {
            result.append(
                EncodedPacket(
                    data: Array(bytes[offset..<offset + entry.size]), pts: entry.pts, dts: entry.dts,
                    duration: entry.duration, isKey: entry.isKey))
            offset += entry.size
        }
        self = PacketLog()
        return result
    }
}
