internal import EditorCore

/// The tags of the first picture in TIFF data (Adobe TIFF 6.0, section 2), which is also what EXIF is.
struct TIFFTags {
    private var values: [Int: Int] = [:]

    /// nil when the bytes are no TIFF data.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        let isLittle = bytes[0] == 0x49
        func number(_ at: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * (isLittle ? $1 : count - 1 - $1)) }
        }
        guard bytes[0] == bytes[1], isLittle || bytes[0] == 0x4D, number(2, 2) == 42 else { return nil }
        let directory = number(4, 4)
        guard directory <= bytes.count - 2 else { return nil }
        for entry in 0..<number(directory, 2) {
            let place = directory + 2 + 12 * entry
            guard place + 12 <= bytes.count else { return nil }
            // Only single numbers of two or four bytes; those stand in the entry itself.
            switch (number(place + 2, 2), number(place + 4, 4)) {
            case (3, 1): values[number(place, 2)] = number(place + 8, 2)
            case (4, 1): values[number(place, 2)] = number(place + 8, 4)
            default: break
            }
        }
    }

    var orientation: Orientation? { values[274].flatMap { Orientation(exif: $0) } }

    var size: PixelSize? {
        guard let width = values[256], let height = values[257] else { return nil }
        return PixelSize(width: width, height: height)
    }
}
