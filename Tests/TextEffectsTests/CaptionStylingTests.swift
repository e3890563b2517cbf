import EditorCore
import EditorTestSupport
import Testing

@testable import TextEffects

/// What the formats of captions say of looks and places.
@Suite struct CaptionStylingTests {
    private func cues(_ text: String) -> [Cue] { CaptionFile(text, maxWords: 6).cues }

    private func stage(_ text: String, _ more: [String: JSONValue] = [:], seconds: Int = 3) throws -> TextStage {
        var assets = FakeAssets()
        assets.texts["c"] = text
        let entry: [String: JSONValue] = ["captions": "c", "center": [0.5, 0.8], "fontSize": 0.08]
        return try TextStage(.object(entry.merging(more) { $1 }), seconds: seconds, assets: assets)
    }

    // MARK: SubRip

    /// The keypad's places on a canvas of 360 × 640, against the edges that the text's ink then has.
    @Test(arguments: 1...9) func keypadPlaces(key: Int) throws {
        let canvas = try stage("00:00:00,000 --> 00:00:01,000\n{\\an\(key)}nnnn").pixels()
        let ink = try #require(canvas.inkBox())
        switch key % 3 {
        case 1: #expect((17...21).contains(ink.x.lowerBound), "\(ink)")
        case 0: #expect((338...343).contains(ink.x.upperBound), "\(ink)")
        default: #expect(abs(ink.x.lowerBound + ink.x.upperBound - 359) <= 2, "\(ink)")
        }
        let middle = Double(ink.y.lowerBound + ink.y.upperBound) / 2
        switch key {
        case 7...9: #expect((64...96).contains(ink.y.lowerBound), "\(ink)")
        case 4...6: #expect(abs(middle - 320) < 8, "\(ink)")
        // Where the effect says.
        default: #expect(abs(middle - 512) < 8, "\(ink)")
        }
    }

    @Test func namedColours() {
        let text = CueText("<font color=\"Yellow\">a</font><font color=\"#00ff00\">b</font>", dialect: .subRip)
        #expect(text.markup == "<span foreground=\"#ffff00\">a</span><span foreground=\"#00ff00\">b</span>")
    }

