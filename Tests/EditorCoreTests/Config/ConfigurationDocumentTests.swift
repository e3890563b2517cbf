import EditorCore
import FoundationEssentials
import Testing

@Suite("Config: JSON5 documents")
struct ConfigurationDocumentTests {
    private func parse(_ text: String) throws -> JSONValue {
        try ConfigurationDocument("{v: \(text)}", name: "cfg.json").value["v"] ?? .null
    }

    private func message(_ text: String) -> String {
        do {
            let document = try ConfigurationDocument(text, name: "cfg.json")
            return "read as \(document.value.text())"
        } catch let error as EditorError {
            #expect(error.kind == .invalidData && !error.findings.isEmpty)
            return error.message
        } catch {
            return "another kind of error"
        }
    }

    @Test(
        "values",
        arguments: [
            ("null", nil), ("true", true), ("'it''s'", "error"), ("-.5", -0.5), ("5.", 5), ("+1e3", 1000), ("0x1F", 31),
            ("0", 0), ("-0x10", -16), ("1E-2", 0.01), ("'a\\\n b'", "a b"),
            ("'\\x41\\u4f60\\ud83d\\udc4b\\/\\q\\v'", "A你👋/q\u{b}"),
            ("\"say 'hi'\"", "say 'hi'"), ("[1, [ ], {}, ]", [1, [], [:]]),
            ("{a: 1, 'b c': 2, \"d\": 3, é$_1: 4,}", ["a": 1, "b c": 2, "d": 3, "é$_1": 4]),
            ("/* x **/ 1 // y", "error"), ("\u{a0}\u{3000}7\u{2028}", 7), ("\"http://x/*y*/\"", "http://x/*y*/"),
            ("\"a\tb\"", "a\tb"),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws {
        if value == "error" {
            #expect(throws: EditorError.self) { try parse(text) }
        } else {
            #expect(try parse(text) == value)
        }
    }

    @Test("an error of syntax has name, line and column")
    func place() {
        let text = "{\n  // clips\n  \"assetArray\": [\"a.mp4\"],\n  \"frameRate\" 30,\n  \"originalVolume\": 1\n}\n"
        #expect(message(text).hasPrefix("cfg.json:4:15: "))
        #expect(message(text).contains("colon") && message(text).contains("frameRate"))
        for newline in ["\r\n", "\r"] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(message(lines.joined(separator: newline)).hasPrefix("cfg.json:4:15: "))
        }
        #expect(message("{'你好': 1 2}").hasPrefix("cfg.json:1:10: "))
        #expect(message("\u{feff}{a b}").hasPrefix("cfg.json:1:4: "))
    }

    @Test(
        "whatever is in the file, the answer is a sentence with its name",
        arguments: [
            ("", "empty"), (" \n// nothing\n", "empty"), ("[]", "a list"), ("\"x\"", "a string"), ("null", "null"),
            ("7", "a number"),
            ("{\"assetArray\": [\"a.mp4\"", ":1:16: this [ is never closed"),
            ("assetArray = a.mp4", ":1:1: assetArray is no value"),
            ("{", ":1:1: this { is never closed"), ("{\"a", ":1:2: this string is never closed"),
            ("{a:\"x\ny\"}", ":1:4: this string is never closed"),
            ("{a:1,,}", ":1:6: ','"), ("{,}", ":1:2: ','"), ("{a:[,]}", ":1:5: ','"), ("{a:1} x", ":1:7: 'x'"),
            ("{a:01}", ":1:4: 01 is no number"),
            ("{a:1x}", ":1:4: 1x is no number"), ("{a:-}", ":1:4: - is no number"), ("{a:1e}", "1e is no number"),
            ("{a:.}", ". is no number"),
            ("{a:0x}", "0x is no number"), ("{a:1.2.3}", "1.2.3 is no number"), ("{a:'\\u12'}", "4 hexadecimal digits"),
            ("{a:'\\ud83d'}", "half a character"), ("{a:'\\udc4b'}", "half a character"),
            ("{a:'\\1'}", "escape with a digit"),
            ("{/* a}", ":1:2: this comment is never closed"), ("{a:1 / 2}", "a lone /"), ("{a：1}", "'：'"),
            ("{“a”: 1}", "'“'"), ("{a:True}", "True is no value"),
            ("{a:nul}", "nul is no value"), ("{a:'x\\", "within a string"), ("{a:1;b:2}", "';'"),
            ("{a:\u{0}}", "control character"),
        ])
    func sentences(text: String, words: String) {
        #expect(message(text).hasPrefix("cfg.json"))
        #expect(message(text).contains(words))
    }

    @Test("bytes that are no UTF-8 text")
    func bytes() {
        for (bytes, words) in [
            ([0x7b, 0xff, 0x7d], "no UTF-8"), ([0xff, 0xfe, 0x7b, 0, 0x7d, 0], "UTF-16"), ([0x7b, 0xc3], "no UTF-8"),
        ] as [([UInt8], String)] {
            #expect { try ConfigurationDocument(utf8: bytes, name: "cfg.json") } throws: {
                let message = ($0 as? EditorError)?.message ?? ""
                return message.hasPrefix("cfg.json") && message.contains(words)
            }
        }
    }

