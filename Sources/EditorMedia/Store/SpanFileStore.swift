public import EditorCore
internal import Glibc

/// Keeps spans as files in a folder, up to a size; the least recently used go first. Safe on any thread, and for
/// several processes at once.
public final class SpanFileStore: SpanStore {
    private let folder: String
    private let capacity: Int
    private let isTemporary: Bool

    /// One kept span.
    public struct Entry: Sendable {
        public var name: String
        /// Bytes.
        public var size: Int
        /// Seconds since 1970 of its last use.
        public var lastUse: Double
    }

    /// - Parameters:
    ///   - folder: made when something is saved.
    ///   - capacity: bytes kept at most after `trim`.
    public init(folder: String, capacity: Int) {
        self.folder = folder
        self.capacity = capacity
        isTemporary = false
    }

    /// A store in a new folder of its own under `parent`, which goes with the object.
    public init(temporaryIn parent: String) throws {
        var template = Array((parent + "/editor-spans-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw EditorError(
                .ioFailed, "no temporary folder can be made in \(parent): \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        capacity = .max
        isTemporary = true
    }

    deinit {
        guard isTemporary else { return }
        clear()
        rmdir(folder)
    }

    private func path(_ name: Fingerprint) -> String { "\(folder)/\(name).span" }

    /// Counts as a use: what a run relies on is not put out before it is read.
    public func contains(_ name: Fingerprint) -> Bool {
        access(path(name), R_OK) == 0 && utimensat(AT_FDCWD, path(name), nil, 0) == 0
    }

    public func load(_ name: Fingerprint) -> [EncodedPacket]? {
        let path = path(name)
        guard let bytes = FileBytes.read(path) else { return nil }
        guard let packets = SpanFile.decode(bytes) else {
            // Damaged: the next run renders it again.
            unlink(path)
            return nil
        }
        utimensat(AT_FDCWD, path, nil, 0)
        return packets
    }

    public func save(_ packets: [EncodedPacket], as name: Fingerprint) throws {
        try FileBytes.makeFolder(folder)
        try FileBytes.write(SpanFile.encode(packets), to: path(name))
    }

    /// What is kept, most recently used first.
    public func entries() -> [Entry] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".span") || name.hasSuffix(".new") else { continue }
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0 else { continue }
            entries.append(
                Entry(
                    name: name, size: Int(status.st_size),
                    lastUse: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9))
        }
        return entries.sorted { $0.lastUse > $1.lastUse }
    }

    /// Removes everything. Returns how many bytes that frees.
    @discardableResult
    public func clear() -> Int {
        entries().reduce(0) { $0 + (unlink("\(folder)/\($1.name)") == 0 ? $1.size : 0) }
    }

    /// Removes the least recently used spans until what is left fits the capacity, and what broken runs left behind.
    public func trim() {
        var total = 0
        let now = Double(time(nil))
        for entry in entries() {
            total += entry.size
            if total > capacity || (entry.name.hasSuffix(".new") && now - entry.lastUse > 3600) {
                unlink("\(folder)/\(entry.name)")
            }
        }
    }
}
