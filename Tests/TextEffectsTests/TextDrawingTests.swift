import EditorCore
import EditorTestSupport
import Testing

@testable import TextEffects

@Suite struct TextDrawingTests {
    private func has(_ family: String) -> Bool { FontFamilies.missing(from: FontFamily(names: family)).isEmpty }

    @Test func sizeIsAFractionOfTheCanvasWidthAndTheInkIsCentred() throws {
        let small = try TextStage(["text": "NINE", "center": [0.5, 0.25], "fontSize": 0.12]).pixels()
        let large = try TextStage(["text": "NINE", "center": [0.5, 0.75], "fontSize": 0.24]).pixels()
        let (a, b) = (try #require(small.inkBox()), try #require(large.inkBox()))
        #expect(abs(Double(b.x.count) / Double(a.x.count) - 2) < 0.05)
        #expect(abs(Double(b.y.count) / Double(a.y.count) - 2) < 0.1)
        // What is centred is the advance of the line; side bearings differ by a few hundredths of an em.
        for box in [a, b] { #expect(abs(box.x.lowerBound + box.x.upperBound - 359) <= 5) }
        // Capitals stand above the middle of the line by a part of the font's size.
        #expect(abs((a.y.lowerBound + a.y.upperBound) / 2 - 160) < 6)
        #expect(abs((b.y.lowerBound + b.y.upperBound) / 2 - 480) < 12)
    }

    @Test func theSameTextOnTwiceTheCanvasIsTwiceAsLarge() throws {
        let entry: JSONValue = ["text": "Two lines of some length here", "fontSize": 0.1, "maxWidth": 0.6]
        let small = try #require(try TextStage(entry).pixels().inkBox())
        let large = try #require(try TextStage(entry, canvas: PixelSize(width: 720, height: 1280)).pixels().inkBox())
        #expect(abs(large.x.count - 2 * small.x.count) <= 4)
        #expect(abs(large.y.count - 2 * small.y.count) <= 4)
    }

    @Test func linesWrapAtTheLargestWidth() throws {
        let text: JSONValue = "nnnn nnnn nnnn nnnn nnnn nnnn"
        let wrapped = try TextStage(["text": text, "fontSize": 0.12, "maxWidth": 0.6]).pixels()
        #expect((3...6).contains(wrapped.rowGroups))
        let box = try #require(wrapped.inkBox())
        #expect(box.x.lowerBound >= 72 && box.x.upperBound < 288)
        #expect(try TextStage(["text": text, "fontSize": 0.04]).pixels().rowGroups == 1)
        // A word that is wider than a line is broken.
        let long = try TextStage(["text": .string(String(repeating: "n", count: 60)), "fontSize": 0.1]).pixels()
        #expect(try #require(long.inkBox()).x.count <= 324)
        #expect(long.rowGroups > 3)
    }

    @Test func lineSpacingMovesLinesApart() throws {
        func height(_ spacing: Double) throws -> Int {
            let entry: JSONValue = ["text": "nn\nnn", "fontSize": 0.1, "lineSpacing": .number(spacing)]
            return try #require(try TextStage(entry).pixels().inkBox()).y.count
        }
        let (one, two) = (try height(1), try height(2))
        // Sans is between 1.1 and 1.5 ems high.
        #expect((39...54).contains(two - one), "\(two - one)")
    }

    @Test func letterSpacingWidens() throws {
        func width(_ spacing: Double) throws -> Int {
            let entry: JSONValue = ["text": "nnnnn", "fontSize": 0.1, "letterSpacing": .number(spacing)]
            return try #require(try TextStage(entry).pixels().inkBox()).x.count
        }
        // Four gaps of half an em of 36 pixels.
        #expect(abs(try width(0.5) - width(0) - 72) <= 2)
    }

    @Test func colourStyles() throws {
        func stage(_ style: JSONValue, _ color: JSONValue = "ff0000") throws -> Canvas {
            try TextStage(["text": "MMM", "fontSize": 0.12, "color": color, "colorStyle": style]).pixels()
        }
        let text = try stage("text")
        #expect(text.inkPoints().allSatisfy { text[$0.x, $0.y].green == 0 && text[$0.x, $0.y].blue == 0 })
        #expect((0.02...0.6).contains(text.share(x: 120..<240, y: 290..<350) { $0.alpha > 128 }))

        let opaque = try stage("background")
        let red = Canvas.Pixel(red: 255, green: 0, blue: 0, alpha: 255)
        #expect(opaque.share(x: 150..<210, y: 300..<340) { $0 == red } > 0.2)
        #expect((0.03...0.8).contains(opaque.share(x: 140..<220, y: 300..<340) { $0.green > 200 && $0.blue > 200 }))
        #expect(opaque[20, 320].alpha == 0)

        let translucent = try stage("alpha")
        let half = Canvas.Pixel(red: 128, green: 0, blue: 0, alpha: 128)
        #expect(translucent.share(x: 150..<210, y: 300..<340) { $0 == half } > 0.2)

        // On a light box the letters are black.
        let light = try stage("background", "ffffff")
        #expect(light.share(x: 140..<220, y: 300..<340) { $0.red < 60 && $0.alpha == 255 } > 0.03)
    }

    @Test(arguments: [("ffffff", true), ("010101", false), ("ff484e", false), ("4e49cc", false), ("ffc62e", true)])
    func contrastingColour(hex: String, isBlack: Bool) throws {
        #expect(TextStyle.contrast(to: try #require(Color(hex: hex))) == (isBlack ? .black : .white))
    }

    @Test func backgroundHasPaddingAndRoundCorners() throws {
        func box(_ more: [String: JSONValue]) throws -> Canvas {
            let common: [String: JSONValue] = [
                "text": "MM", "fontSize": 0.1, "backgroundColor": "0000ff", "cornerRadius": 0,
            ]
            return try TextStage(.object(common.merging(more) { $1 })).pixels()
        }
        let tight = try #require(try box(["padding": 0]).inkBox())
        let padded = try #require(try box(["padding": "20px"]).inkBox())
        #expect(padded.x.count == tight.x.count + 40 && padded.y.count == tight.y.count + 40)
        let round = try box(["padding": "20px", "cornerRadius": "12px"])
        #expect(round[padded.x.lowerBound, padded.y.lowerBound].alpha == 0)
        #expect(round[padded.x.lowerBound + 12, padded.y.lowerBound].alpha == 255)
    }

    @Test func aTranslucentBoxOfLinesDoesNotAddUp() throws {
        let canvas = try TextStage([
            "text": "MMMM\nMM\nMMM", "fontSize": 0.1, "color": "00ff00", "backgroundColor": "0000ff80",
            "backgroundShape": "lines", "padding": "10px", "cornerRadius": "8px",
        ]).pixels()
        // No pixel without green is more than half opaque.
        #expect(canvas.inkPoints { $0.green == 0 && $0.alpha > 128 }.isEmpty)
        let box = try #require(canvas.inkBox())
        #expect(canvas[box.x.lowerBound + 1, (box.y.lowerBound + box.y.upperBound) / 2].alpha == 0)
    }

    @Test func alignmentIsPhysicalInBothDirections() throws {
        for text in ["nnnnnnnnn\ni", "שששששששש\nן"] where has("Noto Sans") {
            for (alignment, expected) in [("left", 0.0), ("center", 0.5), ("right", 1.0)] {
                let canvas = try TextStage(["text": .string(text), "fontSize": 0.1, "alignment": .string(alignment)])
                    .pixels()
                let points = canvas.inkPoints()
                let all = try #require(canvas.inkBox())
                let middle = (all.y.lowerBound + all.y.upperBound) / 2
                let second = points.filter { $0.y > middle + 4 }.map(\.x)
                let (low, high) = (try #require(second.min()), try #require(second.max()))
                let place = Double(low - all.x.lowerBound) / Double(all.x.count - (high - low + 1))
                #expect(abs(place - expected) < 0.08, "\(text) \(alignment) \(place)")
            }
        }
    }

    @Test func verticalAlignmentHangsTheBlock() throws {
        func rows(_ alignment: JSONValue) throws -> ClosedRange<Int> {
            try #require(
                try TextStage([
                    "text": "nn", "fontSize": 0.1, "backgroundColor": "0000ff", "verticalAlignment": alignment,
                ]).pixels().inkBox()
            ).y
        }
        #expect(try rows("top").lowerBound == 320)
        #expect(try rows("bottom").upperBound == 319)
        let middle = try rows("middle")
        #expect(abs(middle.lowerBound + middle.upperBound + 1 - 640) <= 1)
    }

    @Test func markupColoursItsParts() throws {
        let canvas = try TextStage([
            "markup": "<span foreground=\"#ff0000\">MM</span><span foreground=\"#0000ff\">MM</span>", "fontSize": 0.15,
        ]).pixels()
        let red = try #require(canvas.inkBox { $0.red > 200 && $0.blue < 50 })
        let blue = try #require(canvas.inkBox { $0.blue > 200 && $0.red < 50 })
        #expect(red.x.upperBound < blue.x.lowerBound)
    }

    @Test func outlineLiesOutsideTheGlyphs() throws {
        let plain: [String: JSONValue] = ["text": "Oo", "fontSize": 0.3, "color": "ffff00"]
        var outlined = plain
        outlined["outline"] = ["color": "0000ff", "width": "6px"]
        let (a, b) = (try TextStage(.object(plain)).pixels(), try TextStage(.object(outlined)).pixels())
        let full = a.inkPoints { $0.alpha == 255 }
        #expect(full.count > 1000)
        #expect(full.allSatisfy { a[$0.x, $0.y] == b[$0.x, $0.y] })
        let (inner, outer) = (try #require(a.inkBox { $0.alpha > 127 }), try #require(b.inkBox { $0.alpha > 127 }))
        #expect(
            abs(outer.x.lowerBound - inner.x.lowerBound + 6) <= 1
                && abs(outer.x.upperBound - inner.x.upperBound - 6) <= 1)
        #expect(
            abs(outer.y.lowerBound - inner.y.lowerBound + 6) <= 1
                && abs(outer.y.upperBound - inner.y.upperBound - 6) <= 1)
        // Along the edge, letter and outline make an opaque whole.
        #expect(a.inkPoints { (10...245).contains($0.alpha) }.allSatisfy { b[$0.x, $0.y].alpha >= 253 })
    }

    @Test func nothingOfTheOutlineShowsThroughATranslucentLetter() throws {
        let canvas = try TextStage([
            "text": "H", "fontSize": 0.5, "fontWeight": "bold", "color": "ff000080",
            "outline": ["color": "0000ff", "width": "4px"],
        ]).pixels()
        #expect(canvas.inkPoints { $0 == .init(red: 128, green: 0, blue: 0, alpha: 128) }.count > 1000)
    }

    @Test func shadowFallsWhereItIsTold() throws {
        let plain = try TextStage(["text": "H", "fontSize": 0.3]).pixels()
        let sharp = try TextStage([
            "text": "H", "fontSize": 0.3, "shadow": ["color": "ff0000", "offset": [0.1, 0.05], "blur": 0],
        ]).pixels()
        let letter = try #require(plain.inkBox { $0.alpha > 127 })
        let shadow = try #require(sharp.inkBox { $0.alpha > 127 && $0.green < 128 })
        #expect(abs(shadow.x.upperBound - letter.x.upperBound - 36) <= 1)
        #expect(abs(shadow.y.upperBound - letter.y.upperBound - 18) <= 1)
        // The letter itself stays where and what it was.
        #expect(plain.inkPoints { $0.alpha == 255 }.allSatisfy { sharp[$0.x, $0.y] == plain[$0.x, $0.y] })

        let soft = try TextStage([
            "text": "H", "fontSize": 0.3, "shadow": ["color": "ff0000", "offset": [0.1, 0.05], "blur": "12px"],
        ]).pixels()
        func steps(_ canvas: Canvas) -> Int {
            canvas.inkPoints { $0.green == 0 && (10...245).contains($0.alpha) }.count
        }
        #expect(steps(soft) > 3 * steps(sharp))
        // Blurring spreads the ink and loses none: nothing is cut off at the picture's edge.
        func mass(_ canvas: Canvas) -> Int {
            canvas.inkPoints { $0.green == 0 && $0.alpha > 0 }.reduce(0) { $0 + Int(canvas[$1.x, $1.y].alpha) }
        }
        #expect(abs(Double(mass(soft)) / Double(mass(sharp)) - 1) < 0.12)
        #expect(
            soft.inkPoints { $0.green == 0 && $0.alpha > 200 }.count
                < sharp.inkPoints { $0.green == 0 && $0.alpha > 200 }.count)
    }

