import EditorCore
import Testing

@Suite("Config: random damage")
struct ConfigurationFuzzTests {
    private static let good = """
        {"assetArray": ["a.mp4", {"path": "b.mp4", "timeRange": {"start": 1, "duration": 2}, "volume": [{"time": 0, "value": 1}],
         "transition": {"type": "x", "duration": 0.5}, "effects": [{"type": "beauty"}], "kenBurns": {"from": {"zoom": 1}}}],
         "renderSize": {"width": 160, "height": 120}, "frameRate": "30000/1001", "backgroundColor": "112233",
         "recommendMusicList": [{"musicTitle": "A", "musicPathURL": "a.wav"}], "selectedMusic": "A", "originalVolume": "-6dB",
         "previewTagImageNameArray": ["x/y.png"], "export": {"crf": 20, "options": {"a": 1}}, "returnBlock": {"command": ["ls"]}}
        """

    @Test("damaged text is read, or told of with its name; never a crash")
    func text() {
        var generator = SplitMix(state: 1)
        let words: [[UInt8]] = [
            "{", "}", "[", "]", "\"", "'", ",", ":", "\\", "NaN", "-", "1e999", "null", "/*", "//", "\u{0}", "é", "0x",
            "\\u", "\n",
        ]
        .map { Array($0.utf8) }
        var told = 0
        for _ in 0..<1500 {
            var bytes = Array(Self.good.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: words.randomElement(using: &generator)!, at: place)
                case 3: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...40, using: &generator)))
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
                }
            }
            do {
                let document = try ConfigurationDocument(utf8: bytes, name: "cfg.json")
                Self.exercise(document)
            } catch let error as EditorError {
                told += 1
                if !error.findings.allSatisfy({ $0.message.hasPrefix("cfg.json") }) { Issue.record("\(error.message)") }
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(told > 500)
    }

    @Test("values swapped for others are read, or told of at their place; never a crash")
    func values() throws {
        var generator = SplitMix(state: 2)
        let strange: [JSONValue] = [
            nil, true, 0, -1, 1e308, 0.5, .number(.nan), .number(.infinity), .number(-.infinity), "", "x", "\u{0}",
            "30/0", "-6dB", "99dB",
            "nan", "1e5px", "9:16", [], [[]], [nil, 1], [:], ["type": "x"], ["path": "x"], ["width": 2, "height": 2],
            ["time": 1, "value": 1],
            ["start": 1e300, "end": .number(.nan)], 9_007_199_254_740_993, 1e-300,
        ]
        let document = try ConfigurationDocument(Self.good, name: "cfg.json")
        for _ in 0..<1500 {
            var value = document.value
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                Self.damage(&value, with: strange.randomElement(using: &generator)!, &generator)
            }
            Self.exercise(ConfigurationDocument(value, name: "cfg.json"))
        }
    }

    private static func exercise(_ document: ConfigurationDocument) {
        let (configuration, findings, _) = Configuration.read(document, requiresClips: true)
        _ = (configuration.effectiveEffects, configuration.effectDefaults, configuration.imageAliases)
        if EditorError(findings) == nil {
            // What is accepted is sound.
            #expect(!configuration.assetArray.isEmpty)
            #expect((1...240).contains(configuration.frameRate.doubleValue))
            #expect(configuration.renderSize.width % 2 == 0 && configuration.renderSize.height % 2 == 0)
            #expect((0...2).contains(configuration.originalVolume))
        }
    }

    /// Replaces a value somewhere in a document.
    private static func damage(_ value: inout JSONValue, with new: JSONValue, _ generator: inout SplitMix) {
        switch value {
        case .object(var members) where !members.isEmpty && Int.random(in: 0..<5, using: &generator) > 0:
            let key = members.keys.sorted().randomElement(using: &generator)!
            damage(&members[key]!, with: new, &generator)
            value = .object(members)
        case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<5, using: &generator) > 0:
            damage(&elements[Int.random(in: 0..<elements.count, using: &generator)], with: new, &generator)
            value = .array(elements)
        default: value = new
        }
    }
}
