internal import CSDL
internal import EditorCore

/// SDL, opened when a window or a sound device is first wanted.
enum SDLLibrary {
    /// The functions, or what is missing.
    private static let table: Result<editor_sdl, EditorError> = {
        var functions = editor_sdl()
        guard let missing = editor_sdl_open(&functions) else { return .success(functions) }
        return .failure(
            EditorError(
                .unavailable,
                "windows and sound need SDL 2, but \(String(cString: missing)) is not there; apt install libsdl2-2.0-0")
        )
    }()

    /// - Throws: `EditorError` `.unavailable` when SDL is not installed.
    static func open() throws -> editor_sdl { try table.get() }
}

extension editor_sdl {
    /// What SDL says of its last failure on this thread.
    var reason: String { GetError().map { String(cString: $0) } ?? "no reason given" }
}
