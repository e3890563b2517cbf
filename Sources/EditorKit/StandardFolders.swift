public import EditorCore
internal import EditorMedia
internal import Glibc

/// The folders that config files name by kind, as the XDG base directory specification places them.
public enum StandardFolders {
    /// An environment variable that is set to something.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    private static var home: String {
        if let home = environment("HOME") { return home }
        if let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir { return String(cString: folder) }
        return "/"
    }

    private static func xdg(_ variable: String, _ fallback: String) -> String {
        // The specification ignores relative values.
        environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
    }

    /// Where temporary files go.
    public static var temporary: String { environment("TMPDIR") ?? "/tmp" }

    /// Rendered spans and finished movies without a place of their own.
    public static var caches: String { xdg("XDG_CACHE_HOME", ".cache") + "/editor" }

    public static func path(_ type: FilePathType) -> String {
        switch type {
        case .tmp: temporary
        case .caches: caches
        case .documents: documents
        case .library: xdg("XDG_DATA_HOME", ".local/share") + "/editor"
        case .preferences: xdg("XDG_CONFIG_HOME", ".config") + "/editor"
        }
    }

    /// What `user-dirs.dirs` says, or `~/Documents`.
    private static var documents: String {
        if let folder = environment("XDG_DOCUMENTS_DIR") { return folder }
        let file = xdg("XDG_CONFIG_HOME", ".config") + "/user-dirs.dirs"
        if let bytes = try? FileBytes.read(file, limit: 1 << 20) {
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            where line.hasPrefix("XDG_DOCUMENTS_DIR=") {
                let value = line.dropFirst("XDG_DOCUMENTS_DIR=".count).filter { $0 != "\"" }
                return value.hasPrefix("$HOME") ? home + value.dropFirst(5) : String(value)
            }
        }
        return home + "/Documents"
    }
}