    @Test func anInterruptedColourIsKept() {
        let text = CueText("<b>a<font color=\"red\">b</b>c</font>d", dialect: .subRip)
        #expect(
            text.markup
                == "<b>a<span foreground=\"#ff0000\">b</span></b><span foreground=\"#ff0000\">c</span>d")
    }

    // MARK: WebVTT

    @Test(
        arguments: [
            ("line:0", nil, 0.0..<60), ("line:10%", nil, 64..<90), ("line:50%,center", nil, 300..<340),
            ("line:-1", nil, 600..<640), ("line:100%,end", nil, 600..<640), ("line:-2", nil, 560..<610),
            ("position:25%", 90.0, nil), ("position:10%,line-left", nil, nil), ("", 180, 500..<525),
            ("line:x align:y", 180, nil),
        ] as [(String, Double?, Range<Double>?)])
    func webVTTPlaces(settings: String, column: Double?, rows: Range<Double>?) throws {
        let canvas = try stage("WEBVTT\n\n00:00.000 --> 00:01.000 \(settings)\nnnnn").pixels()
        let ink = try #require(canvas.inkBox())
        let middle = (Double(ink.x.lowerBound + ink.x.upperBound) / 2, Double(ink.y.lowerBound + ink.y.upperBound) / 2)
        if let column { #expect(abs(middle.0 - column) <= 2, "\(ink)") }
        if let rows { #expect(rows.contains(middle.1), "\(ink)") }
    }

    @Test func webVTTAlignments() throws {
        for (setting, isRight) in [
            ("align:start", false), ("align:left", false), ("align:end", true), ("align:right", true),
        ] {
            let ink = try #require(
                try stage("WEBVTT\n\n00:00.000 --> 00:01.000 \(setting)\nnnnnnn\nii").pixels().inkBox())
            #expect(isRight ? ink.x.upperBound >= 354 : ink.x.lowerBound <= 5, "\(setting): \(ink)")
        }
        // The block's left edge at a tenth, and lines within it set left.
        let left = try #require(
            try stage("WEBVTT\n\n00:00.000 --> 00:01.000 position:10%,line-left align:left\nnnnnnn\nii").pixels()
                .inkBox())
        #expect((36...40).contains(left.x.lowerBound), "\(left)")
        // Half the canvas' width holds less of a line.
        let wide = try stage("WEBVTT\n\n00:00.000 --> 00:01.000\nnnnn nnnn nnnn").pixels().rowGroups
        let narrow = try stage("WEBVTT\n\n00:00.000 --> 00:01.000 size:40%\nnnnn nnnn nnnn").pixels().rowGroups
        #expect(wide == 1 && narrow > 1)
    }

    @Test func webVTTClasses() throws {
        let text = CueText("<c.yellow.bg_blue>a</c> <c.first.loud>b</c> <c.red.cyan>c</c> <i.x>d</i>", dialect: .webVTT)
        #expect(
            text.markup
                == "<span foreground=\"#ffff00\" background=\"#0000ff\">a</span> b "
                + "<span foreground=\"#ff0000\">c</span> <i>d</i>")
        let canvas = try stage("WEBVTT\n\n00:00.000 --> 00:01.000\n<c.lime>NN</c>NN").pixels()
        #expect(canvas.inkPoints { $0.green > 200 && $0.red < 60 }.count > 50)
        #expect(canvas.inkPoints { $0.green > 200 && $0.red > 200 }.count > 50)
    }

    /// What the standard's example styles look like in a browser, told by the markup that is drawn.
    @Test(
        arguments: [
            ("::cue { color: #f00 }", "a<b>b</b>", "<span foreground=\"#ff0000\">a<b>b</b></span>"),
            (
                "::cue(.loud) { font-weight: bold; color: rgb(0, 255, 0) }", "<c.loud>a</c><c.low>b</c>",
                "<span foreground=\"#00ff00\" weight=\"700\">a</span>b"
            ),
            (
                "/* one */ ::cue(b), ::cue(i) { background-color: rgba(0,0,255,0.5); }", "<b>a</b>c",
                "<span background=\"#0000ff\" background_alpha=\"32896\" weight=\"700\">a</span>c"
            ),
            // A class goes before an element, wherever they stand.
            (
                "::cue(c.x) { color: lime } ::cue(c) { color: red; font-style: italic }", "<c.x>a</c>",
                "<span foreground=\"#00ff00\" style=\"italic\">a</span>"
            ),
            (
                "::cue(v[voice=\"Anna\"]) { text-decoration: underline }", "<v Anna>a</v><v Ben>b</v>",
                "<span underline=\"single\" strikethrough=\"false\">a</span>b"
            ),
            ("::cue(.yellow) { color: cyan }", "<c.yellow>a</c>", "<span foreground=\"#00ffff\">a</span>"),
            ("::cue(b) { font-weight: normal }", "<b>a</b>", "<span weight=\"400\">a</span>"),
        ])
    func webVTTStyles(css: String, cue: String, markup: String) throws {
        let file = CaptionFile("WEBVTT\n\nSTYLE\n\(css)\n\n00:00.000 --> 00:01.000\n\(cue)", maxWords: 6)
        #expect(file.warnings == [] && file.errors == [])
        let content = try #require(file.cues.first).content.string
        #expect(content == markup)
        #expect(TextLayout.markupProblem(content) == nil)
    }

    @Test func whatStylesCannotSayIsToldOf() {
        let file = CaptionFile(
            "WEBVTT\n\nSTYLE\n::cue { font-family: serif; color: red; color: nonsense }\n::cue(#one:past) { color: red }\n\n"
                + "REGION\nid:a\n\n00:00.000 --> 00:01.000\na", maxWords: 6)
        #expect(
            file.warnings == [
                .line(3, "of the STYLE block, font-family, color, ::cue(#one:past) are left out"),
                .line(7, "the REGION block is left out; captions stand where they or the effect say"),
            ])
        #expect(file.cues.map(\.content.string) == ["<span foreground=\"#ff0000\">a</span>"])
    }

    @Test func webVTTStylesAreSeen() throws {
        let canvas = try stage(
            "WEBVTT\n\nSTYLE\n::cue { color: lime; background-color: rgba(255, 0, 0, 0.5) }\n\n"
                + "00:00.000 --> 00:01.000\nNN"
        ).pixels()
        #expect(canvas.inkPoints { $0.green > 200 && $0.red < 60 }.count > 50)
        // Half of red, premultiplied.
        #expect(
            canvas.inkPoints { abs(Int($0.red) - 128) <= 1 && $0.green == 0 && abs(Int($0.alpha) - 128) <= 1 }.count
                > 50)
    }

    // MARK: Several at one time

    /// Captions of one time in different places: each in its own, and neither comes on anew when another one does.
    @Test func captionsOfOneTimeStandInTheirPlaces() throws {
        let stage = try stage(
            """
            WEBVTT

            00:00.000 --> 00:03.000 line:10%
            nnnn

            00:01.000 --> 00:02.000 line:50% align:left
            nnnn
            """, ["animation": ["in": ["name": "fade", "duration": 0.5]]])
        #expect(stage.findings.isEmpty, "\(stage.findings)")
        #expect(try [0.75, 1.75, 2.75].map { try stage.overlays(at: $0).count } == [1, 2, 1])
        let both = try stage.overlays(at: 1.75)
        #expect(both.map(\.opacity) == [1, 1])
        #expect(try stage.overlays(at: 1.25).map(\.opacity) == [1, 0.5])
        let pixels = try stage.pixels(at: 1.75)
        #expect(pixels.rowGroups == 2)
        let ink = try #require(pixels.inkBox())
        #expect((64...90).contains(ink.y.lowerBound) && (320...370).contains(ink.y.upperBound), "\(ink)")
        #expect(ink.x.lowerBound <= 5, "the lower one stands at the left: \(ink)")
    }

    /// The keypad's places of SubStation: one at the top and one where the effect says.
    @Test func subStationAlignmentsOfOneTime() throws {
        let script =
            Self.script + "\nDialogue: 0,0:00:06.00,0:00:08.00,Default,,0,0,0,,nn"
            + "\nDialogue: 0,0:00:06.00,0:00:08.00,Default,,0,0,0,,{\\an8}nn"
        let stage = try stage(script, seconds: 9)
        let ink = try #require(try stage.pixels(at: 7).inkBox())
        #expect(ink.y.lowerBound < 60 && ink.y.upperBound > 480, "\(ink)")
        #expect(try stage.pixels(at: 7).rowGroups == 2)
        // A subtitle track has one text at a time.
        let file = CaptionFile(script, maxWords: 6)
        #expect(file.sequence().last?.plain == "nn\nnn" && file.placed().count == file.cues.count)
    }

    // MARK: SubStation Alpha

    static let script = """
        [Script Info]
        ; made by hand
        ScriptType: v4.00+
        PlayResX: 720
        PlayResY: 1280

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Underline, StrikeOut, Alignment, MarginL, MarginR, MarginV
        Style: Default,Arial,40,&H00FFFFFF,0,0,0,0,2,10,10,10
        Style: Sign,Arial,60,&H000000FF,-1,0,0,0,7,72,10,128

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown
        Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,Plain, {\\i1}slanted{\\i0} & {\\b1\\u1}more{\\r}\\Ntwo
        Dialogue: 0,0:00:01.00,0:00:02.00,Sign,,0,0,0,,{\\fad(200,200)}Sign
        Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\pos(180,320)\\c&H00FF00&\\fs80\\blur2}nn
        Dialogue: 0,0:00:03.00,0:00:05.00,Default,,0,0,0,,{\\k50}One {\\k100}two {\\k50}three{\\p1}m 0 0 l 9 9{\\p0}
        """

    @Test func subStationIsRead() {
        let file = CaptionFile(Self.script, maxWords: 6)
        #expect(file.errors == [])
        #expect(
            file.warnings.map(\.place) == ["line 16"] && file.warnings[0].message.contains("\\fad, \\blur are left out")
        )
        #expect(file.cues.map(\.plain) == ["Plain, slanted & more\ntwo", "Sign", "nn", "One two three"])
        #expect(
            file.cues[0].content.string == "Plain, <span style=\"italic\">slanted</span> &amp; "
                + "<span weight=\"700\" underline=\"single\">more</span>\ntwo")
        #expect(
            file.cues[1].content.string == "<span weight=\"700\" foreground=\"#ff0000\" size=\"150%\">Sign</span>")
        #expect(file.cues[2].content.string == "<span foreground=\"#00ff00\" size=\"200%\">nn</span>")
        for cue in file.cues { #expect(TextLayout.markupProblem(cue.content.string) == nil) }
        let (start, half) = (MediaTime(seconds: 3), MediaTime(value: 1, timescale: 2))
        #expect(file.cues[3].words.map(\.start) == [start, start + half, start + half + half + half])
        #expect(file.cues.map(\.range.end) == [1, 2, 3, 5].map { MediaTime(seconds: $0) })
    }

    @Test func subStationStands() throws {
        let stage = try stage(Self.script, seconds: 6)
        // Where the effect says: the file's bottom middle.
        let plain = try #require(try stage.pixels(at: 0.5).inkBox())
        #expect(abs(plain.x.lowerBound + plain.x.upperBound - 359) <= 3)
        #expect(abs(Double(plain.y.lowerBound + plain.y.upperBound) / 2 - 512) < 12)
        // A tenth of the width and of the height from the top left, in red.
        let sign = try #require(try stage.pixels(at: 1.5).inkBox { $0.red > 128 && $0.green < 90 })
        #expect((36...42).contains(sign.x.lowerBound) && (64...100).contains(sign.y.lowerBound), "\(sign)")
        // Bottom middle of the block at a quarter of both; twice the size of the first style.
        let placed = try #require(try stage.pixels(at: 2.5).inkBox { $0.green > 128 })
        #expect(abs(Double(placed.x.lowerBound + placed.x.upperBound) / 2 - 90) <= 2, "\(placed)")
        #expect((140...160).contains(placed.y.upperBound), "\(placed)")
        let small = try #require(
            try self.stage("00:00:00,000 --> 00:00:01,000\nnn").pixels().inkBox())
        #expect(abs(Double(placed.x.count) / Double(small.x.count) - 2) < 0.1)
    }

    @Test func brokenSubStationIsTold() {
        let head = "[Events]\nFormat: Start, End, Text\n"
        func errors(_ line: String) -> [CaptionFile.Problem] { CaptionFile(head + line, maxWords: 6).errors }
        #expect(errors("Dialogue: soon,0:00:01.00,A").first?.message.contains("\"soon\" is no time") == true)
        #expect(errors("Dialogue: soon,0:00:01.00,A").first?.place == "line 3")
        #expect(
            errors("Dialogue: -0:00:01.00,0:00:01.00,A").first?.message.contains("before the movie's start") == true)
        #expect(errors("Dialogue: 0:00:02.00,0:00:01.00,A").first?.message.contains("before it starts") == true)
        #expect(errors("Dialogue: 0:00:02.00").first?.message.contains("fewer parts") == true)
        #expect(CaptionFile(head, maxWords: 6).warnings.count == 1)
        // Old scripts count alignments otherwise: 6 is the top's middle.
        let old = CaptionFile(
            "[Script Info]\n[V4 Styles]\nFormat: Name, Alignment\nStyle: Default,6\n" + head
                + "Dialogue: 0:00:00.00,0:00:01.00,A", maxWords: 6)
        #expect(old.cues.first?.standing == CueStanding(keypad: 8, top: 0))
    }

    @Test(arguments: [
        "{", "}", "{\\", "{\\}x", "{\\pos(}x", "{\\pos(1,2,3)}x", "{\\c}x", "{\\c&H}x", "{\\fs}x{\\fs-99}y",
        "{\\b999999999999}x",
        "{\\rNone}x", "{\\k999999999999}a{\\k-5}b", "<b>&amp;</b>", "{\\t(0,1,\\fs20)}x", "{\\p1}x", "\\N\\N\\h",
        "{\\fs+5}a", "{\\an0}x",
    ])
    func whateverStandsInADialogueIsValidMarkup(source: String) {
        let text = SubStationText(source[...], style: .init(), firstSize: 20)
        #expect(TextLayout.markupProblem(text.markup) == nil, "\(text.markup)")
        #expect(!text.plain.contains("{\\pos"))
    }

    // MARK: Lines

    /// Of two lines neither is much longer than the other, and there are no more lines than without.
    @Test(arguments: [
        "This is a line that is a bit too long", "one two three four five six seven eight",
        "A very long caption whose last line would hold one lone word",
    ])
    func twoLinesAreBalanced(text: String) throws {
        let style = { (isBalanced: Bool) throws -> TextLayout in
            var reading = ParameterReading()
            let entry: JSONValue = ["text": .string(text), "fontSize": 0.065, "balance": .bool(isBalanced)]
            let parameters = try #require(
                TextParameters.read(entry, at: JSONPointer(), ignoring: ["type"], into: &reading))
            let style = TextStyle(
                parameters, family: FontFamily(names: "DejaVu Sans"), canvas: PixelSize(width: 360, height: 640),
                scale: 1)
            return try TextLayout(.plain(text), style: style)
        }
        let (free, balanced) = (try style(false), try style(true))
        #expect(free.lines.count == balanced.lines.count && free.lines.count >= 2)
        func unevenness(_ layout: TextLayout) -> Double {
            let widths = layout.lines.map(\.box.width)
            return 1 - widths.min()! / widths.max()!
        }
        #expect(unevenness(balanced) < unevenness(free) - 0.05 || unevenness(free) < 0.15)
        // No two words could be parted better: one word, moved, changes a line by its width.
        let longest = text.split(separator: " ").map(\.count).max()!
        #expect(unevenness(balanced) <= Double(longest + 1) / Double(text.count) * Double(balanced.lines.count) + 0.02)
    }

    @Test func captionsAreBalancedAndTextsAreNot() throws {
        let text = "one two three four five six seven eight"
        let caption = try stage("00:00:00,000 --> 00:00:01,000\n\(text)").pixels()
        let plain = try TextStage(["text": .string(text), "center": [0.5, 0.8], "fontSize": 0.08]).pixels()
        let (a, b) = (try #require(caption.inkBox()), try #require(plain.inkBox()))
        #expect(a.x.count < b.x.count && caption.rowGroups == plain.rowGroups)
    }

    // MARK: The track

    @Test func looksOfATrack() {
        let runs = Cue.runs(
            ofMarkup: "a &lt;<b>b<i>c</i></b><span foreground=\"#ff0000\" style=\"italic\">d</span> < &amp;")
        #expect(
            runs == [
                .init("a <"), .init("b", isBold: true), .init("c", isBold: true, isItalic: true),
                .init("d", isItalic: true), .init(" "), .init("<"), .init(" &"),
            ])
    }

    @Test func softCaptions() throws {
        let file = "00:00:00,500 --> 00:00:01,000\n<b>One</b>\n\n00:00:01,500 --> 00:00:02,000\nTwo"
        #expect(try stage(file).effect.subtitles == nil)
        let also = try stage(file, ["soft": true, "language": "en", "captionOffset": 1])
        let track = try #require(also.effect.subtitles)
        #expect(track.language == "en" && track.cues.map(\.text) == ["One", "Two"])
        #expect(track.cues.map(\.range.start.seconds) == [1.5, 2.5] && track.cues[0].runs[0].isBold)
        #expect(try also.overlay(at: 1.7) != nil)
        let only = try stage(file, ["soft": "only"])
        #expect(only.effect.subtitles != nil)
        let time = EffectTime(time: MediaTime(value: 7, timescale: 10), index: 21, activeRange: only.activeRange)
        #expect(only.effect.isIdentity(at: time))
        #expect(TextStage.findings(["text": "a", "soft": true]).map(\.code) == ["text.soft"])
        #expect(TextStage.findings(["captions": "a", "soft": "never"]).count == 1)
    }
}
