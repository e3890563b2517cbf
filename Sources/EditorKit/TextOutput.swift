internal import EditorCore
internal import EditorMedia

/// Text files that a program writes for people.
public enum TextOutput {
    /// Writes a new file, and the folders above it. It appears whole or not at all.
    /// - Throws: `EditorError` `.cannotCreateOutput`, also for a name that is taken.
    public static func write(_ text: String, to path: String) throws {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try FileBytes.makeFolder(String(path[..<slash]))
        }
        do {
            try FileBytes.write(Array(text.utf8), to: path, replacing: false)
        } catch let error as EditorError where error.kind == .ioFailed {
            throw EditorError(.cannotCreateOutput, error.message)
        }
    }
}
