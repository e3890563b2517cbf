internal import EditorCore

/// Reads text files: UTF-8, or UTF-16 when a byte order mark says so.
enum TextFile {
    private static let mostBytes = 16 << 20

    /// - Throws: `EditorError` that names the file, and the place of the first byte that is no text.
    static func read(_ path: String) throws -> String {
        let bytes = try FileBytes.read(path, limit: mostBytes)
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, path: path) { UInt16($0) | UInt16($1) << 8 } }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, path: path) { UInt16($0) << 8 | UInt16($1) } }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let valid = String(validating: text, as: UTF8.self) { return valid }
        throw EditorError(
            .invalidData, "\(path) is no UTF-8 text: byte \(firstInvalid(text)) does not belong there; save it as UTF-8"
        )
    }

    private static func utf16(
        _ bytes: [UInt8], path: String, _ unit: (UInt8, UInt8) -> UInt16
    ) throws -> String {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw EditorError(.invalidData, "\(path) is damaged UTF-16 text; save it as UTF-8")
        }
        return text
    }

    /// Counts from 0 at the start of the file.
    private static func firstInvalid(_ bytes: ArraySlice<UInt8>) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = bytes.startIndex
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { place += scalar.count }
        return place
    }
}
