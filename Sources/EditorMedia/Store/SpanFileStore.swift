public import EditorCore

/// Keeps spans as files in a folder, up to a size; the least recently used go first. Safe on any thread, and for
/// several processes at once.
public final class SpanFileStore: SpanStore {
    private let folder: CacheFolder

    /// - Parameters:
    ///   - folder: made when something is saved.
    ///   - capacity: bytes kept at most after `trim`.
    public init(folder: String, capacity: Int) {
        self.folder = CacheFolder(path: folder, ending: "span", capacity: capacity)
    }

    /// Counts as a use: what a run relies on is not put out before it is read.
    public func contains(_ name: Fingerprint) -> Bool {
        folder.touch(name)
    }

    public func load(_ name: Fingerprint) -> [EncodedPacket]? {
        // Damaged, it is rendered again.
        folder.load(name, decode: SpanFile.decode)
    }

    public func save(_ packets: [EncodedPacket], as name: Fingerprint) throws {
        try folder.save(SpanFile.encode(packets), as: name, isDurable: true)
    }

    public func remove(_ name: Fingerprint) { folder.remove(name) }

    /// What is kept, most recently used first.
    public func entries() -> [CacheEntry] { folder.entries() }

    /// Removes everything. Returns how many bytes that frees.
    @discardableResult
    public func clear() -> Int { folder.clear() }

    /// Removes the least recently used spans until what is left fits the capacity, and what broken runs left behind.
    public func trim() { folder.trim() }
}
