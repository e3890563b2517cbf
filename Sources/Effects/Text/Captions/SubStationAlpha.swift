internal import EditorCore

/// SubStation Alpha (`.ass`, `.ssa`), in its simple parts: `[Script Info]`, the styles, and the dialogue.
///
/// The effect's own look stays: its font, and its size for the first style. Of the styles count boldness, slant, lines,
/// a colour other than white, an alignment other than the bottom's middle, and sizes in proportion to the first style's.
enum SubStationAlpha {
    /// A style of the file, as far as it counts.
    struct Style {
        var text = SubStationText.Look()
        /// As on a numeric keypad.
        var alignment = 2
        /// Left, right, vertical; units of the script's resolution.
        var margins = (left: 0.0, right: 0.0, vertical: 0.0)
    }

    static func begins(_ text: String) -> Bool {
        let start = text.drop(while: \.isWhitespace).prefix(20).lowercased()
        return ["[script info]", "[v4 styles]", "[v4+ styles]", "[events]"].contains { start.hasPrefix($0) }
    }

    static func read(_ text: String) -> CaptionFile {
        var reader = Reader()
        var lines = NumberedLines(text)
        while !lines.isAtEnd {
            let number = lines.number
            reader.take(lines.take(), at: number)
        }
        return reader.finished()
    }

    private struct Reader {
        var file = CaptionFile()
        var section = ""
        /// What SubStation takes where the script says nothing.
        var resolution = (x: 384.0, y: 288.0)
        var styles: [String: Style] = [:]
        /// The size of the first style, which is the effect's.
        var firstSize: Double?
        var isOld = false
        var styleColumns = columns(
            "Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, "
                + "StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, "
                + "MarginV, Encoding")
        var eventColumns = columns("Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text")
        /// Tags that are left out, each with the first line that has it.
        var ignored: [(tag: String, line: Int)] = []

        mutating func take(_ line: String, at number: Int) {
            let line = line.trimmingBlanks
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = line.lowercased()
                isOld = isOld || section == "[v4 styles]"
                return
            }
            guard !line.hasPrefix(";"), let colon = line.firstIndex(of: ":") else { return }
            let key = line[..<colon].trimmingBlanks.lowercased()
            let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
            switch (section, key) {
            case ("[script info]", "playresx"): resolution.x = positive(value) ?? resolution.x
            case ("[script info]", "playresy"): resolution.y = positive(value) ?? resolution.y
            case ("[v4+ styles]", "format"), ("[v4 styles]", "format"): styleColumns = Self.columns(value)
            case ("[v4+ styles]", "style"), ("[v4 styles]", "style"): takeStyle(value)
            case ("[events]", "format"): eventColumns = Self.columns(value)
            case ("[events]", "dialogue"): takeDialogue(value, at: number)
            default: break
            }
        }

        static func columns(_ list: some StringProtocol) -> [String] {
            list.split(separator: ",").map { $0.trimmingBlanks.lowercased() }
        }

        private func positive(_ text: Substring) -> Double? {
            Double(text.trimmingBlanks).flatMap { $0 > 0 ? $0 : nil }
        }

        private func fields(_ value: Substring, _ columns: [String]) -> [String: Substring] {
            let values = value.split(
                separator: ",", maxSplits: max(0, columns.count - 1), omittingEmptySubsequences: false)
            return Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
        }

        private mutating func takeStyle(_ value: Substring) {
            let fields = fields(value, styleColumns)
            guard let name = fields["name"]?.trimmingBlanks else { return }
            func number(_ key: String) -> Double? { fields[key].flatMap { Double($0.trimmingBlanks) } }
            func isOn(_ key: String) -> Bool { (number(key) ?? 0) != 0 }
            var style = Style()
            let size = number("fontsize") ?? 0
            if firstSize == nil, size > 0 { firstSize = size }
            style.text = SubStationText.Look(
                isBold: isOn("bold"), isItalic: isOn("italic"), isUnderlined: isOn("underline"),
                isStruck: isOn("strikeout"),
                color: fields["primarycolour"].flatMap { CaptionColor.subStation(Substring($0.trimmingBlanks)) }
                    .flatMap { $0 == .white ? nil : $0 },
                size: size > 0 ? size / (firstSize ?? size) : 1)
            let alignment = Int(number("alignment") ?? 2)
            style.alignment = isOld ? SubStationText.keypad(old: alignment) : alignment
            style.margins = (number("marginl") ?? 0, number("marginr") ?? 0, number("marginv") ?? 0)
            styles[name] = style
        }

