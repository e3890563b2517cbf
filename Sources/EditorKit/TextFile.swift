internal import EditorCore
internal import Glibc

/// Small text files, and standard input.
enum TextFile {
    /// Configs beyond this many bytes are no configs.
    private static let limit = 64 << 20

    /// - Parameter path: `-` is standard input.
    /// - Throws: `EditorError` `.missingInput`.
    static func readBytes(_ path: String) throws -> [UInt8] {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw EditorError(.missingInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { if path != "-" { close(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw EditorError(.missingInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else {
                throw EditorError(.invalidData, "\(path) is larger than \(limit >> 20) MB and no config")
            }
        }
    }

    static func read(_ path: String) throws -> String { String(decoding: try readBytes(path), as: UTF8.self) }
}
