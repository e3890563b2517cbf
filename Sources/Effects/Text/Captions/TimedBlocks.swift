internal import EditorCore

/// The cues of SubRip and WebVTT: a line with two times, then lines of text up to a blank one.
struct TimedBlocks {
    var file = CaptionFile()
    var lines: NumberedLines
    /// Looks for the cues that follow.
    var styles = CueStyleSheet()
    private let dialect: CueText.Dialect

    init(_ text: String, dialect: CueText.Dialect) {
        lines = NumberedLines(text)
        self.dialect = dialect
    }

    /// Reads the cue whose times stand in the next line.
    mutating func takeCue() {
        let place = lines.number
        let times = lines.peek ?? ""
        switch CaptionTime.range(times) {
        case nil:
            let example =
                dialect == .subRip ? "00:00:01,000 --> 00:00:02,500" : "00:01.000 --> 00:02.500"
            file.errors.append(
                .line(place, "\"\(times.trimmingBlanks.prefix(40))\" stands where times such as \(example) belong"))
            _ = lines.takeBlock()
        case .failure(let problem)?:
            file.errors.append(.line(place, problem.message))
            _ = lines.takeBlock()
        case .success(let range)?:
            _ = lines.take()
            guard let text = file.text(of: lines.takeBlock(), dialect, styles, at: place) else { return }
            file.add(
                Cue(
                    range: range, content: .markup(text.markup), plain: text.plain,
                    words: Cue.words(of: text.plain, marks: text.timestamps, in: range),
                    standing: dialect == .subRip ? text.standing : CueStanding(webVTT: Self.settings(times))),
                at: "line \(place)")
        }
    }

    /// What was read.
    func finished() -> CaptionFile {
        var file = file
        if file.cues.isEmpty, file.errors.isEmpty { file.warnings.append(.line(1, "the file holds no caption")) }
        return file
    }

    /// What stands after the second time.
    private static func settings(_ line: String) -> Substring {
        guard let arrow = line.firstRange(of: "-->") else { return "" }
        return line[arrow.upperBound...].drop(while: \.isWhitespace).drop { !$0.isWhitespace }
    }
}
