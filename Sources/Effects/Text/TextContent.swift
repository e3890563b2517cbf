/// What a text says: plain, or with Pango markup.
struct TextContent: Sendable, Hashable {
    var string: String
    var isMarkup: Bool

    /// Bytes of UTF-8 that are laid out as one text at most: some pages, far more than a canvas holds.
    static let mostBytes = 20_000

    static func plain(_ string: String) -> TextContent { TextContent(string: printable(string), isMarkup: false) }
    static func markup(_ string: String) -> TextContent { TextContent(string: printable(string), isMarkup: true) }

    /// Newlines in one form, and no control characters, which would be drawn as boxes.
    private static func printable(_ string: String) -> String {
        var result = ""
        for character in string {
            if character == "\r\n" || character == "\r" {
                result.append("\n")
            } else if let scalar = character.unicodeScalars.first, scalar.properties.generalCategory == .control,
                character != "\n", character != "\t"
            {
                continue
            } else {
                result.append(character)
            }
        }
        return result
    }
}
