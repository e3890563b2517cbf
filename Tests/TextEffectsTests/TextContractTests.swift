import EditorCore
import EditorTestSupport
import Testing

@testable import TextEffects

@Suite struct TextContractTests {
    @Test(
        arguments: [
            nil,
            ["text": "Hello", "colorStyle": "alpha", "outline": [:], "shadow": [:], "fit": true],
            [
                "markup": "<b>Bold</b> 日本", "scale": [["time": 0, "value": 0.5], ["time": 1, "value": 3]],
                "rotation": 30,
            ],
            ["text": "One two", "animation": ["in": "wordByWord", "out": "typewriter", "loop": "karaoke"]],
            ["captions": "c.vtt", "animation": ["in": "pop", "out": "slideLeft", "loop": "wordReveal"]],
        ] as [JSONValue?])
    func keepsTheContractOfEffects(entry: JSONValue?) {
        var assets = FakeAssets()
        assets.texts["c.vtt"] =
            "WEBVTT\n\n00:00.300 --> 00:00.900\nOne <00:00.600>two\n\n00:01.000 --> 00:05.000\nThree"
        #expect(EffectContract.failures(of: .overlay(TextEffect.self), parameters: entry, assets: assets) == [])
    }

    @Test func anEmptyTextChangesNothing() {
        #expect(EffectContract.failures(of: .overlay(TextEffect.self), neutral: ["text": " "]) == [])
    }
}