    @Test func emojiHaveTheirColoursWhateverTheTextHas() throws {
        guard has("Noto Color Emoji") else { return }
        for text in ["😀", "👍🏽", "👩‍🚀"] {
            let stage = try TextStage(["text": .string(text), "fontSize": 0.2, "color": "ffffff"])
            let canvas = try stage.pixels()
            #expect(canvas.share(x: 155..<205, y: 295..<345) { Int($0.red) - Int($0.blue) > 60 } > 0.15, "\(text)")
            #expect(stage.findings.isEmpty)
            // One glyph: about as wide as high.
            let box = try #require(canvas.inkBox())
            #expect(box.x.count < box.y.count * 3 / 2, "\(text)")
        }
    }

    @Test func arabicLettersJoin() throws {
        guard has("Noto Sans Arabic") || has("Noto Naskh Arabic") || has("Amiri") else { return }
        let canvas = try TextStage(
            ["text": "مرحبا", "fontSize": 0.1875], canvas: PixelSize(width: 640, height: 360)
        ).pixels()
        // Two groups of joined letters and a dot; letter by letter there would be five and a dot.
        #expect(canvas.pieces(minArea: 12) == 3)
    }

    @Test func glyphsThatNoFontHasAreNamed() throws {
        let stage = try TextStage(["text": "a\u{10FFF0}b\u{10FFF0}"])
        let warning = try #require(stage.findings.first { $0.code == "text.missingGlyphs" })
        #expect(warning.severity == .warning)
        #expect(warning.message.contains("U+10FFF0"))
        #expect(!warning.message.contains("U+61"))
        #expect(try TextStage(["text": "plain\ttext\r\nwith\u{1} controls"]).findings.isEmpty)
    }

