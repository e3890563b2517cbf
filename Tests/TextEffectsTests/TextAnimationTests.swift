import EditorCore
import EditorTestSupport
import Testing

@testable import TextEffects

@Suite struct TextAnimationTests {
    @Test func aStandingTextIsOnePicture() throws {
        let stage = try TextStage(["text": "Hello"])
        #expect(try #require(try stage.overlay(at: 0)).picture === #require(try stage.overlay(at: 2.9)).picture)
    }

    @Test(arguments: ["typewriter", "wordByWord", "lineByLine"])
    func revealsMoreAndMoreAndNothingMoves(name: String) throws {
        let entry: JSONValue = [
            "text": "Some words\non lines שלום", "fontSize": 0.1, "outline": [:],
            "animation": ["in": ["name": .string(name), "duration": 2]],
        ]
        let stage = try TextStage(entry)
        let whole = try stage.pixels(at: 2.5)
        #expect(try stage.overlay(at: 0) == nil)
        var last = 0
        var rises = 0
        for step in 0...24 {
            let canvas = try stage.pixels(at: Double(step) / 10)
            let ink = canvas.inkPoints { $0.red > 200 }
            #expect(ink.count >= last)
            if ink.count > last { rises += 1 }
            last = ink.count
            // What shows is a part of the whole.
            #expect(ink.allSatisfy { whole[$0.x, $0.y].red > 150 })
        }
        // Twenty letters and blanks, five words, two lines; the picture is looked at every tenth of a second.
        let pieces = ["typewriter": 16...20, "wordByWord": 5...5, "lineByLine": 2...2]
        #expect(pieces[name]?.contains(rises) == true, "\(rises)")
        #expect(try stage.pixels(at: 2.2).pixels == whole.pixels)
    }

    @Test func typewriterTakesItsTimeByTheLengthOfTheText() throws {
        // Twenty letters a second: half of forty show after one second.
        let stage = try TextStage([
            "text": .string(String(repeating: "n", count: 40)), "fontSize": 0.03, "animation": ["in": "typewriter"],
        ])
        let half = try #require(try stage.pixels(at: 1.01).inkBox()).x.count
        let whole = try #require(try stage.pixels(at: 2.1).inkBox()).x.count
        #expect(abs(Double(half) / Double(whole) - 0.5) < 0.03)
    }

    @Test func wordsStandOutInTurn() throws {
        let entry: JSONValue = [
            "text": "nnnn nnnn nnnn", "fontSize": 0.1, "highlight": ["color": "ff0000"],
            "animation": ["loop": "wordHighlight"],
        ]
        let stage = try TextStage(entry)
        let red: (Canvas.Pixel) -> Bool = { $0.red > 128 && $0.green < 64 }
        let boxes = try [0.5, 1.5, 2.5].map { try #require(try stage.pixels(at: $0).inkBox(where: red)).x }
        #expect(boxes[0].upperBound < boxes[1].lowerBound && boxes[1].upperBound < boxes[2].lowerBound)
        // The letters are the same ones in another colour.
        let plain = try TextStage(["text": "nnnn nnnn nnnn", "fontSize": 0.1]).pixels()
        let lit = try stage.pixels(at: 1.5)
        #expect(plain.inkPoints().count == lit.inkPoints().count)
    }

    @Test func karaokeKeepsWhatWasSung() throws {
        let stage = try TextStage([
            "text": "nnnn nnnn nnnn", "fontSize": 0.1, "highlight": ["color": "ff0000"],
            "animation": ["loop": "karaoke"],
        ])
        let counts = try [0.5, 1.5, 2.5].map {
            try stage.pixels(at: $0).inkPoints { $0.red > 128 && $0.green < 64 }.count
        }
        #expect(abs(counts[1] - 2 * counts[0]) <= 2 && abs(counts[2] - 3 * counts[0]) <= 3)
    }

    @Test func captionsShowInTheirOwnTimes() throws {
        var assets = FakeAssets()
        assets.texts["words.srt"] =
            "1\n00:00:00,500 --> 00:00:01,000\nFirst words\n\n2\n00:00:01,600 --> 00:00:02,250\nSecond line of words\n"
        let stage = try TextStage(["captions": "words.srt", "center": [0.5, 0.8], "fontSize": 0.08], assets: assets)
        for seconds in [0.2, 0.49, 1.0, 1.3, 2.25, 2.6] { #expect(try stage.overlay(at: seconds) == nil) }
        let (first, second) = (try #require(try stage.overlay(at: 0.5)), try #require(try stage.overlay(at: 1.6)))
        #expect(first.picture !== second.picture)
        #expect(try #require(try stage.overlay(at: 0.99)).picture === first.picture)
        // Both stand on the same line although one has letters that go below it.
        #expect(abs(first.center.y - second.center.y) < 1.01)

        let late = try TextStage(["captions": "words.srt", "captionOffset": 1], assets: assets)
        #expect(try late.overlay(at: 1.2) == nil)
        #expect(try late.overlay(at: 1.7) != nil)
    }

    @Test func everyCaptionFadesInOnItsOwn() throws {
        var assets = FakeAssets()
        assets.texts["a.srt"] = "00:00:00,000 --> 00:00:01,000\nOne\n\n00:00:01,000 --> 00:00:02,000\nTwo\n"
        let stage = try TextStage(
            ["captions": "a.srt", "animation": ["in": ["name": "fade", "duration": 0.5]]], assets: assets)
        for (seconds, opacity) in [(0.25, 0.5), (0.75, 1.0), (1.25, 0.5), (1.75, 1.0)] {
            #expect(abs(try #require(try stage.overlay(at: seconds)).opacity - opacity) < 0.01)
        }
    }

    @Test func spokenWordsOfCaptionsFollowTheirTimes() throws {
        var assets = FakeAssets()
        assets.texts["w.json"] = """
            [{"text": "nnnn", "start": 0.5, "end": 0.7}, {"text": "nnnn", "start": 2.0, "end": 2.2}]
            """
        let stage = try TextStage(
            [
                "captions": "w.json", "fontSize": 0.1, "highlight": ["color": "ff0000"],
                "animation": ["loop": "wordHighlight"],
            ], seconds: 4, assets: assets)
        #expect(try stage.overlay(at: 0.4) == nil)
        // 1.3 seconds of silence part them into two captions.
        let red = try #require(try stage.pixels(at: 0.6).inkBox { $0.red > 128 && $0.green < 64 })
        #expect(abs(red.x.lowerBound + red.x.upperBound - 359) <= 3)
        #expect(try stage.overlay(at: 1) == nil)
        #expect(try stage.overlay(at: 2.1) != nil)
    }

    @Test func brokenCaptionsNameFileAndLine() throws {
        var assets = FakeAssets()
        assets.texts["bad.srt"] = "1\n00:00:02,000 --> 00:00:01,000\nBackwards\n"
        #expect {
            try TextStage(["captions": "bad.srt"], assets: assets)
        } throws: {
            let error = $0 as? EditorError
            return error?.kind == .invalidData && error?.message.contains("bad.srt, line 2") == true
                && error?.message.contains("/effects/0/captions") == true
        }
        #expect { try TextStage(["captions": "none.srt"], assets: assets) } throws: {
            ($0 as? EditorError)?.kind == .missingInput
        }
    }
}