    @Test("numbers that are none, and keys that stand twice, are all told with key and place")
    func values() {
        let text =
            "{originalVolume: NaN, effects: [{smooth: -Infinity}],\n  frameRate: 1e999, bgAudioVolume: +NaN, a: 1, 'a': 2}"
        #expect { try ConfigurationDocument(text, name: "cfg.json") } throws: {
            let findings = ($0 as? EditorError)?.findings ?? []
            #expect(
                findings.map(\.pointer.description)
                    == ["/originalVolume", "/effects/0/smooth", "/frameRate", "/bgAudioVolume", "/a"])
            #expect(findings[0].message == "cfg.json:1:18: originalVolume is NaN, and must be a finite number")
            #expect(findings[1].message.contains("smooth is -Infinity"))
            #expect(findings[2].message == "cfg.json:2:14: frameRate 1e999 is too large")
            #expect(findings[4].message.contains("stands twice"))
            return true
        }
    }

    @Test("a hundred thousand brackets overflow no stack and take no time")
    func depth() {
        let clock = ContinuousClock()
        let took = clock.measure {
            for opening in ["[", "{a:", "[{a:"] {
                let text = "{a:" + String(repeating: opening, count: 100_000)
                #expect(message(text).contains("512 deep"))
            }
        }
        #expect(took < .seconds(5))
        let allowed = "{a:" + String(repeating: "[", count: 511) + String(repeating: "]", count: 511) + "}"
        #expect(message(allowed).hasPrefix("read as"))
    }

    @Test("a document over the size limit is refused")
    func size() {
        #expect {
            try ConfigurationDocument(
                utf8: Array(repeating: 0x20, count: ConfigurationDocument.sizeLimit + 1), name: "cfg.json")
        } throws: { ($0 as? EditorError)?.message.hasPrefix("cfg.json is 64 MiB large") ?? false }
    }

    @Test("what Foundation reads as JSON5 is read alike")
    func likeFoundation() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let pieces = [
            "{", "}", "[", "]", ",", ":", "a", "'b'", "\"c\"", "$d", "1", "-2", "+.5", "3.", "0x1f", "1e2",
            "'x\\n\\u0041'", "true",
            "null", " ", "\n", "/* c */", "// d\n", "\"é👋\"", "é", "\\", "'", "\"", "00", "e", ".", "-", "{a:1}",
            "[1,2,]", "{'a':[],}",
        ]
        var generator = SplitMix(state: 7)
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...7, using: &generator)
            let inner = (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
            let text = "{v: \(inner)}"
            guard let theirs = try? decoder.decode(JSONValue.self, from: Data(text.utf8)) else { continue }
            accepted += 1
            do {
                #expect(try ConfigurationDocument(text, name: "").value == theirs, "\(text)")
            } catch let error as EditorError where error.findings.allSatisfy({ $0.code == "config.duplicateKey" }) {
                continue
            } catch {
                Issue.record("\(text): \(error)")
            }
        }
        #expect(accepted > 1000)
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers every time.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
