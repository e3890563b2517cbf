internal import EditorCore
internal import Glibc

/// One kept file of a cache.
public struct CacheEntry: Sendable {
    public var name: String
    /// Bytes.
    public var size: Int
    /// Seconds since 1970 of its last use.
    public var lastUse: Double
}

/// Files of one kind in a folder, named by what they depend on, up to a size; the least recently used go first. Safe on
/// any thread, and for several processes at once.
struct CacheFolder: Sendable {
    let path: String
    /// Of the files' names, without the dot.
    let ending: String
    /// Bytes kept at most after `trim`.
    let capacity: Int

    /// Forgets an entry, if there is one.
    func remove(_ name: Fingerprint) { unlink(path(name)) }

    private func path(_ name: Fingerprint) -> String { "\(path)/\(name).\(ending)" }

    /// Whether there is such a file; counts as a use.
    func touch(_ name: Fingerprint) -> Bool {
        access(path(name), R_OK) == 0 && utimensat(AT_FDCWD, path(name), nil, 0) == 0
    }

    /// nil when there is no such file, or when it is damaged; then it is removed.
    func load<T>(_ name: Fingerprint, decode: ([UInt8]) -> T?) -> T? {
        let path = path(name)
        guard let bytes = try? FileBytes.read(path, limit: .max) else { return nil }
        guard let content = decode(bytes) else {
            unlink(path)
            return nil
        }
        utimensat(AT_FDCWD, path, nil, 0)
        return content
    }

    /// - Parameter isDurable: whether it is on the disk when the call returns.
    func save(_ bytes: [UInt8], as name: Fingerprint, isDurable: Bool) throws {
        try FileBytes.makeFolder(path)
        try FileBytes.write(bytes, to: path(name), isDurable: isDurable)
    }

    /// What is kept, most recently used first.
    func entries() -> [CacheEntry] {
        var entries: [CacheEntry] = []
        for name in FileBytes.names(in: path) where name.hasSuffix(".\(ending)") || name.hasSuffix(".new") {
            var status = stat()
            guard stat("\(path)/\(name)", &status) == 0 else { continue }
            entries.append(
                CacheEntry(
                    name: name, size: Int(status.st_size),
                    lastUse: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9))
        }
        return entries.sorted { $0.lastUse > $1.lastUse }
    }

    /// Removes everything. Returns how many bytes that frees.
    func clear() -> Int {
        entries().reduce(0) { $0 + (unlink("\(path)/\($1.name)") == 0 ? $1.size : 0) }
    }

    /// Removes the least recently used files until what is left fits the capacity, and what broken runs left behind.
    func trim() {
        var total = 0
        let now = Double(time(nil))
        for entry in entries() {
            total += entry.size
            if total > capacity || (entry.name.hasSuffix(".new") && now - entry.lastUse > 3600) {
                unlink("\(path)/\(entry.name)")
            }
        }
    }
}
