import EditorCore
import EditorTestSupport
import Testing

@testable import TextEffects

@Suite struct TextParameterTests {
    private func codes(_ entry: JSONValue) -> [String] { TextStage.findings(entry).map(\.code) }

    @Test func exactlyOneSourceOfTextIsNeeded() {
        #expect(codes(["fontSize": 0.1]) == ["text.missing"])
        #expect(codes(["text": nil]) == ["text.missing"])
        #expect(codes(["text": "a", "markup": "<b>a</b>"]) == ["text.ambiguous"])
        #expect(codes(["text": "a", "captions": "a.srt"]) == ["text.ambiguous"])
        #expect(codes(["text": "a"]).isEmpty)
        #expect(codes(["captions": "a.srt"]).isEmpty)
        // The wrong type is told once, and not as a missing text too.
        #expect(codes(["text": 5]) == ["config.type"])
    }

    @Test func invalidMarkupIsToldInPangosWords() throws {
        let finding = try #require(TextStage.findings(["markup": "<b>bold"]).first)
        #expect(finding.code == "text.markup")
        #expect(finding.pointer.description == "/effects/0/markup")
        #expect(finding.message.contains("not valid: "))
        #expect(codes(["markup": "a & b"]) == ["text.markup"])
        #expect(codes(["markup": "<span foreground=\"#ff0000\">a</span> &amp; b"]).isEmpty)
    }

    @Test(arguments: [("bold", 700), ("thin", 100), ("black", 900)])
    func weightsHaveNames(name: String, value: Int) {
        var reading = ParameterReading()
        let read = TextParameters.read(
            ["text": "a", "fontWeight": .string(name)], at: JSONPointer(), ignoring: [], into: &reading)
        #expect(read?.fontWeight.value == value)
        #expect(reading.findings.isEmpty)
    }

    @Test func wrongValuesAreFindings() {
        #expect(codes(["text": "a", "fontWeight": 50]) == ["config.range"])
        #expect(codes(["text": "a", "fontWeight": "bolt"]) == ["config.choice"])
        #expect(codes(["text": "a", "fontWeight": true]) == ["config.type"])
        #expect(codes(["text": "a", "colorStyle": "alfa"]) == ["config.choice"])
        #expect(codes(["text": "a", "color": "red"]) == ["config.color"])
        #expect(codes(["text": "a", "outline": ["colour": "ff0000"]]) == ["config.unknownKey"])
        #expect(codes(["text": "a", "animation": ["in": "typewriter", "loop": "karaoke", "out": "fade"]]).isEmpty)
        #expect(codes(["text": "a", "animation": ["in": "karaoke"]]) == ["config.choice"])
        #expect(codes(["text": "a", "fit": true, "fontSize": 0.02, "minFontSize": 0.05]) == ["text.fontSize"])
    }

    @Test func everyParameterHasHelpAndAReadableDefault() {
        let summaries = TextParameters.specs.map(\.summary)
        #expect(Set(summaries.map(\.name)).count == summaries.count)
        for summary in summaries {
            #expect(summary.help.hasSuffix("."), "\(summary.name)")
            guard let value = summary.defaultValue, value != .null else { continue }
            #expect(codes(.object(["text": "a", summary.name: value])).isEmpty, "\(summary.name)")
        }
    }

    @Test func moduleRegisters() throws {
        var registry = EffectRegistry()
        try registry.register(TextModule.self)
        let descriptor = try #require(registry["text"])
        #expect(descriptor.kind == .overlay)
        _ = try TextStage(descriptor.example)
    }
}
