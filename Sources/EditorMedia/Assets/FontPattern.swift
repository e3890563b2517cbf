internal import CFontconfig

/// A fontconfig pattern; owns it.
final class FontPattern {
    private let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Of the first face in a file; nil when the file is no font.
    convenience init?(file path: String) {
        var faces: Int32 = 0
        guard let pointer = FcFreeTypeQuery(path, 0, nil, &faces) else { return nil }
        self.init(pointer)
    }

    /// That fits every font; nil without memory.
    convenience init?() {
        guard let pointer = FcPatternCreate() else { return nil }
        self.init(pointer)
    }

    deinit { FcPatternDestroy(pointer) }

    var family: String? { Self.family(of: pointer) }

    /// The first family of a font that fits this pattern and holds a character.
    func family(holding character: UInt32) -> String? {
        let set = FcCharSetCreate()
        defer { FcCharSetDestroy(set) }
        FcCharSetAddChar(set, character)
        FcPatternAddCharSet(pointer, "charset", set)
        let wanted = FcObjectSetCreate()
        defer { FcObjectSetDestroy(wanted) }
        FcObjectSetAdd(wanted, "family")
        guard let list = FcFontList(nil, pointer, wanted) else { return nil }
        defer { FcFontSetDestroy(list) }
        guard list.pointee.nfont > 0, let first = list.pointee.fonts[0] else { return nil }
        return Self.family(of: first)
    }

    private static func family(of pattern: OpaquePointer) -> String? {
        var name: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(pattern, "family", 0, &name) == FcResultMatch, let name else { return nil }
        return String(cString: name)
    }
}
