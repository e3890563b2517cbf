internal import Glibc

/// A small file that appears whole or not at all, and that one can do without.
enum CacheFile {
    private static let limit = 64 << 20

    /// nil when it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= limit, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while filled < size {
                let read = Glibc.read(file, buffer.baseAddress! + filled, size - filled)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                filled += read
            }
            count = filled
        }
        return filled == size ? bytes : nil
    }

    /// Makes the folder too. Does nothing where that is not allowed.
    @discardableResult
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        makeFolders(of: path)
        let temporary = "\(path).\(getpid()).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0 else { return false }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + sent, bytes.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            sent += count
        }
        guard close(file) == 0, sent == bytes.count, rename(temporary, path) == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    private static func makeFolders(of path: String) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o777)
        }
    }
}

/// What lies in folders.
enum FolderListing {
    /// Sorted; empty for a folder that cannot be read.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let item = readdir(directory) {
            names.append(
                withUnsafePointer(to: &item.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    /// Tells one version of a file from another; nil when there is no such file.
    static func identity(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
