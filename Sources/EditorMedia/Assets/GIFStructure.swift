internal import EditorCore

/// The blocks of a GIF file (CompuServe GIF89a).
struct GIFStructure {
    var size: PixelSize
    /// Seconds of each picture; at least one.
    var durations: [Double] = []

    /// - Throws: `EditorError` `.invalidData` when the file ends within a block or holds no picture.
    init(_ bytes: [UInt8], path: String) throws {
        let early = EditorError(.invalidData, "\(path) is a GIF picture that ends too early (\(bytes.count) bytes)")
        func half(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
        func tableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        guard bytes.count >= 13 else { throw early }
        size = PixelSize(width: half(6), height: half(8))
        var place = 13 + tableBytes(bytes[10])
        var delay = 0
        // Files without the closing byte are common and otherwise whole.
        while place < bytes.count, bytes[place] != 0x3B {
            switch bytes[place] {
            case 0x21:
                guard place + 2 < bytes.count else { throw early }
                if bytes[place + 1] == 0xF9, place + 6 < bytes.count { delay = half(place + 4) }
                place += 2
            case 0x2C:
                guard place + 10 < bytes.count else { throw early }
                durations.append(Double(delay) / 100)
                delay = 0
                place += 10 + tableBytes(bytes[place + 9]) + 1
            default:
                // Padding or rubbish after a picture: what came before counts.
                guard durations.isEmpty else { return }
                throw EditorError(.invalidData, "\(path) is a damaged GIF picture")
            }
            while true {
                guard place < bytes.count else { throw early }
                let length = Int(bytes[place])
                place += 1 + length
                if length == 0 { break }
            }
        }
        guard !durations.isEmpty else { throw early }
    }
}
