import EditorCore
import Foundation
import Testing

@Suite struct JSONTextTests {
    @Test func oneLineHasSortedKeys() {
        let value: JSONValue = ["b": [1, 2.5, -3e20, nil, true], "a": ["y": "x", "x": []], "": [:]]
        #expect(value.text() == #"{"": {}, "a": {"x": [], "y": "x"}, "b": [1, 2.5, -3e+20, null, true]}"#)
    }

    @Test func nestedListsAreIndentedAndFlatOnesAreNot() {
        let value: JSONValue = ["list": [1, 2], "objects": [["a": 1], ["a": 2]], "empty": []]
        #expect(
            value.text(indent: 2) == """
                {
                  "empty": [],
                  "list": [1, 2],
                  "objects": [
                    {
                      "a": 1
                    },
                    {
                      "a": 2
                    }
                  ]
                }
                """)
    }

    /// Foundation reads back what is written, whatever the letters.
    @Test func textIsReadBack() throws {
        let value: JSONValue = [
            "quo\"te": "back\\slash", "line\n": "tab\t\r\u{1}\u{1f}", "你好": "👋🏽",
            "n": [0.1, 1e-7, 123_456_789_012, 1e300],
        ]
        for indent in [nil, 2] {
            let read = try JSONDecoder().decode(JSONValue.self, from: Data(value.text(indent: indent).utf8))
            #expect(read == value)
        }
    }

    @Test func numbersThatJSONLacksAreNull() {
        #expect(JSONValue.number(.nan).text() == "null")
        #expect(JSONValue.number(.infinity).text() == "null")
    }
}
