internal import EditorCore

/// What a file of captions holds, and what is wrong with it.
struct CaptionFile: Sendable {
    /// A problem at a line, counted from 1, or at a place in a JSON document.
    struct Problem: Sendable, Hashable {
        var place: String
        var message: String

        static func line(_ number: Int, _ message: String) -> Problem {
            Problem(place: "line \(number)", message: message)
        }
    }

    /// In order of their starts.
    private(set) var cues: [Cue] = []
    var errors: [Problem] = []
    var warnings: [Problem] = []
    /// When the captions of each place end.
    private var latestEnds: [CueStanding: MediaTime] = [:]

    /// Two cues that share less than this are meant to follow each other.
    static let shortestOverlap = MediaTime(value: 1, timescale: 4)

    /// Reads SubRip, WebVTT, SubStation Alpha or JSON, told apart by how the text begins.
    init(_ text: String, maxWords: Int) {
        let text = text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text
        let start = text.first { !$0.isWhitespace }
        if start == nil {
            errors.append(.line(1, "the file is empty"))
        } else if text.hasPrefix("WEBVTT") {
            self = WebVTT.read(text)
        } else if SubStationAlpha.begins(text) {
            self = SubStationAlpha.read(text)
        } else if start == "{" || start == "[" {
            self = WordTimings.read(text, maxWords: maxWords)
        } else {
            self = SubRip.read(text)
        }
    }

    init() {}

    /// The text of a cue's lines; nil, and an error, when there is too much of it to be one caption.
    mutating func text(
        of lines: [String], _ dialect: CueText.Dialect, _ styles: CueStyleSheet, at line: Int
    ) -> CueText? {
        let source = lines.joined(separator: "\n")
        guard source.utf8.count <= TextContent.mostBytes else {
            errors.append(
                .line(line, "the caption has \(source.utf8.count) bytes of text; \(TextContent.mostBytes) are the most")
            )
            return nil
        }
        return CueText(source, dialect: dialect, styles: styles)
    }

    /// Takes a cue that `place` in the file tells of, and checks its times.
    mutating func add(_ cue: Cue, at place: String) {
        if cue.range.duration < .zero {
            errors.append(
                Problem(
                    place: place,
                    message: "the caption ends at \(cue.range.end) s, before it starts at \(cue.range.start) s"))
        } else if cue.range.duration == .zero {
            warnings.append(
                Problem(place: place, message: "the caption starts and ends at \(cue.range.start) s and never shows"))
        } else if cue.plain.utf8.count > TextContent.mostBytes {
            errors.append(
                Problem(place: place, message: "the caption has more than \(TextContent.mostBytes) bytes of text"))
        } else if !cue.plain.allSatisfy(\.isWhitespace) {
            let latestEnd = latestEnds[cue.standing] ?? .zero
            if let last = cues.last, cue.range.start >= last.range.start, cue.range.start < latestEnd {
                warnings.append(
                    Problem(
                        place: place,
                        message:
                            "the caption starts at \(cue.range.start) s, before an earlier one ends at \(latestEnd) s"))
            }
            latestEnds[cue.standing] = max(latestEnd, cue.range.end)
            // Nearly always in order, so this looks at the end only.
            let position = cues.lastIndex { $0.range.start <= cue.range.start }.map { $0 + 1 } ?? 0
            cues.insert(cue, at: position)
        }
    }

    /// Lets each cue stand until the next begins when less than `pause` lies between them.
    mutating func bridge(pausesBelow pause: MediaTime) {
        for index in cues.indices.dropLast() {
            let (end, next) = (cues[index].range.end, cues[index + 1].range.start)
            if next > end, next < end + pause {
                cues[index].range = TimeRange(start: cues[index].range.start, end: next)
            }
        }
    }

    /// The cues as one sequence without overlaps: a short one is cut from the earlier cue; in a long one both show, one
    /// above the other.
    func sequence() -> [Cue] { Self.sequence(of: cues) }

    /// The cues of each place as sequences of their own, put together in order of their starts: cues that stand in
    /// different places do not touch each other.
    func placed() -> [Cue] {
        var places: [CueStanding: [Cue]] = [:]
        for cue in cues { places[cue.standing, default: []].append(cue) }
        let sequences = places.values.flatMap { Self.sequence(of: $0) }
        // A start may be shared by cues of different places; the file's order decides which is drawn first.
        let order = Dictionary(
            cues.enumerated().map { ($1.standing, $0) }, uniquingKeysWith: { first, _ in first })
        return sequences.sorted {
            ($0.range.start, order[$0.standing] ?? 0) < ($1.range.start, order[$1.standing] ?? 0)
        }
    }

    private static func sequence(of cues: [Cue]) -> [Cue] {
        var cut = cues
        for index in cut.indices.dropLast() {
            let range = cut[index].range
            let next = cut[(index + 1)...].prefix { $0.range.start < range.end }.map(\.range.start)
                .first { $0 > range.start && range.end < $0 + shortestOverlap }
            if let next { cut[index].range = TimeRange(start: range.start, end: next) }
        }
        return CueSection.sections(of: cut.map(\.range)).map { section in
            stack(section.shown.map { cut[$0] }, section.range)
        }
    }

    private static func stack(_ cues: [Cue], _ range: TimeRange) -> Cue {
        guard cues.count > 1 else {
            var cue = cues[0]
            cue.range = range
            return cue
        }
        var (string, plain, words) = ("", "", [Cue.Word]())
        for cue in cues {
            if !plain.isEmpty {
                string += "\n"
                plain += "\n"
            }
            let start = plain.utf8.count
            words += cue.words.map {
                Cue.Word(bytes: $0.bytes.lowerBound + start..<$0.bytes.upperBound + start, start: $0.start, end: $0.end)
            }
            string += cue.content.isMarkup ? cue.content.string : CueText.escaped(cue.content.string)
            plain += cue.plain
        }
        return Cue(
            range: range, content: .markup(string), plain: plain, words: words.sorted { $0.start < $1.start },
            standing: cues[0].standing)
    }
}
