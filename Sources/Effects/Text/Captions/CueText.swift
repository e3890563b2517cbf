internal import EditorCore

/// The text of a cue of SubRip or WebVTT as Pango markup.
///
/// `<b>`, `<i>`, `<u>`, `<s>` and `<font color>` are kept; other tags (voices, classes, languages), and what stands in
/// braces in SubRip (`{\an8}`), are left out. Tags that are not closed end with the cue.
struct CueText {
    enum Dialect { case subRip, webVTT }

    private(set) var markup = ""
    private(set) var plain = ""
    /// WebVTT's times within a cue, each with where it stands in the UTF-8 of `plain`.
    private(set) var timestamps: [(offset: Int, time: MediaTime)] = []
    private var open: [String] = []

    init(_ source: String, dialect: Dialect) {
        let source = TextContent.plain(source).string
        var rest = source[...]
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                let inside = rest[rest.index(after: rest.startIndex)..<end]
                if tag(inside, dialect) {
                    rest = rest[rest.index(after: end)...]
                    continue
                }
            } else if character == "{", dialect == .subRip, rest.dropFirst().first == "\\",
                let end = rest.firstIndex(of: "}")
            {
                rest = rest[rest.index(after: end)...]
                continue
            } else if character == "&", let (text, length) = Self.entity(rest) {
                append(text)
                rest = rest.dropFirst(length)
                continue
            }
            append(String(character))
            rest.removeFirst()
        }
        for name in open.reversed() { markup += "</\(name)>" }
    }

    private mutating func append(_ text: String) {
        markup += Self.escaped(text)
        plain += text
    }

    /// Takes what stands between angle brackets; false when it is no tag but text.
    private mutating func tag(_ inside: Substring, _ dialect: Dialect) -> Bool {
        guard let first = inside.first, first.isLetter || first == "/" || first.isNumber else { return false }
        if first.isNumber {
            guard dialect == .webVTT, let time = CaptionTime.parse(inside) else { return false }
            timestamps.append((plain.utf8.count, time))
            return true
        }
        if first == "/" {
            let name = Self.element(inside.dropFirst())
            guard let position = open.lastIndex(of: name) else { return true }
            // Closing an outer tag closes those within it, which are opened again.
            let within = open[(position + 1)...]
            for name in within.reversed() { markup += "</\(name)>" }
            markup += "</\(name)>"
            open.remove(at: position)
            for name in within { markup += "<\(name)>" }
            return true
        }
        let name = Self.element(inside)
        switch name {
        case "b", "i", "u", "s":
            markup += "<\(name)>"
            open.append(name)
        case "span":
            guard let color = Self.color(of: inside) else { return true }
            markup += "<span foreground=\"#\(color)\">"
            open.append(name)
        default: break
        }
        return true
    }

    /// Pango's element for a tag.
    private static func element(_ inside: Substring) -> String {
        let name = inside.prefix { $0.isLetter }.lowercased()
        return name == "font" ? "span" : name
    }

    /// The colour of `font color="#rrggbb"`.
    private static func color(of inside: Substring) -> String? {
        guard let range = inside.lowercased().firstRange(of: "color=") else { return nil }
        let value = inside.lowercased()[range.upperBound...].drop { $0 == "\"" || $0 == "'" }.prefix {
            $0.isHexDigit || $0 == "#"
        }
        return Color(hex: String(value)).map {
            var opaque = $0
            opaque.alpha = 255
            return opaque.description
        }
    }

    private static func entity(_ text: Substring) -> (String, Int)? {
        let known = [
            "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": "\u{a0}", "&lrm;": "\u{200e}", "&rlm;": "\u{200f}",
            "&quot;": "\"",
        ]
        for (entity, text_) in known where text.hasPrefix(entity) { return (text_, entity.count) }
        return nil
    }

    /// Text with the characters escaped that markup gives a meaning.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
