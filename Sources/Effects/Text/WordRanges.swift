/// Where the words of a text are.
enum WordRanges {
    /// The words between blanks as ranges of the UTF-8 text. Scripts that set no blanks between words (Chinese,
    /// Japanese) count each character as a word.
    static func words(in text: String) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var offset = 0
        var start: Int?
        for character in text {
            let end = offset + character.utf8.count
            if character.isWhitespace {
                if let begun = start { words.append(begun..<offset) }
                start = nil
            } else if isIdeographic(character) {
                if let begun = start { words.append(begun..<offset) }
                words.append(offset..<end)
                start = nil
            } else if start == nil {
                // A mark after an ideograph, such as a full stop, belongs to it.
                if !character.isLetter, !character.isNumber, let last = words.last, last.upperBound == offset {
                    words[words.count - 1] = last.lowerBound..<end
                } else {
                    start = offset
                }
            }
            offset = end
        }
        if let start { words.append(start..<offset) }
        return words
    }

    /// Whether a word ends with this character even if no blank follows: Han and kana.
    static func isIdeographic(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isIdeographic || (0x3041...0x30ff).contains(scalar.value)
    }
}
