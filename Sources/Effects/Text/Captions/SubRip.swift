internal import EditorCore

/// SubRip (`.srt`): a number, `00:00:01,000 --> 00:00:02,500`, lines of text, a blank line.
enum SubRip {
    /// The number may be missing, hours too, and a full stop may stand for the comma, as many programs write them.
    static func read(_ text: String) -> CaptionFile {
        var file = CaptionFile()
        var lines = NumberedLines(text)
        while true {
            lines.skipBlank()
            guard var line = lines.peek else { break }
            let start = lines.number
            if !line.isEmpty, line.trimmingBlanks.allSatisfy(\.isNumber), CaptionTime.range(line) == nil {
                _ = lines.take()
                guard let second = lines.peek, !second.allSatisfy(\.isWhitespace) else {
                    file.errors.append(.line(start, "the caption \(line.trimmingBlanks) has no times"))
                    continue
                }
                line = second
            }
            let place = lines.number
            switch CaptionTime.range(line) {
            case nil:
                file.errors.append(
                    .line(
                        place,
                        "\"\(line.trimmingBlanks.prefix(40))\" stands where times such as 00:00:01,000 --> 00:00:02,500 belong"
                    ))
                _ = lines.takeBlock()
            case .failure(let problem)?:
                file.errors.append(.line(place, problem.message))
                _ = lines.takeBlock()
            case .success(let range)?:
                _ = lines.take()
                guard let text = file.text(of: lines.takeBlock(), .subRip, at: place) else { continue }
                file.add(
                    Cue(
                        range: range, content: .markup(text.markup), plain: text.plain, standing: text.standing),
                    at: "line \(place)")
            }
        }
        if file.cues.isEmpty, file.errors.isEmpty { file.warnings.append(.line(1, "the file holds no caption")) }
        return file
    }
}
