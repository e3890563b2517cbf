internal import CPangoCairo

/// The font families that a text asks for.
struct FontFamily: Sendable, Hashable {
    /// One name, or several with commas, best first.
    var names: String
    /// Whether the first came from a file that was made known while the program ran.
    var isFromFile = false

    /// The single names, without fontconfig's own words for kinds of fonts.
    var specificNames: [String] {
        let generic = [
            "sans", "sans-serif", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji", "math",
        ]
        return names.split(separator: ",").map(\.trimmingBlanks).filter {
            !$0.isEmpty && !generic.contains($0.lowercased())
        }
    }
}

/// The fonts that Pango knows of on this thread.
enum FontFamilies {
    /// This thread's font map (borrowed). It lists the fonts when it is made; so where a family from a file is not
    /// among them yet, it is made anew.
    static func map(for family: FontFamily) -> UnsafeMutablePointer<PangoFontMap>? {
        if family.isFromFile, !missing(from: family).isEmpty { pango_cairo_font_map_set_default(nil) }
        return pango_cairo_font_map_get_default()
    }

    /// The asked-for names that are not installed.
    static func missing(from family: FontFamily) -> [String] {
        let wanted = family.specificNames
        if wanted.isEmpty { return [] }
        let known = Set(installed().map { $0.lowercased() })
        return wanted.filter { !known.contains($0.lowercased()) }
    }

    static func installed() -> [String] {
        var families: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
        var count: Int32 = 0
        pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count)
        defer { g_free(families) }
        return (0..<Int(count)).compactMap { families?[$0] }.map { String(cString: pango_font_family_get_name($0)) }
    }
}

extension StringProtocol {
    /// Without the blanks at both ends.
    var trimmingBlanks: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
