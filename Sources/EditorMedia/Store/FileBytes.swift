internal import EditorCore
internal import Glibc
internal import Synchronization

/// Whole files in and out.
public enum FileBytes {
    /// nil when the file cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        let size = Int(status.st_size)
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = Glibc.read(file, buffer.baseAddress! + count, size - count)
                guard got > 0 else {
                    if got < 0, errno == EINTR { continue }
                    isWhole = false
                    return
                }
                count += got
            }
        }
        return isWhole ? bytes : nil
    }

    /// The file appears whole or not at all.
    /// - Parameter isDurable: whether it is on the disk when the call returns; else a power cut may leave it torn.
    /// - Throws: `EditorError` `.ioFailed` that names the file.
    public static func write(_ bytes: [UInt8], to path: String, isDurable: Bool = true) throws {
        let temporary = "\(path).\(getpid())-\(UniqueNumber.next()).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        func failed() -> EditorError {
            let reason = String(cString: strerror(errno))
            if file >= 0 { unlink(temporary) }
            return EditorError(.ioFailed, "writing \(path) failed: \(reason)")
        }
        guard file >= 0 else { throw failed() }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, bytes.count - written) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw failed()
            }
            written += count
        }
        guard !isDurable || fdatasync(file) == 0 || errno == EINVAL, rename(temporary, path) == 0 else {
            throw failed()
        }
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        }
        throw EditorError(.cannotCreateOutput, "the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
    }
}

/// Numbers that this process has not used before, for names of temporary files.
enum UniqueNumber {
    private static let last = Atomic<Int>(0)

    static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
