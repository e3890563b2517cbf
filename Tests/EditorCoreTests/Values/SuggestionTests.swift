import EditorCore
import Testing

@Suite struct SuggestionTests {
    static let words = ["sticker", "text", "beauty", "music", "videoGravity"]

    @Test(
        arguments: [
            ("stiker", "sticker"), ("STICKER", "sticker"), ("tetx", "text"), ("beatuy", "beauty"), ("musik", "music"),
            ("videogravty", "videoGravity"), ("txt", "text"),
        ])
    func theNearestIsMeant(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, in: Self.words) == meant)
        #expect(Suggestion.hint(for: word, in: Self.words) == "did you mean \"\(meant)\"?")
    }

    @Test(arguments: ["", "zzzzzz", "gravitational", "🦆🦆🦆🦆"])
    func farWordsAreNotGuessed(word: String) {
        #expect(Suggestion.nearest(to: word, in: Self.words) == nil)
        #expect(Suggestion.hint(for: word, in: Self.words) == "known are sticker, text, beauty, music, videoGravity")
    }

    @Test func nothingIsKnown() { #expect(Suggestion.nearest(to: "a", in: [String]()) == nil) }
}
