internal import EditorCore

/// JSON with the times of words, as speech recognisers and caption tools write it.
///
/// A list of words, or an object with `words`, or with `segments` that each have `words` (or only `text`). A word has
/// `text` or `word`, and `start` and `end` in seconds or `startMs` and `endMs`. Words of a flat list are put together
/// into captions: a new one begins after `maxWords` words, after a pause, and after the end of a sentence.
enum WordTimings {
    private struct TimedText {
        var text: String
        var start: MediaTime
        var end: MediaTime
        var place: String
    }

    /// A pause that begins a new caption.
    private static let pause = MediaTime(value: 8, timescale: 10)

    static func read(_ text: String, maxWords: Int) -> CaptionFile {
        var file = CaptionFile()
        let json: JSONValue
        do {
            json = try ConfigurationDocument.parse(utf8: Array(text.utf8), name: "the document") ?? .null
        } catch let error as EditorError {
            file.errors.append(.init(place: "the document", message: error.findings.first?.message ?? error.message))
            return file
        } catch {
            file.errors.append(.init(place: "the document", message: "\(error)"))
            return file
        }
        if case .array(let words) = json {
            let read = words.enumerated().compactMap { timed($1, at: "/\($0)", &file) }
            for page in pages(read, maxWords) { add(page, to: &file) }
        } else if case .array(let words)? = json["words"] {
            let read = words.enumerated().compactMap { timed($1, at: "/words/\($0)", &file) }
            for page in pages(read, maxWords) { add(page, to: &file) }
        } else if case .array(let segments)? = json["segments"] {
            for (index, segment) in segments.enumerated() {
                let place = "/segments/\(index)"
                if case .array(let words)? = segment["words"], !words.isEmpty {
                    let read = words.enumerated().compactMap { timed($1, at: "\(place)/words/\($0)", &file) }
                    for page in pages(read, maxWords) { add(page, to: &file) }
                } else if let whole = timed(segment, at: place, &file) {
                    let text = whole.text.trimmingBlanks
                    file.add(
                        Cue(range: TimeRange(start: whole.start, end: whole.end), content: .plain(text), plain: text),
                        at: place)
                }
            }
        } else {
            file.errors.append(
                .init(place: "the document", message: "it has neither words nor segments and is no list of words"))
        }
        file.bridge(pausesBelow: pause)
        return file
    }

    private static func timed(_ value: JSONValue, at place: String, _ file: inout CaptionFile) -> TimedText? {
        guard case .string(let text)? = value["text"] ?? value["word"] else {
            file.errors.append(
                .init(
                    place: place,
                    message: "a text and its times are needed, such as {\"text\": \"so\", \"start\": 1.2, \"end\": 1.4}"
                ))
            return nil
        }
        var times: [MediaTime] = []
        for (key, millisecondKey) in [("start", "startMs"), ("end", "endMs")] {
            var time: MediaTime?
            if case .number(let seconds)? = value[key] { time = MediaTime(decimal: seconds) }
            if case .number(let milliseconds)? = value[millisecondKey] {
                time = MediaTime(decimal: milliseconds / 1000)
            }
            guard let time else {
                file.errors.append(
                    .init(place: place, message: "\"\(text)\" has no \(key) (seconds) or \(millisecondKey)"))
                return nil
            }
            guard time >= .zero else {
                file.errors.append(.init(place: place, message: "\"\(text)\" has the negative time \(time)"))
                return nil
            }
            times.append(time)
        }
        guard times[1] >= times[0] else {
            file.errors.append(
                .init(place: place, message: "\"\(text)\" ends at \(times[1]) s, before it starts at \(times[0]) s"))
            return nil
        }
        return TimedText(text: text, start: times[0], end: times[1], place: place)
    }

    private static func pages(_ words: [TimedText], _ maxWords: Int) -> [[TimedText]] {
        var pages: [[TimedText]] = []
        for word in words where !word.text.allSatisfy(\.isWhitespace) {
            if let page = pages.last, let last = page.last, page.count < maxWords, word.start < last.end + pause,
                !endsSentence(last.text)
            {
                pages[pages.count - 1].append(word)
            } else {
                pages.append([word])
            }
        }
        return pages
    }

    private static func endsSentence(_ text: String) -> Bool {
        text.trimmingBlanks.last.map { ".!?…。！？".contains($0) } ?? false
    }

    /// Puts words together to a cue. Where some words bring their own blanks, no others are set; nor are they between
    /// scripts that set none.
    private static func add(_ page: [TimedText], to file: inout CaptionFile) {
        guard let first = page.first else { return }
        let bringBlanks =
            page.dropFirst().contains { $0.text.first?.isWhitespace == true }
            || page.dropLast().contains { $0.text.last?.isWhitespace == true }
        var plain = ""
        var words: [Cue.Word] = []
        var end = first.end
        for word in page {
            var text = TextContent.plain(word.text).string
            if plain.isEmpty { text = String(text.drop(while: \.isWhitespace)) }
            if let before = plain.last, let next = text.first, !bringBlanks,
                !(WordRanges.isIdeographic(before) || WordRanges.isIdeographic(next))
            {
                plain += " "
            }
            let blanks = text.prefix(while: \.isWhitespace).utf8.count
            let start = plain.utf8.count + blanks
            plain += text
            words.append(
                Cue.Word(bytes: start..<start + text.trimmingBlanks.utf8.count, start: word.start, end: word.end))
            end = max(end, word.end)
        }
        file.add(
            Cue(range: TimeRange(start: first.start, end: end), content: .plain(plain), plain: plain, words: words),
            at: first.place)
    }
}
