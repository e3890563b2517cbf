public import EditorCore

/// What is written, how it looks, and where it stands.
public struct TextParameters: ParameterSet {
    public enum ColorStyle: String, Sendable, CaseIterable {
        /// The text has the colour.
        case text
        /// A box of the colour behind text in white or black, whichever stands out.
        case background
        /// The same with a half translucent box.
        case alpha
    }
    public enum Alignment: String, Sendable, CaseIterable { case left, center, right }
    public enum VerticalAlignment: String, Sendable, CaseIterable { case top, middle, bottom }
    public enum BackgroundShape: String, Sendable, CaseIterable {
        /// One box around all lines.
        case block
        /// A box around each line.
        case lines
    }

    /// Whether captions become a track of the movie that players show or hide.
    public enum Soft: Sendable, Hashable {
        /// They are burnt in.
        case no
        /// They are burnt in and a track too.
        case also
        /// They are a track and not burnt in.
        case only

        /// true, false, or "only".
        static let type: ParameterType<Soft> = {
            let word = ParameterType<String>.word(["only"])
            return ParameterType(
                name: "boolean, or only", range: nil, schema: ["anyOf": [["type": "boolean"], word.schema]],
                read: { value, pointer, reading in
                    switch value {
                    case .bool(let isAsked): return isAsked ? .also : .no
                    case .string: return word.read(value, pointer, &reading).map { _ in .only }
                    default:
                        reading.wrongType(value, at: pointer, wanted: "true, false or \"only\"")
                        return nil
                    }
                },
                write: { $0 == .only ? "only" : .bool($0 == .also) })
        }()
    }

