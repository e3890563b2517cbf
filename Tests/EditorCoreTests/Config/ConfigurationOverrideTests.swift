import EditorCore
import Testing

@Suite("Config: --set")
struct ConfigurationOverrideTests {
    private let base =
        "{assetArray: ['a.mp4'], renderSize: {width: 160, height: 120}, effects: [{type: 'text', opacity: 1}]}"

    private func document(setting assignments: String...) throws -> ConfigurationDocument {
        var document = try ConfigurationDocument(base, name: "cfg.json")
        for assignment in assignments { try document.set(assignment) }
        return document
    }

    @Test(
        "values are set as if they stood there",
        arguments: [
            ("frameRate=10", "frameRate", 10),
            ("effects.0.opacity=0.5", "effects", [["type": "text", "opacity": 0.5]]),
            ("renderSize.width=80", "renderSize", ["width": 80, "height": 120]),
            ("export.preset=slow", "export", ["preset": "slow"]),
            ("frameRate=30000/1001", "frameRate", "30000/1001"), ("isOpenFlashlight=true", "isOpenFlashlight", true),
            ("mergeFileName=null", "mergeFileName", nil), ("audioName=a=b", "audioName", "a=b"),
            ("audioName=", "audioName", ""),
            ("assetArray.1=b.mp4", "assetArray", ["a.mp4", "b.mp4"]),
            ("assetArray.0.speed=2", "assetArray", [["path": "a.mp4", "speed": 2]]),
            ("assetArray=['x', {path: 'y'}]", "assetArray", ["x", ["path": "y"]]),
            ("previewTagImageNameArray.0=1.png", "previewTagImageNameArray", ["1.png"]),
            ("recommendMusicList.0.musicTitle=7", "recommendMusicList", [["musicTitle": "7"]]),
            // Colours and names stay strings even when they look like numbers.
            ("backgroundColor=112233", "backgroundColor", "112233"),
            ("previewColorArray.0=000000", "previewColorArray", ["000000"]),
            ("mergeFileName=2024", "mergeFileName", "2024"), ("mergeFileName='2024'", "mergeFileName", "2024"),
            ("selectedMusic=1", "selectedMusic", 1), ("selectedMusic='1'", "selectedMusic", "1"),
            ("selectedMusic=A", "selectedMusic", "A"),
            ("export.options.crf=20", "export", ["options": ["crf": 20]]),
        ] as [(String, String, JSONValue)])
    func values(assignment: String, key: String, value: JSONValue) throws {
        #expect(try document(setting: assignment).value[key] == value)
    }

    @Test("settings add up in order")
    func order() throws {
        let document = try document(setting: "frameRate=10", "frameRate=12", "export.crf=20", "export.preset=fast")
        #expect(document.value["frameRate"] == 12)
        #expect(document.value["export"] == ["crf": 20, "preset": "fast"])
    }

    @Test("what is set goes through the same checks")
    func checks() throws {
        let findings = Configuration.read(try document(setting: "frameRat=10"), requiresClips: true).findings
        #expect(findings.map(\.pointer.description) == ["/frameRat"])
        #expect(findings[0].sentence.contains("frameRate"))
    }

    @Test(
        "what cannot be set is told",
        arguments: [
            ("frameRate", "KEY.PATH=VALUE"), ("=5", "no path"), ("a..b=5", "no path"),
            ("effects.7.opacity=1", "effects is a list"),
            ("effects.x=1", "numbers are 0 to 1"), ("effects.-1.opacity=1", "effects is a list"),
            ("renderSize.width.x=1", "renderSize.width is a number"),
            ("originalVolume=NaN", "finite"), ("effects.99999999999999999999=1", "effects is a list"),
        ])
    func errors(assignment: String, words: String) {
        #expect { try document(setting: assignment) } throws: {
            guard let error = $0 as? EditorError else { return false }
            return error.message.contains(words)
        }
    }

    @Test("a path of a million keys is refused")
    func depth() {
        #expect(throws: EditorError.self) { try document(setting: String(repeating: "a.", count: 1_000_000) + "a=1") }
    }

    @Test("with the effects' schema their strings are known too")
    func effects() throws {
        var registry = EffectRegistry()
        try registry.register(SampleModule.self)
        let schema = ConfigurationSchema.schema(registry: registry)
        var document = try ConfigurationDocument(base, name: "cfg.json")
        try document.set("effects.1.label=007", schema: schema)
        try document.set("effects.1.amount=0.5", schema: schema)
        #expect(document.value["effects"] == [["type": "text", "opacity": 1], ["label": "007", "amount": 0.5]])
    }
}
