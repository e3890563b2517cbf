internal import EditorCore

extension Cue {
    /// The caption for a subtitle track.
    var subtitle: SubtitleCue {
        SubtitleCue(range: range, runs: content.isMarkup ? Self.runs(ofMarkup: content.string) : [.init(plain)])
    }

    /// The looks of markup as this module writes it: `<b> <i> <u> <s> <span …>`, and three entities.
    static func runs(ofMarkup markup: String) -> [SubtitleCue.Run] {
        var runs: [SubtitleCue.Run] = []
        // What each open tag adds.
        var open: [(isBold: Bool, isItalic: Bool, isUnderlined: Bool)] = []
        var rest = markup[...]
        while let first = rest.first {
            if first == "<", let end = rest.firstIndex(of: ">") {
                let tag = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
                if tag.first == "/" {
                    _ = open.popLast()
                } else {
                    open.append(
                        (
                            tag == "b" || tag.contains("weight=\"7"), tag == "i" || tag.contains("style=\"italic"),
                            tag == "u" || tag.contains("underline=\"single")
                        ))
                }
                continue
            }
            // A bracket that opens no tag is text.
            let text = first == "<" ? rest.prefix(1) : rest.prefix { $0 != "<" }
            rest = rest[text.endIndex...]
            let plain = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
            runs.append(
                .init(
                    String(plain), isBold: open.contains { $0.isBold }, isItalic: open.contains { $0.isItalic },
                    isUnderlined: open.contains { $0.isUnderlined }))
        }
        return runs
    }
}
