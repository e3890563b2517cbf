internal import CFontconfig
internal import EditorCore
internal import Synchronization

/// Makes font files known to fontconfig, for this process. Safe on any thread.
enum FontRegistry {
    /// Families by path and identity. The lock also guards fontconfig's list of application fonts.
    private static let families = Mutex<[String: String]>([:])

    /// - Returns: the family that the file's first face belongs to.
    /// - Throws: `EditorError` `.invalidData` when the file is no font.
    static func family(_ path: String, identity: String) throws -> String {
        try families.withLock { families in
            let key = identity + " " + path
            if let known = families[key] { return known }
            guard let family = FontPattern(file: path)?.family else {
                throw EditorError(.invalidData, "\(path) is no font file that can be read (TrueType, OpenType or WOFF)")
            }
            guard FcConfigAppFontAddFile(nil, path) != 0 else {
                throw EditorError(.invalidData, "\(path) cannot be added to the fonts by fontconfig")
            }
            families[key] = family
            return family
        }
    }
}
