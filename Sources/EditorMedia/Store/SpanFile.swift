internal import EditorCore

/// The form of a stored span: a header, each packet with its times, and a checksum over all of it. Little endian.
struct SpanFile {
    private static let magic: UInt64 = 0x3130_4e41_5053_4445  // "EDSPAN01"

    static func encode(_ packets: [EncodedPacket]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(packets.reduce(64) { $0 + $1.data.count + 40 })
        func append(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        append(magic)
        append(UInt64(packets.count))
        for packet in packets {
            append(UInt64(bitPattern: packet.pts))
            append(UInt64(bitPattern: packet.dts))
            append(UInt64(bitPattern: packet.duration))
            append(packet.isKey ? 1 : 0)
            append(UInt64(packet.data.count))
            bytes.append(contentsOf: packet.data)
        }
        append(Checksum.of(bytes[...]))
        return bytes
    }

    /// nil when the bytes are not a whole span.
    static func decode(_ bytes: [UInt8]) -> [EncodedPacket]? {
        var position = 0
        func next() -> UInt64? {
            guard position + 8 <= bytes.count else { return nil }
            defer { position += 8 }
            return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard bytes.count >= 24, next() == magic, let count = next(), count <= UInt64(bytes.count) else { return nil }
        var packets: [EncodedPacket] = []
        packets.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let pts = next(), let dts = next(), let duration = next(), let key = next(), let size = next(),
                size <= UInt64(bytes.count - position)
            else { return nil }
            packets.append(
                EncodedPacket(
                    data: Array(bytes[position..<position + Int(size)]), pts: Int64(bitPattern: pts),
                    dts: Int64(bitPattern: dts), duration: Int64(bitPattern: duration), isKey: key == 1))
            position += Int(size)
        }
        let end = position
        guard next() == Checksum.of(bytes[..<end]), position == bytes.count else { return nil }
        return packets
    }
}
