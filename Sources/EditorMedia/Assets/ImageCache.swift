internal import EditorCore
internal import Synchronization

/// Decoded image files, each decoded once however many threads ask for it.
final class ImageCache: Sendable {
    /// One file. Its lock is held while it is decoded, so that others wait for the result.
    private final class Entry: Sendable {
        struct State {
            /// Pictures that serve every width.
            var whole: ImageAsset?
            var byWidth: [Int?: ImageAsset] = [:]
        }
        let state = Mutex(State())
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameter identity: tells the content from another under the same path.
    /// - Throws: `EditorError` that names the file.
    func image(_ path: String, identity: String, width: Int?) throws -> ImageAsset {
        let entry = entries.withLock { entries in
            let key = identity + " " + path
            if let entry = entries[key] { return entry }
            let entry = Entry()
            entries[key] = entry
            return entry
        }
        return try entry.state.withLock { state in
            if let found = state.byWidth[width] { return found }
            if let whole = state.whole, PictureReduction.width(natural: whole.size.width, wanted: width) == nil {
                return whole
            }
            let (asset, dependsOnWidth) = try ImageReader.read(path, width: width)
            if dependsOnWidth { state.byWidth[width] = asset } else { state.whole = asset }
            return asset
        }
    }
}
