/// WebVTT (W3C): `WEBVTT`, then blocks: notes, which are passed over, styles, regions, which are passed over and warned
/// of, and cues with their settings.
enum WebVTT {
    static func read(_ text: String) -> CaptionFile {
        var blocks = TimedBlocks(text, dialect: .webVTT)
        let header = blocks.lines.take()
        if header != "WEBVTT", let next = header.dropFirst(6).first, !next.isWhitespace {
            blocks.file.errors.append(
                .line(1, "\"\(header.prefix(40))\" is no WebVTT header: a blank follows WEBVTT"))
            return blocks.file
        }
        _ = blocks.lines.takeBlock()
        while true {
            blocks.lines.skipBlank()
            guard let line = blocks.lines.peek else { break }
            let place = blocks.lines.number
            switch line.contains("-->") ? "" : String(line.prefix { !$0.isWhitespace }) {
            case "NOTE": _ = blocks.lines.takeBlock()
            case "REGION":
                blocks.file.warnings.append(
                    .line(place, "the REGION block is left out; captions stand where they or the effect say"))
                _ = blocks.lines.takeBlock()
            case "STYLE":
                let ignored = blocks.styles.add(blocks.lines.takeBlock().dropFirst().joined(separator: "\n"))
                if !ignored.isEmpty {
                    blocks.file.warnings.append(
                        .line(
                            place,
                            "of the STYLE block, \(ignored.prefix(8).joined(separator: ", "))"
                                + "\(ignored.count > 8 ? " and others are" : ignored.count == 1 ? " is" : " are") left out"
                        ))
                }
            default:
                // A cue's name stands on a line of its own.
                if CaptionTime.range(line) == nil,
                    blocks.lines.peekSecond.map({ CaptionTime.range($0) != nil }) == true
                {
                    _ = blocks.lines.take()
                }
                blocks.takeCue()
            }
        }
        return blocks.finished()
    }
}
