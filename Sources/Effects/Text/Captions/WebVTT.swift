internal import EditorCore

/// WebVTT (W3C): `WEBVTT`, then blocks: notes, styles and regions, which are passed over, and cues.
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
            if !line.contains("-->"), ["NOTE", "STYLE", "REGION"].contains(String(line.prefix { !$0.isWhitespace })) {
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
                        words: words(of: text, in: range)),
                    at: "line \(place)")
            }
        }
        if file.cues.isEmpty, file.errors.isEmpty { file.warnings.append(.line(1, "the file holds no caption")) }
        return file
    }

    /// Words from the times within the cue: what stands after a time is spoken from then on.
    private static func words(of text: CueText, in range: TimeRange) -> [Cue.Word] {
        if text.timestamps.isEmpty { return [] }
        let marks =
            [(offset: 0, time: range.start)] + text.timestamps + [(offset: text.plain.utf8.count, time: range.end)]
        let found = WordRanges.words(in: text.plain)
        var words: [Cue.Word] = []
        for (mark, next) in zip(marks, marks.dropFirst()) {
            let within = found.filter { $0.lowerBound >= mark.offset && $0.lowerBound < next.offset }
            guard let first = within.first, let last = within.last, next.time > mark.time else { continue }
            words.append(Cue.Word(bytes: first.lowerBound..<last.upperBound, start: mark.time, end: next.time))
        }
        return words
    }
}
