internal import EditorCore

/// The headers of a BMP file (Microsoft BITMAPINFOHEADER and OS/2 BITMAPCOREHEADER).
struct BMPStructure {
    var size: PixelSize

    /// - Throws: `EditorError` `.invalidData` when the file ends within its headers.
    init(_ bytes: [UInt8], path: String) throws {
        guard bytes.count >= 26 else { throw EditorError(.invalidData, "\(path) is a BMP picture that ends too early") }
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        if number(14, 4) == 12 {
            size = PixelSize(width: number(18, 2), height: number(20, 2))
        } else {
            // A negative height stands for rows from the top down.
            let height = Int(Int32(truncatingIfNeeded: number(22, 4)).magnitude)
            size = PixelSize(width: Int(Int32(truncatingIfNeeded: number(18, 4))), height: height)
        }
    }
}
