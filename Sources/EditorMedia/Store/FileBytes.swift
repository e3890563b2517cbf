package import EditorCore
internal import Glibc
internal import Synchronization

/// Whole files in and out, and the folders they lie in.
package enum FileBytes {
    // MARK: Reading

    /// The bytes of the file at `path`, or its first `prefix` bytes. Pipes are read to their end.
    /// - Parameter limit: a larger file is refused.
    /// - Throws: `EditorError`: `.missingInput` when it is missing or unreadable, `.invalidData` when it is too large.
    package static func read(_ path: String, prefix: Int = .max, limit: Int) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        defer { close(file) }
        return try read(file, named: path, prefix: prefix, limit: limit)
    }

    /// Standard input to its end.
    /// - Throws: `EditorError` as `read(_:prefix:limit:)` does.
    package static func readStandardInput(limit: Int) throws -> [UInt8] {
        try read(STDIN_FILENO, named: "standard input", prefix: .max, limit: limit)
    }

    private static func read(_ file: Int32, named path: String, prefix: Int, limit: Int) throws -> [UInt8] {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw EditorError(.missingInput, "\(path) is a folder, not a file")
        }
        let size = Int(status.st_size)
        func tooLarge(_ size: Int) -> EditorError {
            EditorError(
                .invalidData, "\(path) is \(size >> 20) MB large; files of this kind may have \(limit >> 20) MB")
        }
        guard prefix < .max || size <= limit else { throw tooLarge(size) }
        // What has a size is read in one go.
        var bytes = try readPart(file, count: min(prefix, size), named: path)
        while bytes.count < prefix, bytes.count >= size {
            let more = try readPart(file, count: min(prefix - bytes.count, 1 << 16), named: path)
            if more.isEmpty { break }
            bytes += more
            guard bytes.count <= limit else { throw tooLarge(bytes.count) }
        }
        return bytes
    }

    /// Fewer than `count` bytes only at the end.
    private static func readPart(_ file: Int32, count wanted: Int, named path: String) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted {
                let got = Glibc.read(file, buffer.baseAddress! + count, wanted - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        if failure != 0 { throw unreadable(path, failure) }
        return bytes
    }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Refuses what is missing, and folders, pipes and devices: media is read more than once and at any place.
    /// - Throws: `EditorError` `.missingInput`.
    static func requireFile(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw EditorError(.missingInput, "\(path) is a folder, not a file")
        default: throw EditorError(.missingInput, "\(path) is no ordinary file; save what it gives to one")
        }
        guard access(path, R_OK) == 0 else { throw unreadable(path, errno) }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> EditorError {
        code == ENOENT || code == ENOTDIR
            ? EditorError(.missingInput, "\(path) does not exist")
            : EditorError(.missingInput, "\(path) cannot be read: \(String(cString: strerror(code)))")
    }

    // MARK: Writing

    /// The file appears whole or not at all.
    /// - Parameters:
    ///   - replacing: whether a file that has the name already gives way.
    ///   - isDurable: whether it is on the disk when the call returns; else a power cut may leave it torn.
    /// - Throws: `EditorError`: `.ioFailed`, or `.cannotCreateOutput` for a name that is taken.
    package static func write(_ bytes: [UInt8], to path: String, replacing: Bool = true, isDurable: Bool = true)
        throws
    {
        let temporary = "\(path).\(getpid())-\(UniqueNumber.next()).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        func failed() -> EditorError {
            let reason = String(cString: strerror(errno))
            if file >= 0 { unlink(temporary) }
            return EditorError(.ioFailed, "writing \(path) failed: \(reason)")
        }
        guard file >= 0 else { throw failed() }
        defer { close(file) }
        guard write(bytes, to: file, at: nil), !isDurable || fdatasync(file) == 0 || errno == EINVAL else {
            throw failed()
        }
        do {
            try publish(temporary, as: path, replacing: replacing)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes all bytes, at a place of the file or where it stands; false sets `errno`.
    static func write(_ bytes: [UInt8], to file: Int32, at offset: Int?) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                let (start, length) = (raw.baseAddress! + written, bytes.count - written)
                return offset.map { pwrite(file, start, length, off_t($0 + written)) }
                    ?? Glibc.write(file, start, length)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Gives a finished file its name.
    /// - Parameter replacing: whether a file that has the name already gives way. If not, it stays, even when it came
    ///   this very moment.
    /// - Throws: `EditorError` `.cannotCreateOutput`; the file keeps its old name then.
    package static func publish(_ finished: String, as path: String, replacing: Bool) throws {
        func failed(_ code: Int32) -> EditorError {
            code == EEXIST
                ? nameIsTaken(path)
                : EditorError(.cannotCreateOutput, "\(path) cannot be created: \(String(cString: strerror(code)))")
        }
        if !replacing {
            if link(finished, path) == 0 {
                unlink(finished)
                return
            }
            guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw failed(errno) }
            // A file system without a second name for a file: the name is claimed by an empty one first.
            let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard claim >= 0 else { throw failed(errno) }
            close(claim)
        }
        guard rename(finished, path) == 0 else { throw failed(errno) }
    }

    /// What is said of an output that exists.
    package static func nameIsTaken(_ path: String) -> EditorError {
        EditorError(.cannotCreateOutput, "\(path) exists already; name another file or add --overwrite")
    }

    // MARK: Folders

    /// Has the names in a folder put on the disk: a new file's bytes may be there, and its name not yet.
    package static func flushFolder(_ path: String) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// The names in a folder, in no order; none when it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let item = readdir(directory) {
            names.append(
                withUnsafePointer(to: &item.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// Makes a folder and those above it.
    /// - Throws: `EditorError` `.cannotCreateOutput`.
    package static func makeFolder(_ path: String) throws {
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
