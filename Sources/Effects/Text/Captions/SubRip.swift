/// SubRip (`.srt`): a number, `00:00:01,000 --> 00:00:02,500`, lines of text, a blank line.
enum SubRip {
    /// The number may be missing, hours too, and a full stop may stand for the comma, as many programs write them.
    static func read(_ text: String) -> CaptionFile {
        var blocks = TimedBlocks(text, dialect: .subRip)
        while true {
            blocks.lines.skipBlank()
            guard let line = blocks.lines.peek else { break }
            if line.trimmingBlanks.allSatisfy(\.isNumber) {
                let place = blocks.lines.number
                _ = blocks.lines.take()
                guard let next = blocks.lines.peek, !next.allSatisfy(\.isWhitespace) else {
                    blocks.file.errors.append(.line(place, "the caption \(line.trimmingBlanks) has no times"))
                    continue
                }
            }
            blocks.takeCue()
        }
        return blocks.finished()
    }
}
