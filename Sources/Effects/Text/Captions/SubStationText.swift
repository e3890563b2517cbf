internal import EditorCore

/// The text of a dialogue of SubStation Alpha as Pango markup, with what its override tags (`{\b1\pos(10,20)}`) say.
///
/// Kept are `\b \i \u \s \c \1c \fs \r \an \a \pos \k \p`, and `\N \n \h` in the text.
struct SubStationText {
    /// How letters look, as far as it differs from the effect's look.
    struct Look: Hashable {
        var isBold = false
        /// CSS's weight, where a tag gives one.
        var weight: Int?
        var isItalic = false
        var isUnderlined = false
        var isStruck = false
        var color: Color?
        /// 1 is the effect's size.
        var size = 1.0
    }

    private(set) var markup = ""
    private(set) var plain = ""
    /// Where karaoke's syllables begin, and how long after the caption.
    private(set) var timestamps: [(offset: Int, after: MediaTime)] = []
    /// As on a numeric keypad.
    private(set) var alignment: Int?
    /// In units of the script's resolution.
    private(set) var position: Point?
    /// Names of the tags that are left out.
    private(set) var ignored: [String] = []

    private var look: Look
    private let style: Look
    private let styles: [String: Look]
    private let firstSize: Double?
    private var run = ""
    private var isDrawing = false
    private var sung = MediaTime.zero

    /// - Parameters:
    ///   - styles: of the file, by name, for `\r`.
    ///   - firstSize: the font size that stands for the effect's.
    init(_ source: Substring, style: Look, styles: [String: Look] = [:], firstSize: Double? = nil) {
        (self.style, self.styles, self.firstSize) = (style, styles, firstSize)
        look = style
        var rest = source
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}") {
                let tags = rest[rest.index(after: rest.startIndex)..<end]
                endRun()
                for tag in Self.split(tags) { take(tag) }
                rest = rest[rest.index(after: end)...]
                continue
            }
            rest.removeFirst()
            if character == "\\", let next = rest.first, "Nnh".contains(next) {
                rest.removeFirst()
                // \n is a blank unless lines wrap at \N alone, which a canvas of another shape cannot keep to.
                add(next == "N" ? "\n" : next == "h" ? "\u{a0}" : " ")
            } else {
                add(character)
            }
        }
        endRun()
    }

    /// The alignment of the older format: 1 2 3 at the bottom, 5 6 7 at the top, 9 10 11 in the middle.
    static func keypad(old alignment: Int) -> Int {
        switch alignment {
        case 1...3: alignment
        case 5...7: alignment + 2
        case 9...11: alignment - 5
        default: 2
        }
    }

    private mutating func add(_ character: Character) {
        // Between \p1 and \p0 there is a drawing and no text.
        guard !isDrawing else { return }
        run.append(character)
    }

    private mutating func endRun() {
        guard !run.isEmpty else { return }
        let text = TextContent.plain(run).string
        run = ""
        var attributes = ""
        if let weight = look.weight ?? (look.isBold ? 700 : nil) { attributes += " weight=\"\(weight)\"" }
        if look.isItalic { attributes += " style=\"italic\"" }
        if look.isUnderlined { attributes += " underline=\"single\"" }
        if look.isStruck { attributes += " strikethrough=\"true\"" }
        if let color = look.color { attributes += " foreground=\"\(color.markup)\"" }
        let percent = Int((min(10, max(0.1, look.size)) * 100).rounded())
        if percent != 100 { attributes += " size=\"\(percent)%\"" }
        markup += attributes.isEmpty ? CueText.escaped(text) : "<span\(attributes)>\(CueText.escaped(text))</span>"
        plain += text
    }

    /// The tags of a pair of braces, without their backslashes; brackets hold backslashes of their own.
    private static func split(_ tags: Substring) -> [Substring] {
        var result: [Substring] = []
        var depth = 0
        var start: Substring.Index?
        for index in tags.indices {
            switch tags[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "\\" where depth <= 0:
                if let start { result.append(tags[start..<index]) }
                start = tags.index(after: index)
            default: break
            }
        }
        if let start { result.append(tags[start...]) }
        return result
    }

    private mutating func take(_ tag: Substring) {
        let tag = Substring(tag.trimmingBlanks)
        // 1c begins with a digit; else a name is letters.
        let digits = tag.prefix(1).prefix { $0.isNumber }
        let name = String(digits + tag.dropFirst(digits.count).prefix { $0.isLetter })
        func argument(of name: String) -> Substring? { tag.hasPrefix(name) ? tag.dropFirst(name.count) : nil }
        // Names run into their arguments, so those that take words come first and short ones last.
        if let text = argument(of: "pos") {
            let parts = text.drop { $0 == "(" }.prefix { $0 != ")" }.split(separator: ",")
                .compactMap { Double($0.trimmingBlanks) }
            if parts.count == 2, position == nil { position = Point(parts[0], parts[1]) }
        } else if let text = argument(of: "an"), let key = Int(text) {
            if alignment == nil, (1...9).contains(key) { alignment = key }
        } else if name == "a", let old = Int(tag.dropFirst()) {
            if alignment == nil { alignment = Self.keypad(old: old) }
        } else if name == "fs", let text = argument(of: "fs") {
            setSize(text)
        } else if let text = argument(of: "1c")
            ?? (name.hasPrefix("c") && !name.hasPrefix("clip") ? argument(of: "c") : nil)
        {
            look.color = text.isEmpty ? style.color : CaptionColor.subStation(text) ?? look.color
        } else if tag.hasPrefix("r") {
            look = styles[String(tag.dropFirst())] ?? style
        } else if name == "b" {
            let value = Int(tag.dropFirst())
            look.weight = value.flatMap { (100...1000).contains($0) ? $0 : nil }
            look.isBold = value.map { $0 != 0 } ?? style.isBold
        } else if name == "i" {
            look.isItalic = Int(tag.dropFirst()).map { $0 != 0 } ?? style.isItalic
        } else if name == "u" {
            look.isUnderlined = Int(tag.dropFirst()).map { $0 != 0 } ?? style.isUnderlined
        } else if name == "s" {
            look.isStruck = Int(tag.dropFirst()).map { $0 != 0 } ?? style.isStruck
        } else if ["k", "K", "kf", "ko"].contains(name) {
            // Hundredths of a second.
            timestamps.append((plain.utf8.count, sung))
            if let length = Double(tag.drop(while: \.isLetter)), (0...1e6).contains(length) {
                sung += MediaTime(value: Int64(length), timescale: 100)
            }
        } else if name == "p", let scale = Int(tag.dropFirst()) {
            isDrawing = scale > 0
        } else if !tag.isEmpty {
            let known = name.isEmpty ? String(tag.prefix(8)) : name
            if !ignored.contains(known) { ignored.append(known) }
        }
    }

    /// `\fs40`, `\fs+10` and `\fs-10` (tenths of the present size more or less), and `\fs`, the style's.
    private mutating func setSize(_ text: Substring) {
        guard let value = Double(text) else {
            look.size = style.size
            return
        }
        if text.hasPrefix("+") || text.hasPrefix("-") {
            look.size *= max(0.1, 1 + value / 10)
        } else if let firstSize, value > 0 {
            look.size = value / firstSize
        }
    }
}
