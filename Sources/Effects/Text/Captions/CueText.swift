internal import EditorCore

/// The text of a cue of SubRip or WebVTT as Pango markup.
///
/// `<b>`, `<i>`, `<u>`, `<s>`, `<font color>`, WebVTT's classes of colours (`<c.yellow.bg_blue>`) and what its styles say
/// of tags are kept; other tags are left out, and so is what stands in braces in SubRip, but for `{\an8}`, which tells where the
/// caption stands. Tags that are not closed end with the cue.
struct CueText {
    enum Dialect { case subRip, webVTT }

    private(set) var markup = ""
    private(set) var plain = ""
    /// WebVTT's times within a cue, each with where it stands in the UTF-8 of `plain`.
    private(set) var timestamps: [(offset: Int, time: MediaTime)] = []
    /// What `{\an…}` says.
    private(set) var standing = CueStanding()
    /// The tags that are open: the file's name, and Pango's with what belongs to it.
    private var open: [(name: String, opening: String)] = []

    private let styles: CueStyleSheet

    /// - Parameter styles: those of a WebVTT file.
    init(_ source: String, dialect: Dialect, styles: CueStyleSheet = CueStyleSheet()) {
        self.styles = styles
        let whole = styles.wholeCue.opening
        markup = whole ?? ""
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
                if let match = rest[..<end].firstMatch(of: /\\an([1-9])/), let key = Int(match.1) {
                    standing = CueStanding(keypad: key)
                }
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
        for tag in open.reversed() { markup += Self.closing(tag.opening) }
        if let whole { markup += Self.closing(whole) }
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
            let name = Self.name(inside.dropFirst())
            guard let position = open.lastIndex(where: { $0.name == name }) else { return true }
            // Closing an outer tag closes those within it, which are opened again.
            let within = open[(position + 1)...]
            for tag in within.reversed() { markup += Self.closing(tag.opening) }
            markup += Self.closing(open[position].opening)
            for tag in within { markup += tag.opening }
            open.remove(at: position)
            return true
        }
        let name = Self.name(inside)
        guard let opening = opening(of: inside, name, dialect) else { return true }
        markup += opening
        open.append((name, opening))
        return true
    }

    /// Pango's tag for one of the file's; nil for one that changes nothing.
    private func opening(of inside: Substring, _ name: String, _ dialect: Dialect) -> String? {
        let isOwn = ["b", "i", "u", "s"].contains(name)
        if name == "font" { return Self.color(of: inside).map { "<span foreground=\"\($0.markup)\">" } }
        guard dialect == .webVTT else { return isOwn ? "<\(name)>" : nil }
        let look = styles.look(of: inside)
        if look == CueLook() { return isOwn ? "<\(name)>" : nil }
        var own = CueLook()
        switch name {
        case "b": own.isBold = true
        case "i": own.isItalic = true
        case "u": own.isUnderlined = true
        case "s": own.isStruck = true
        default: break
        }
        own.take(look)
        return own.opening
    }

    private static func name(_ inside: Substring) -> String { inside.prefix { $0.isLetter }.lowercased() }

    /// `</span>` for `<span …>`.
    private static func closing(_ opening: String) -> String { "</\(opening.dropFirst().prefix { $0.isLetter })>" }

    /// The colour of `font color="#rrggbb"`, or of a name in its place.
    private static func color(of inside: Substring) -> Color? {
        guard let range = inside.lowercased().firstRange(of: "color=") else { return nil }
        let value = inside.lowercased()[range.upperBound...].drop { $0 == "\"" || $0 == "'" }.prefix {
            $0.isHexDigit || $0.isLetter || $0 == "#"
        }
        return CaptionColor.named[String(value)] ?? Color(hex: String(value))
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
