/// The first packet of a GIF stream carries the file's header and its global palette; a file has them once.
///
/// Layout: GIF89a specification, sections 17 to 21.
enum GIFPacket {
    /// The packet as it stands later in a file: without header, its palette made the picture's own.
    /// Packets that do not begin with a header come back as they are.
    static func withoutHeader(_ data: [UInt8]) -> [UInt8] {
        let screenEnd = 13
        guard data.count > screenEnd, data.starts(with: "GIF8".utf8) else { return data }
        let flags = data[10]
        let paletteSize = flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
        let palette = data[screenEnd..<min(data.count, screenEnd + paletteSize)]
        var body = Array(data.dropFirst(screenEnd + paletteSize))
        // Extensions stand before the picture: a label, then blocks up to an empty one.
        var position = 0
        while position + 1 < body.count, body[position] == 0x21 {
            position += 2
            while position < body.count, body[position] != 0 { position += Int(body[position]) + 1 }
            position += 1
        }
        let descriptorSize = 10
        guard position + descriptorSize <= body.count, body[position] == 0x2c, paletteSize > 0 else { return body }
        let localFlags = position + 9
        guard body[localFlags] & 0x80 == 0 else { return body }
        body[localFlags] = body[localFlags] & 0x40 | 0x80 | flags & 7
        body.insert(contentsOf: palette, at: position + descriptorSize)
        return body
    }
}