    @Test func unknownFontFamiliesAreTold() throws {
        let stage = try TextStage(["text": "a", "fontFamily": "No Such Family, Sans"])
        let warning = try #require(stage.findings.first)
        #expect(warning.code == "text.fontFamily" && warning.message.contains("No Such Family"))
        #expect(try TextStage(["text": "a", "fontFamily": "sans-serif"]).findings.isEmpty)
    }

    @Test func fitMakesTheFontSmallerAndKeepsWordsWhole() throws {
        let entry: [String: JSONValue] = [
            "text": "Extraordinarily long", "fontSize": 0.5, "maxWidth": 0.5, "maxHeight": 0.1,
        ]
        let free = try #require(try TextStage(.object(entry)).pixels().inkBox())
        #expect(free.y.count > 64)
        var fitted = entry
        fitted["fit"] = true
        let canvas = try TextStage(.object(fitted)).pixels()
        let box = try #require(canvas.inkBox())
        #expect(box.x.count <= 180 && box.y.count <= 64)
        #expect(box.x.count > 90, "as large as it may be")
        #expect(canvas.rowGroups <= 2)
    }

    @Test func hugeTextIsRefused() throws {
        #expect {
            try TextStage(["text": "a", "fontSize": 4])
        } throws: { ($0 as? EditorError)?.message.contains("fontSize") == true }
        let long = String(repeating: "many words ", count: 1500)
        #expect {
            try TextStage(["text": .string(long), "fontSize": 0.2])
        } throws: { ($0 as? EditorError)?.message.contains("canvas") == true }
    }

    @Test func aGrownTextIsDrawnLargeAndNotBlownUp() throws {
        let overlay = try #require(try TextStage(["text": "NN", "fontSize": 0.1, "scale": 2]).overlay(at: 0))
        #expect(overlay.scale == Point(1, 1))
        let natural = try #require(try TextStage(["text": "NN", "fontSize": 0.1]).overlay(at: 0))
        #expect(overlay.picture.width > natural.picture.width * 3 / 2)

        let growing: JSONValue = [
            "text": "NN", "fontSize": 0.1, "scale": [["time": 0, "value": 1], ["time": 2, "value": 4]],
        ]
        let stage = try TextStage(growing)
        let (small, large) = (try #require(try stage.overlay(at: 0)), try #require(try stage.overlay(at: 2.5)))
        #expect(small.picture === large.picture)
        #expect(abs(small.scale.x - 0.25) < 1e-9 && abs(large.scale.x - 1) < 1e-9)
    }

    @Test func standsOnWholePixelsWhereverTheCenterIs() throws {
        for center in [[0.5, 0.5], [0.3337, 0.7113], [0.1, 0.9999]] {
            let canvas = try TextStage([
                "text": "odd", "fontSize": 0.0777, "center": .array(center.map { .number($0) }), "outline": [:],
                "shadow": [:],
            ]).pixels()
            #expect(canvas.inkBox() != nil)
        }
    }

    @Test func coloursNeverExceedTheirAlpha() throws {
        let stage = try TextStage([
            "text": "Ag😀", "fontSize": 0.2, "color": "ff8040c0", "outline": ["color": "30f0a080"], "shadow": [:],
            "backgroundColor": "ffffff30",
        ])
        let picture = try #require(try stage.overlay(at: 0)).picture
        for i in stride(from: 0, to: picture.pixels.count, by: 4) {
            let alpha = picture.pixels[i + 3]
            guard picture.pixels[i] <= alpha, picture.pixels[i + 1] <= alpha, picture.pixels[i + 2] <= alpha else {
                Issue.record("pixel \(i / 4): \(picture.pixels[i..<i + 4])")
                return
            }
        }
    }

    @Test func emptyTextIsNothingAndTold() throws {
        let stage = try TextStage(["text": "  \n "])
        #expect(stage.findings.map(\.code) == ["text.empty"])
        #expect(try stage.overlay(at: 0) == nil)
    }
}
