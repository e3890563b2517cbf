internal import EditorCore
internal import EditorMedia

typealias PictureStore = PictureFileStore

/// The cache of finished pictures: those of `frame`, `thumbnails` and `FrameGenerator`.
public enum PictureCache {
    /// Bytes that kept pictures may occupy.
    static let capacity = 512 << 20

    public static var folder: String { StandardFolders.caches + "/pictures" }

    static var store: PictureStore { PictureStore(folder: folder, capacity: capacity) }

    /// Most recently used first.
    public static func entries() -> [SpanCache.Entry] {
        store.entries().map { SpanCache.Entry(name: $0.name, bytes: $0.size, lastUse: $0.lastUse) }
    }

    /// Removes everything and returns the bytes that frees.
    public static func clear() -> Int { store.clear() }
}
