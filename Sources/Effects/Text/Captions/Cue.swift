internal import EditorCore

/// A text that shows for a while.
struct Cue: Sendable, Hashable {
    /// A word of a cue and when it is spoken.
    struct Word: Sendable, Hashable {
        /// Where it stands in the cue's UTF-8 text without markup.
        var bytes: Range<Int>
        var start: MediaTime
        var end: MediaTime
    }

    var range: TimeRange
    var content: TextContent
    /// The text without markup.
    var plain: String
    /// In order of time; empty when the words' times are not known.
    var words: [Word] = []
    var standing = CueStanding()

    /// The words with their times, or, when these are not known, with the cue's time shared out by their lengths.
    func timedWords() -> [Word] {
        if !words.isEmpty { return words }
        let found = WordRanges.words(in: plain)
        let letters = found.reduce(0) { $0 + $1.count }
        guard letters > 0 else { return [] }
        var passed: Int64 = 0
        return found.map { bytes in
            let start = range.start + range.duration * Rational(passed, Int64(letters))
            passed += Int64(bytes.count)
            return Word(
                bytes: bytes, start: start, end: range.start + range.duration * Rational(passed, Int64(letters)))
        }
    }

    /// Words from times within a text: what stands after a time is spoken from then on.
    /// - Parameter marks: offsets into the UTF-8 text, with their times, in order.
    static func words(of plain: String, marks: [(offset: Int, time: MediaTime)], in range: TimeRange) -> [Word] {
        if marks.isEmpty { return [] }
        let marks = [(offset: 0, time: range.start)] + marks + [(offset: plain.utf8.count, time: range.end)]
        let found = WordRanges.words(in: plain)
        var words: [Word] = []
        for (mark, next) in zip(marks, marks.dropFirst()) {
            let within = found.filter { $0.lowerBound >= mark.offset && $0.lowerBound < next.offset }
            guard let first = within.first, let last = within.last, next.time > mark.time else { continue }
            words.append(Word(bytes: first.lowerBound..<last.upperBound, start: mark.time, end: next.time))
        }
        return words
    }

    func shifted(by offset: MediaTime) -> Cue {
        var cue = self
        cue.range.start += offset
        for index in cue.words.indices {
            cue.words[index].start += offset
            cue.words[index].end += offset
        }
        return cue
    }
}