        private mutating func takeDialogue(_ value: Substring, at line: Int) {
            let fields = fields(value, eventColumns)
            guard let text = fields["text"] else {
                file.errors.append(.line(line, "the dialogue has fewer parts than its Format line names"))
                return
            }
            var times: [MediaTime] = []
            for key in ["start", "end"] {
                let written = fields[key]?.trimmingBlanks ?? ""
                guard let time = CaptionTime.parse(written[...]) else {
                    file.errors.append(.line(line, "\"\(written)\" is no time such as 0:00:01.50"))
                    return
                }
                guard time >= .zero else {
                    file.errors.append(.line(line, "the time \(written) is before the movie's start"))
                    return
                }
                times.append(time)
            }
            let range = TimeRange(start: times[0], end: times[1])
            guard text.utf8.count <= TextContent.mostBytes else {
                file.errors.append(
                    .line(line, "the caption has \(text.utf8.count) bytes; \(TextContent.mostBytes) are the most"))
                return
            }
            // A star before a style's name meant something once.
            let name = fields["style"]?.trimmingBlanks.drop { $0 == "*" } ?? ""
            let style = styles[String(name)] ?? styles["Default"] ?? Style()
            let read = SubStationText(text, style: style.text, styles: styles.mapValues(\.text), firstSize: firstSize)
            for tag in read.ignored where !ignored.contains(where: { $0.tag == tag }) { ignored.append((tag, line)) }
            file.add(
                Cue(
                    range: range, content: .markup(read.markup), plain: read.plain,
                    words: Cue.words(
                        of: read.plain, marks: read.timestamps.map { ($0.offset, range.start + $0.after) }, in: range),
                    standing: standing(style, read, fields)),
                at: "line \(line)")
        }

        private func standing(_ style: Style, _ text: SubStationText, _ fields: [String: Substring]) -> CueStanding {
            func margin(_ key: String, _ styles: Double) -> Double {
                // 0 leaves it to the style.
                fields[key].flatMap { Double($0.trimmingBlanks) }.flatMap { $0 > 0 ? $0 : nil } ?? styles
            }
            let key = text.alignment ?? style.alignment
            let isRight = key % 3 == 0
            let side = isRight ? margin("marginr", style.margins.right) : margin("marginl", style.margins.left)
            var standing = CueStanding(
                keypad: key, side: min(0.5, side / resolution.x),
                top: min(0.5, margin("marginv", style.margins.vertical) / resolution.y))
            if let position = text.position {
                let block = (x: [1, 0, 0.5][key % 3], y: key >= 7 ? 0 : key >= 4 ? 0.5 : 1)
                standing.column = .init(canvas: position.x / resolution.x, block: block.x)
                standing.row = .hold(.init(canvas: position.y / resolution.y, block: block.y))
            }
            return standing
        }

        mutating func finished() -> CaptionFile {
            if let first = ignored.first {
                let names = ignored.prefix(8).map { "\\" + $0.tag }.joined(separator: ", ")
                file.warnings.append(
                    .line(
                        first.line,
                        "\(names)\(ignored.count > 8 ? " and others" : "") \(ignored.count == 1 ? "is" : "are") left out, "
                            + "here and wherever the file has \(ignored.count == 1 ? "it" : "them")"))
            }
            if file.cues.isEmpty, file.errors.isEmpty { file.warnings.append(.line(1, "the file holds no caption")) }
            return file
        }
    }
}