    /// A line around the glyphs, outside them.
    public struct Outline: ParameterSet, Hashable {
        var color = Color.black
        var width = Length(fraction: 0.004)

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init("color", \.color, .color, help: "Colour of the outline."),
            .init(
                "width", \.width, .length(in: 0...0.2), unit: "fractions of the canvas width",
                help: "How far the outline reaches from the glyphs' edges."),
        ]
    }

    /// A soft shadow.
    public struct Shadow: ParameterSet, Hashable {
        var color = Color(red: 0, green: 0, blue: 0, alpha: 170)
        var offset = Point(0, 0.004)
        var blur = Length(fraction: 0.008)

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init("color", \.color, .color, help: "Colour of the shadow."),
            .init(
                "offset", \.offset, .point, unit: "fractions of the canvas width",
                help: "How far the shadow falls to the right and down."),
            .init(
                "blur", \.blur, .length(in: 0...0.2), unit: "fractions of the canvas width",
                help: "How soft the shadow is: twice the standard deviation of its blur; 0 is sharp."),
        ]
    }

    /// How spoken words stand out.
    public struct Highlight: ParameterSet, Hashable {
        var color: Color? = Color(red: 0xff, green: 0xc6, blue: 0x2e)
        var backgroundColor: Color?

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "color", \.color, .optional(.color), help: "Colour of the spoken words; null leaves them as they are."),
            .init("backgroundColor", \.backgroundColor, .optional(.color), help: "A box behind the spoken words."),
        ]
    }

    var text: String?
    var markup: String?
    var captions: AssetReference?
    var captionOffset = MediaTime.zero
    var maxWords = 6
    var soft = Soft.no
    var fontFamily = "Sans"
    var fontFile: AssetReference?
    var fontSize = Length(fraction: 0.06)
    var fontWeight = FontWeight.normal
    var italic = false
    var language: String?
    var color = Color.white
    var colorStyle = ColorStyle.text
    var backgroundColor: Color?
    var backgroundShape = BackgroundShape.block
    var cornerRadius = Length(fraction: 0.01)
    var padding: Length?
    var alignment = Alignment.center
    var verticalAlignment = VerticalAlignment.middle
    var maxWidth = Length(fraction: 0.9)
    var maxHeight = 0.9
    var fit = false
    var minFontSize = Length(fraction: 0.02)
    /// nil balances captions alone.
    var balance: Bool?
    var lineSpacing = 1.0
    var letterSpacing = 0.0
    var outline: Outline?
    var shadow: Shadow?
    var highlight = Highlight()
    var placement = OverlayPlacement()

    public init() {}

    /// The animations that a text has besides those of every overlay.
    static let animations = OverlayAnimation.type(
        moreIn: TextReveal.allCases.map(\.rawValue), moreOut: TextReveal.allCases.map(\.rawValue),
        moreLoop: SpokenWords.allCases.map(\.rawValue))

    public static let specs: [ParameterSpec<Self>] =
        content + font + look + layout + OverlayPlacement.specs(at: \.placement, animations: animations)

    private static let content: [ParameterSpec<Self>] = [
        .init(
            "text", \.text, .optional(.string),
            help: "The text as it stands. One of text, markup and captions is needed."),
        .init(
            "markup", \.markup, .optional(.string),
            help: "Text with Pango markup, such as <b>, <i>, or <span foreground=\"#ff0000\">."),
        .init(
            "captions", \.captions, .optional(.file(.captions)),
            help:
                "A file of timed texts: SubRip (SRT), WebVTT, simple SubStation Alpha (ASS), or JSON with the times of words. "
                + "The places and looks that it gives to captions go before the effect's own."),
        .init(
            "captionOffset", \.captionOffset, .seconds(in: -1e6...1e6), unit: "seconds",
            help: "Shifts the captions; they run on the clock of the movie (of the clip, for a clip's effect)."),
        .init(
            "maxWords", \.maxWords, .integer(in: 1...100),
            help: "How many words stand together at most when a JSON file of captions lists words alone."),
        .init(
            "soft", \.soft, Soft.type,
            help:
                "Whether the captions are also a subtitle track of the movie (mp4, mov, mkv, webm), in the language that "
                + "language names; \"only\" does not burn them in."),
    ]

    private static let font: [ParameterSpec<Self>] = [
        .init("fontFamily", \.fontFamily, .string, help: "Family of the font, or several with commas, best first."),
        .init("fontFile", \.fontFile, .optional(.file(.font)), help: "A font file to use; goes before fontFamily."),
        .init(
            "fontSize", \.fontSize, .length(in: 0.001...4), unit: "fractions of the canvas width",
            help: "Size of the font, as one em."),
        .init("fontWeight", \.fontWeight, FontWeight.parameterType, help: "From 100, thin, over 400, normal, to 1000."),
        .init("italic", \.italic, .bool, help: "Whether the font is slanted."),
        .init(
            "language", \.language, .optional(.string),
            help: "Language tag, such as ja or zh-Hant, that decides between forms of glyphs."),
        .init("lineSpacing", \.lineSpacing, .number(in: 0.1...10), help: "Multiplies the distance between lines."),
        .init(
            "letterSpacing", \.letterSpacing, .number(in: -1...10), unit: "font sizes",
            help: "What is added between letters."),
    ]

    private static let look: [ParameterSpec<Self>] = [
        .init("color", \.color, .color, help: "Colour of the text, or of its box: see colorStyle."),
        .init(
            "colorStyle", \.colorStyle, .choice,
            help: "Whether the colour is that of the text, of a background with white or black text, "
                + "or of a half translucent (alpha) background."),
        .init("backgroundColor", \.backgroundColor, .optional(.color), help: "Colour of a box behind the text."),
        .init(
            "backgroundShape", \.backgroundShape, .choice,
            help: "One box behind the block, or one behind each of its lines."),
        .init(
            "cornerRadius", \.cornerRadius, .length(in: 0...1), unit: "fractions of the canvas width",
            help: "Radius of the box's corners."),
        .init(
            "padding", \.padding, .optional(.length(in: 0...1)), unit: "fractions of the canvas width",
            help: "Distance from the text to the edge of its box; null is a part of the font's size."),
        .init("outline", \.outline, .optional(.object(Outline.self)), help: "A line around the glyphs, outside them."),
        .init("shadow", \.shadow, .optional(.object(Shadow.self)), help: "A soft shadow of the text."),
        .init(
            "highlight", \.highlight, .object(Highlight.self),
            help: "How spoken words look in the animations wordHighlight, karaoke and wordReveal."),
    ]

    private static let layout: [ParameterSpec<Self>] = [
        .init("alignment", \.alignment, .choice, help: "How lines stand in the block."),
        .init(
            "verticalAlignment", \.verticalAlignment, .choice,
            help: "Which edge of the block stands at the center: its top, its middle, or its bottom."),
        .init(
            "maxWidth", \.maxWidth, .length(in: 0.01...10), unit: "fractions of the canvas width",
            help: "Lines wrap at this width."),
        .init(
            "maxHeight", \.maxHeight, .number(in: 0.01...10), unit: "fractions of the canvas height",
            help: "Height that fit keeps the block within."),
        .init("fit", \.fit, .bool, help: "Makes the font smaller until the block fits into maxWidth and maxHeight."),
        .init(
            "minFontSize", \.minFontSize, .length(in: 0.001...4), unit: "fractions of the canvas width",
            help: "The smallest font size that fit tries."),
        .init(
            "balance", \.balance, .optional(.bool),
            help: "Whether lines that wrap are made about equally long; null does so for captions."),
    ]

    public func check(given: Set<String>, at pointer: JSONPointer, into reading: inout ParameterReading) {
        let sources = ["text", "markup", "captions"].filter(given.contains)
        if sources.isEmpty {
            reading.error(
                "text.missing", at: pointer, "the text effect has nothing to write",
                hint: "give text, markup or captions")
        } else if sources.count > 1 {
            reading.error(
                "text.ambiguous", at: pointer.appending(sources[1]),
                "the text effect has both \(sources[0]) and \(sources[1])", hint: "keep one of them")
        }
        if soft != .no, captions == nil {
            reading.error(
                "text.soft", at: pointer.appending("soft"),
                "soft makes a subtitle track of captions, and there are none",
                hint: "give captions, or leave soft out")
        }
        if let markup, let problem = TextLayout.markupProblem(markup) {
            reading.error("text.markup", at: pointer.appending("markup"), "the markup is not valid: \(problem)")
        }
        if fit, minFontSize.pixels == 0, fontSize.pixels == 0, minFontSize.fraction > fontSize.fraction,
            given.contains("minFontSize")
        {
            reading.error(
                "text.fontSize", at: pointer.appending("minFontSize"), "minFontSize is larger than fontSize",
                hint: "fit only makes text smaller")
        }
    }
}
