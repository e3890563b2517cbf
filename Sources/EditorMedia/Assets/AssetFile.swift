internal import EditorCore
internal import Glibc

/// Reads files that are small enough to be held in memory.
enum AssetFile {
    /// The bytes of the file at `path`, or its first `prefix` bytes.
    /// - Parameter limit: a larger file is refused.
    /// - Throws: `EditorError`: `.missingInput` when it is missing or unreadable, `.invalidData` when it is too large.
    static func read(_ path: String, prefix: Int = .max, limit: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw EditorError(.missingInput, "\(path) is a folder, not a file")
        }
        guard prefix < .max || Int(status.st_size) <= limit else {
            throw EditorError(
                .invalidData,
                "\(path) is \(status.st_size >> 20) MB large; files of this kind may have \(limit >> 20) MB")
        }
        let wanted = min(prefix, Int(status.st_size))
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted {
                let got = Glibc.read(descriptor, buffer.baseAddress! + count, wanted - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        if failure != 0 { throw unreadable(path, failure) }
        return bytes
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    static func unreadable(_ path: String, _ code: Int32) -> EditorError {
        code == ENOENT || code == ENOTDIR
            ? EditorError(.missingInput, "\(path) does not exist")
            : EditorError(.missingInput, "\(path) cannot be read: \(String(cString: strerror(code)))")
    }
}
