internal import CFFmpeg
internal import EditorCore

/// libavfilter, loaded with the first chain of filters: it brings some thirty libraries along, a quarter of the time that
/// the program takes to start. Safe on any thread.
enum FilterLibrary {
    /// nil when it is not installed.
    static let installed: editor_filters? = {
        var functions = editor_filters()
        return editor_filters_load(&functions) ? functions : nil
    }()

    /// - Throws: `EditorError` `.unavailable` when it is not installed.
    static func functions() throws -> editor_filters {
        guard let installed else {
            throw EditorError(
                .unavailable, "this needs libavfilter, which is not installed (Debian: apt install libavfilter8)")
        }
        return installed
    }
}
