internal import CFontconfig

/// The fonts of this machine.
public enum FontCatalog {
    /// Family of a font that holds a character, or nil when none does.
    public static func family(holding character: UInt32) -> String? {
        let set = FcCharSetCreate()
        defer { FcCharSetDestroy(set) }
        FcCharSetAddChar(set, character)
        let pattern = FcPatternCreate()
        defer { FcPatternDestroy(pattern) }
        FcPatternAddCharSet(pattern, "charset", set)
        let wanted = FcObjectSetCreate()
        defer { FcObjectSetDestroy(wanted) }
        FcObjectSetAdd(wanted, "family")
        guard let list = FcFontList(nil, pattern, wanted) else { return nil }
        defer { FcFontSetDestroy(list) }
        guard list.pointee.nfont > 0, let first = list.pointee.fonts[0] else { return nil }
        return FontRegistry.family(of: first)
    }
}
