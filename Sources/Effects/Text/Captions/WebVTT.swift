internal import EditorCore

/// WebVTT (W3C): `WEBVTT`, then blocks: notes, which are passed over, styles and regions, which are too and warned of,
/// and cues with their settings.
enum WebVTT {
    static func read(_ text: String) -> CaptionFile {
        var file = CaptionFile()
        var lines = NumberedLines(text)
        let header = lines.take()
        if header != "WEBVTT", let next = header.dropFirst(6).first, !next.isWhitespace {
            file.errors.append(.line(1, "\"\(header.prefix(40))\" is no WebVTT header: a blank follows WEBVTT"))
            return file
        }
        _ = lines.takeBlock()
        while true {
            lines.skipBlank()
            guard let line = lines.peek else { break }
            let word = String(line.prefix { !$0.isWhitespace })
            if !line.contains("-->"), ["NOTE", "STYLE", "REGION"].contains(word) {
                if word != "NOTE" {
                    file.warnings.append(
                        .line(lines.number, "the \(word) block is left out; the look is that of the effect"))
                }
                _ = lines.takeBlock()
                continue
            }
            // A cue's name stands on a line of its own.
            if CaptionTime.range(line) == nil, lines.peekSecond.map({ CaptionTime.range($0) != nil }) == true {
                _ = lines.take()
            }
            let place = lines.number
            let times = lines.peek ?? ""
            switch CaptionTime.range(times) {
            case nil:
                file.errors.append(
                    .line(
                        place,
                        "\"\(times.trimmingBlanks.prefix(40))\" stands where times such as 00:01.000 --> 00:02.500 belong"
                    ))
                _ = lines.takeBlock()
            case .failure(let problem)?:
                file.errors.append(.line(place, problem.message))
                _ = lines.takeBlock()
            case .success(let range)?:
                _ = lines.take()
                guard let text = file.text(of: lines.takeBlock(), .webVTT, at: place) else { continue }
                file.add(
                    Cue(
                        range: range, content: .markup(text.markup), plain: text.plain,
                        words: Cue.words(of: text.plain, marks: text.timestamps, in: range),
                        standing: CueStanding(webVTT: settings(times))),
                    at: "line \(place)")
            }
        }
        if file.cues.isEmpty, file.errors.isEmpty { file.warnings.append(.line(1, "the file holds no caption")) }
        return file
    }

    /// What stands after the second time.
    private static func settings(_ line: String) -> Substring {
        guard let arrow = line.firstRange(of: "-->") else { return "" }
        return line[arrow.upperBound...].drop(while: \.isWhitespace).drop { !$0.isWhitespace }
    }
}
