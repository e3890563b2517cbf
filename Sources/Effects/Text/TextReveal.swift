internal import EditorCore

/// Coming on (or, backwards, going off) in pieces.
enum TextReveal: String, CaseIterable {
    /// Letter by letter.
    case typewriter
    case wordByWord
    case lineByLine

    /// Pieces a second where no duration is asked for.
    private var pace: Double {
        switch self {
        case .typewriter: 20
        case .wordByWord: 5
        case .lineByLine: 1.5
        }
    }

    /// Seconds that coming on takes where none are asked for.
    func duration(pieces: Int) -> Double { min(600, Double(pieces) / pace) }

    /// The ends of the pieces, as offsets into the UTF-8 text, in rising order; the last is the text's end.
    func pieceEnds(of text: String, lines: [Range<Int>]) -> [Int] {
        switch self {
        case .typewriter:
            var end = 0
            // A newline shows nothing: it comes with the letter before it.
            return text.reduce(into: []) { ends, character in
                end += character.utf8.count
                if character.isNewline, !ends.isEmpty { ends[ends.count - 1] = end } else { ends.append(end) }
            }
        case .wordByWord: return WordRanges.words(in: text).map(\.upperBound)
        case .lineByLine: return lines.map(\.upperBound)
        }
    }
}

/// What becomes of the words of a text as they are spoken.
enum SpokenWords: String, CaseIterable {
    /// The present word stands out.
    case wordHighlight
    /// All words up to the present one stand out.
    case karaoke
    /// Words show when they are spoken, and the present one stands out.
    case wordReveal
}
