internal import EditorCore

/// The looks that a WebVTT file gives to its captions, as the CSS of its `STYLE` blocks: `::cue` for all of a caption,
/// `::cue(b)`, `::cue(.loud)`, `::cue(i.loud)` and `::cue(v[voice="Anna"])` for what stands between such tags.
///
/// Of the properties count `color`, `background-color`, `font-weight`, `font-style` and `text-decoration`.
struct CueStyleSheet: Sendable {
    /// What a rule is for; empty parts fit all.
    private struct Selector: Sendable {
        var isWholeCue = false
        var element = ""
        var classes: [String] = []
        var voice: String?

        /// As in CSS: classes and attributes before elements.
        var specificity: Int { (classes.count + (voice == nil ? 0 : 1)) * 2 + (element.isEmpty ? 0 : 1) }
    }

    private struct Rule: Sendable {
        var selector: Selector
        var look: CueLook
    }

    /// The least specific first, and of one specificity in the file's order: what comes later wins.
    private var rules: [Rule] = []

    /// The look of everything in a caption.
    var wholeCue: CueLook {
        rules.lazy.filter(\.selector.isWholeCue).reduce(into: CueLook()) { $0.take($1.look) }
    }

    /// The look of what stands in a tag, such as `c.loud` or `v Anna`.
    func look(of tag: Substring) -> CueLook {
        let words = tag.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let names = (words.first ?? "").split(separator: ".").map(String.init)
        let element = names.first?.lowercased() ?? ""
        let voice = element == "v" && words.count > 1 ? words[1].trimmingBlanks : nil
        var look = Self.namedColors(names.dropFirst())
        for rule in rules where !rule.selector.isWholeCue {
            let selector = rule.selector
            if selector.element.isEmpty || selector.element == element,
                selector.classes.allSatisfy(names.dropFirst().contains),
                selector.voice == nil || selector.voice == voice
            {
                look.take(rule.look)
            }
        }
        return look
    }

    /// The classes that every player knows: `yellow`, `bg_blue`. Of several the last of the standard's list counts.
    private static func namedColors(_ classes: some Collection<String>) -> CueLook {
        func last(_ prefix: String) -> Color? {
            let given = classes.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            let standard = CaptionColor.standardClasses.last(where: given.contains)
            return (standard ?? given.last { CaptionColor.named[$0] != nil }).flatMap { CaptionColor.named[$0] }
        }
        return CueLook(color: last(""), background: last("bg_"))
    }

    // MARK: - Reading

    /// Reads the text of a `STYLE` block.
    /// - Returns: the selectors and properties that are left out.
    mutating func add(_ css: String) -> [String] {
        var ignored: [String] = []
        func leaveOut(_ text: String) { if !ignored.contains(text) { ignored.append(text) } }
        var rest = Self.withoutComments(css)[...]
        while let brace = rest.firstIndex(of: "{") {
            let selectors = rest[..<brace]
            let end = rest[brace...].firstIndex(of: "}") ?? rest.endIndex
            let look = Self.look(rest[rest.index(after: brace)..<end], leaveOut)
            for part in Self.split(selectors) {
                guard let found = Self.selectors(part) else {
                    leaveOut(part)
                    continue
                }
                rules += found.map { Rule(selector: $0, look: look) }
            }
            rest = end == rest.endIndex ? "" : rest[rest.index(after: end)...]
        }
        if !rest.allSatisfy(\.isWhitespace) { leaveOut(String(rest.trimmingBlanks.prefix(40))) }
        // A stable sort: equal ones keep the file's order.
        rules = rules.enumerated().sorted {
            ($0.element.selector.specificity, $0.offset) < ($1.element.selector.specificity, $1.offset)
        }.map(\.element)
        return ignored
    }

    private static func withoutComments(_ css: String) -> String {
        var (result, rest) = ("", css[...])
        while let start = rest.firstRange(of: "/*") {
            result += rest[..<start.lowerBound] + " "
            let comment = rest[start.upperBound...]
            rest = comment.firstRange(of: "*/").map { comment[$0.upperBound...] } ?? ""
        }
        return result + rest
    }

    /// The parts of a list between commas that stand in no brackets.
    private static func split(_ list: Substring) -> [String] {
        var (parts, depth) = ([""], 0)
        for character in list {
            if character == "(" || character == "[" { depth += 1 }
            if character == ")" || character == "]" { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { String($0.trimmingBlanks) }
    }

    /// `::cue` and `::cue(…)`; nil for others.
    private static func selectors(_ text: String) -> [Selector]? {
        guard text.hasPrefix("::cue") else { return nil }
        let rest = text.dropFirst(5)
        if rest.isEmpty { return [Selector(isWholeCue: true)] }
        guard rest.hasPrefix("("), rest.hasSuffix(")") else { return nil }
        let parts = split(rest.dropFirst().dropLast()).map(compound)
        return parts.contains { $0 == nil } ? nil : parts.compactMap { $0 }
    }

    /// `b`, `.loud`, `c.loud.fast`, `v[voice="Anna"]`.
    private static func compound(_ text: String) -> Selector? {
        guard
            let match = text.wholeMatch(
                of: /([A-Za-z]*|\*)((?:\.[-_A-Za-z0-9]+)*)(?:\[\s*voice\s*=\s*["']?([^"'\]]*)["']?\s*\])?/),
            !text.isEmpty
        else { return nil }
        let element = match.1 == "*" ? "" : match.1.lowercased()
        return Selector(
            element: element, classes: match.2.split(separator: ".").map(String.init), voice: match.3.map(String.init))
    }

    private static func look(_ declarations: Substring, _ leaveOut: (String) -> Void) -> CueLook {
        var look = CueLook()
        for declaration in declarations.split(separator: ";") where !declaration.allSatisfy(\.isWhitespace) {
            let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.trimmingBlanks.lowercased() }
            guard parts.count == 2 else {
                leaveOut(String(declaration.trimmingBlanks))
                continue
            }
            let value = parts[1].replacing("!important", with: "").trimmingBlanks
            let isKnown =
                switch parts[0] {
                case "color": set(&look.color, CaptionColor.css(value))
                case "background-color", "background": set(&look.background, CaptionColor.css(value))
                case "font-weight": set(&look.isBold, isBold(String(value)))
                case "font-style":
                    set(&look.isItalic, ["italic": true, "oblique": true, "normal": false][String(value)])
                case "text-decoration", "text-decoration-line": setLines(&look, String(value))
                default: false
                }
            if !isKnown { leaveOut(parts[0]) }
        }
        return look
    }

    private static func set<Value>(_ property: inout Value?, _ value: Value?) -> Bool {
        property = value ?? property
        return value != nil
    }

    private static func isBold(_ value: String) -> Bool? {
        if let number = Double(value) { return number >= 600 }
        return ["bold": true, "bolder": true, "normal": false, "lighter": false][value]
    }

    private static func setLines(_ look: inout CueLook, _ value: String) -> Bool {
        let words = Set(value.split(whereSeparator: \.isWhitespace).map(String.init))
        guard words.isSubset(of: ["underline", "line-through", "none"]), !words.isEmpty else { return false }
        (look.isUnderlined, look.isStruck) = (words.contains("underline"), words.contains("line-through"))
        return true
    }
}
