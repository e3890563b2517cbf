internal import EditorCore

/// The chunks of a PNG file (W3C Portable Network Graphics, third edition).
struct PNGStructure {
    var size: PixelSize
    /// Seconds of each picture; empty for a still.
    var durations: [Double] = []
    /// Whether samples have sixteen bits and some picture is blended over those before it.
    var isDeepAndBlended = false
    /// From the eXIf chunk.
    var orientation: Orientation?

    /// - Throws: `EditorError` `.invalidData` when the file ends before its last chunk.
    init(_ bytes: [UInt8], path: String) throws {
        func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        func half(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
        guard bytes.count >= 33 else { throw EditorError(.invalidData, "\(path) is a PNG picture that ends too early") }
        size = PixelSize(width: word(16), height: word(20))
        var place = 8
        var isAnimated = false
        while place + 12 <= bytes.count {
            let length = word(place)
            let data = place + 8
            guard length <= bytes.count - data - 4 else { break }
            switch String(decoding: bytes[place + 4..<data], as: UTF8.self) {
            case "acTL" where length >= 8: isAnimated = true
            case "fcTL" where length >= 26:
                // A denominator of 0 stands for 100.
                let (numerator, denominator) = (half(data + 20), half(data + 22))
                durations.append(Double(numerator) / Double(denominator == 0 ? 100 : denominator))
                if bytes[24] == 16, bytes[data + 25] == 1 { isDeepAndBlended = true }
            case "eXIf": orientation = TIFFTags(Array(bytes[data..<data + length]))?.orientation
            case "IEND":
                if !isAnimated || durations.count < 2 { durations = [] }
                return
            default: break
            }
            place = data + length + 4
        }
        throw EditorError(.invalidData, "\(path) is a PNG picture that ends too early (\(bytes.count) bytes)")
    }
}
