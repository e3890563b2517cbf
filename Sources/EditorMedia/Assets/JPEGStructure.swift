internal import EditorCore

/// The segments of a JPEG file (ITU-T T.81, annex B).
struct JPEGStructure {
    var size: PixelSize

    /// - Throws: `EditorError` `.invalidData` when the file ends before its picture does.
    init(_ bytes: [UInt8], path: String) throws {
        var size: PixelSize?
        var place = 2
        while place + 4 <= bytes.count {
            // Fill bytes, and what is no marker at all, are passed over.
            guard bytes[place] == 0xFF, bytes[place + 1] != 0xFF, bytes[place + 1] != 0 else {
                place += 1
                continue
            }
            let marker = bytes[place + 1]
            if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                place += 2
                continue
            }
            if marker == 0xD9 { break }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame, place + 9 <= bytes.count {
                func half(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
                size = PixelSize(width: half(place + 7), height: half(place + 5))
            }
            place += 2 + length
            if marker == 0xDA {
                guard let size, Self.hasEnd(bytes, from: place) else { break }
                self.size = size
                return
            }
        }
        throw EditorError(.invalidData, "\(path) is a JPEG picture that ends too early (\(bytes.count) bytes)")
    }

    private static func hasEnd(_ bytes: [UInt8], from start: Int) -> Bool {
        // From the back, where it usually is.
        var place = bytes.count - 2
        while place >= start {
            if bytes[place] == 0xFF, bytes[place + 1] == 0xD9 { return true }
            place -= 1
        }
        return false
    }
}
