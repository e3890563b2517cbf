import EditorCore
import Testing

@testable import TextEffects

@Suite struct CaptionFileTests {
    private func read(_ text: String, maxWords: Int = 6) -> CaptionFile { CaptionFile(text, maxWords: maxWords) }
    private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }
    private func range(_ from: Int64, _ to: Int64) -> TimeRange { TimeRange(start: time(from), end: time(to)) }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func subRip(lineEnd: String) {
        let text = """
            \u{feff}1
            00:00:01,000 --> 00:00:02,500 X1:10 X2:20
            Hello <i>there</i> & you
            second line


            2
            01:02:03,004 --> 01:02:04,000
            {\\an8}Top <font color="#ff0000">red</font> 1 < 2
            """
        let file = read(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd))
        #expect(file.errors.isEmpty && file.warnings.isEmpty)
        #expect(file.cues.map(\.range) == [range(1000, 2500), range(3_723_004, 3_724_000)])
        #expect(file.cues[0].plain == "Hello there & you\nsecond line")
        #expect(file.cues[0].content.string == "Hello <i>there</i> &amp; you\nsecond line")
        #expect(file.cues[1].plain == "Top red 1 < 2")
        #expect(file.cues[1].content.string == "Top <span foreground=\"#ff0000\">red</span> 1 &lt; 2")
    }

    @Test func looseSubRipIsRead() {
        let file = read("00:01.5 --> 00:02\nNo number, no hours, full stops\n\n7\n0:00:03,000-->0:00:04,000\nTight")
        #expect(file.errors.isEmpty)
        #expect(file.cues.map(\.range) == [range(1500, 2000), range(3000, 4000)])
    }

    @Test(arguments: [
        ("1\n00:00:02,000 --> 00:00:01,000\nBack", "line 2", "before it starts"),
        ("1\n-00:00:02,000 --> 00:00:01,000\nMinus", "line 2", "before the movie's start"),
        ("1\n00:00:02,000 -> 00:00:01,000\nArrow", "line 2", "times such as"),
        ("1\n00:00:01,000 --> 00:00:61,000\nSixty", "line 2", "00:00:61,000"),
        ("1\n00:00:01,000 --> 00:00:02,000\nGood\n\nStray text\n", "line 5", "Stray text"),
        ("1\n00:00:01,000 --> 00:00:02,000\nGood\n\n2\n", "line 5", "no times"),
        ("1\n00:00:xx,000 --> 00:00:02,000\nLetters", "line 2", "00:00:xx,000"),
        ("", "line 1", "empty"),
    ])
    func badSubRipTellsTheLine(text: String, place: String, words: String) {
        let file = read(text)
        #expect(file.errors.count == 1)
        #expect(file.errors.first?.place == place)
        #expect(file.errors.first?.message.contains(words) == true, "\(file.errors)")
    }

    @Test func aCaptionOfManyPagesIsRefused() {
        let file = read("00:00:00,000 --> 00:00:01,000\n" + String(repeating: "<", count: 1_000_000))
        #expect(file.errors.map(\.place) == ["line 1"])
    }

    @Test func allMistakesAreToldTogether() {
        let file = read("1\n00:00:02,000 --> 00:00:01,000\nA\n\n2\nnonsense\n\n3\n00:00:05,000 --> 00:00:06,000\nGood")
        #expect(file.errors.map(\.place) == ["line 2", "line 6"])
        #expect(file.cues.count == 1)
    }

    @Test func overlapsWarnAndStack() {
        let file = read(
            "1\n00:00:00,000 --> 00:00:10,000\nLong\n\n2\n00:00:04,000 --> 00:00:06,000\nWithin\n\n3\n00:00:09,900 --> 00:00:12,000\nAfter"
        )
        #expect(file.errors.isEmpty)
        #expect(file.warnings.map(\.place) == ["line 6", "line 10"])
        let sequence = file.sequence()
        #expect(sequence.map(\.plain) == ["Long", "Long\nWithin", "Long", "After"])
        #expect(sequence.map(\.range) == [range(0, 4000), range(4000, 6000), range(6000, 9900), range(9900, 12000)])
    }

    @Test func aShortOverlapIsCut() {
        let file = read("00:00:00,000 --> 00:00:01,100\nOne\n\n00:00:01,000 --> 00:00:02,000\nTwo")
        #expect(file.warnings.count == 1)
        #expect(file.sequence().map(\.range) == [range(0, 1000), range(1000, 2000)])
        #expect(file.sequence().map(\.plain) == ["One", "Two"])
    }

    @Test func twoLanguagesAtOneTimeStandTogether() {
        let file = read("00:00:00,000 --> 00:00:01,000\nOne\n\n00:00:00,000 --> 00:00:01,000\n一")
        #expect(file.sequence().map(\.plain) == ["One\n一"])
    }

    @Test func cuesOutOfOrderAreSorted() {
        let file = read("00:00:05,000 --> 00:00:06,000\nB\n\n00:00:01,000 --> 00:00:02,000\nA")
        #expect(file.sequence().map(\.plain) == ["A", "B"])
        #expect(file.warnings.isEmpty)
    }

    @Test func webVTT() {
        let file = read(
            """
            WEBVTT - a title
            Kind: captions

            NOTE
            passed over --

            STYLE
            ::cue { color: red }

            intro
            00:01.000 --> 00:02.000 align:start line:0
            <v Anna>Hello <c.loud>you</c> &lt;3&nbsp;all

            01:00:00.000 --> 01:00:04.000
            One <01:00:01.000>two <01:00:03.000><c>three</c>
            """)
        #expect(file.errors.isEmpty && file.warnings.isEmpty, "\(file.errors) \(file.warnings)")
        #expect(file.cues[0].content.string.hasPrefix("<span foreground=\"#ff0000\">Hello"))
        #expect(file.cues.map(\.range) == [range(1000, 2000), range(3_600_000, 3_604_000)])
        #expect(file.cues[0].plain == "Hello you <3\u{a0}all")
        #expect(file.cues[1].plain == "One two three")
        #expect(
            file.cues[1].words == [
                .init(bytes: 0..<3, start: time(3_600_000), end: time(3_601_000)),
                .init(bytes: 4..<7, start: time(3_601_000), end: time(3_603_000)),
                .init(bytes: 8..<13, start: time(3_603_000), end: time(3_604_000)),
            ])
    }

    @Test func badWebVTT() {
        #expect(read("WEBVTTX\n\n00:01.000 --> 00:02.000\nA").errors.map(\.place) == ["line 1"])
        #expect(read("WEBVTT\n\n00:01.000 --> soon\nA").errors.map(\.place) == ["line 3"])
        #expect(read("WEBVTT\n\nname\nno times").errors.map(\.place) == ["line 3"])
        #expect(read("WEBVTT").warnings.count == 1)
    }

    @Test func crossedTagsBecomeValidMarkup() {
        let text = CueText("<b>a<i>b</b>c</i>d<u>e", dialect: .subRip)
        #expect(text.markup == "<b>a<i>b</i></b><i>c</i>d<u>e</u>")
        #expect(TextLayout.markupProblem(text.markup) == nil)
    }

    @Test(arguments: [
        "<", "<<b>", "</b>", "<b", "<b><b>x</b>", "a > b < c", "<font color=red>x</font>", "<font color='#12'>x",
        "&amp", "&;",
        "<i></b></i>", "{\\b1", "<00:01>", "<1>", "\u{0}<b>\u{7}</b>", "</font><font color=#0000ff>",
    ])
    func whateverStandsInACueIsValidMarkup(source: String) {
        for dialect in [CueText.Dialect.subRip, .webVTT] {
            let text = CueText(source, dialect: dialect)
            #expect(TextLayout.markupProblem(text.markup) == nil, "\(text.markup)")
        }
    }

    @Test func wordsOfAFlatListAreGrouped() {
        let json = """
            [{"text": "Hello", "startMs": 0, "endMs": 300}, {"text": " there.", "startMs": 300, "endMs": 700},
             {"text": " Next", "startMs": 700, "endMs": 900}, {"text": " one", "startMs": 900, "endMs": 1100},
             {"text": " two", "startMs": 1100, "endMs": 1300}, {"text": " late", "startMs": 5000, "endMs": 5500}]
            """
        let file = read(json, maxWords: 2)
        #expect(file.errors.isEmpty)
        #expect(file.cues.map(\.plain) == ["Hello there.", "Next one", "two", "late"])
        #expect(file.cues.map(\.range) == [range(0, 700), range(700, 1100), range(1100, 1300), range(5000, 5500)])
        #expect(file.cues[0].words.map(\.bytes) == [0..<5, 6..<12])
        #expect(file.cues[0].words.map(\.start) == [time(0), time(300)])
    }

    @Test func otherShapesOfWordTimings() {
        let whisper = read(
            """
            {"segments": [{"start": 0, "end": 1, "text": " Good day", "words": [{"word": " Good", "start": 0, "end": 0.4},
             {"word": " day", "start": 0.45, "end": 1}]}, {"start": 2, "end": 3, "text": " No words & <tags>"}]}
            """)
        #expect(whisper.cues.map(\.plain) == ["Good day", "No words & <tags>"])
        #expect(whisper.cues[0].words.count == 2 && whisper.cues[1].words.isEmpty)
        let bare = read(
            #"{"words": [{"word": "你", "start": 0, "end": 0.1}, {"word": "好", "start": 0.1, "end": 0.2}, {"word": "ok", "start": 0.2, "end": 0.3}, {"word": "go", "start": 0.3, "end": 0.4}]}"#
        )
        #expect(bare.cues.map(\.plain) == ["你好ok go"])
    }

    @Test(arguments: [
        (#"[{"text": "a", "start": 2, "end": 1}]"#, "/0"),
        (#"{"words": [{"text": "a", "start": 0, "end": 1}, {"text": "b", "end": 1}]}"#, "/words/1"),
        (#"[{"start": 0, "end": 1}]"#, "/0"),
        (#"[{"text": "a", "start": -1, "end": 1}]"#, "/0"),
        (#"{"text": "a"}"#, "the document"),
        (#"{"words": [}"#, "the document"),
    ])
    func badWordTimingsTellThePlace(json: String, place: String) {
        #expect(read(json).errors.map(\.place) == [place])
    }

    @Test func timesOfWordsAreSharedOutByLength() {
        let cue = Cue(range: range(0, 1000), content: .plain("aaa b\ncccccc"), plain: "aaa b\ncccccc")
        #expect(
            cue.timedWords() == [
                .init(bytes: 0..<3, start: time(0), end: time(300)),
                .init(bytes: 4..<5, start: time(300), end: time(400)),
                .init(bytes: 6..<12, start: time(400), end: time(1000)),
            ])
        #expect(WordRanges.words(in: "日本、ok!") == [0..<3, 3..<9, 9..<12])
    }
}
