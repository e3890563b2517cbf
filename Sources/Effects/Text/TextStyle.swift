internal import EditorCore

/// The look of a text in pixels, for one canvas and one scale of drawing.
struct TextStyle: Sendable {
    struct Outline: Sendable {
        var color: Color
        var width: Double
    }
    struct Shadow: Sendable {
        var color: Color
        var dx: Double
        var dy: Double
        /// Standard deviation of the blur.
        var deviation: Double
    }

    var family: FontFamily
    /// The em in pixels.
    var fontSize: Double
    /// nil draws at `fontSize`; else the smallest size that fitting may come to.
    var smallestFontSize: Double?
    var weight: FontWeight
    var italic: Bool
    var language: String?
    var lineSpacing: Double
    /// In ems.
    var letterSpacing: Double
    var alignment: TextParameters.Alignment
    var maxWidth: Double
    var maxHeight: Double
    /// Whether lines are made about equally long, where there are more than one.
    var isBalanced: Bool

    var color: Color
    var background: Color?
    var backgroundShape: TextParameters.BackgroundShape
    var cornerRadius: Double
    /// nil is a part of the font size.
    var padding: Double?
    var outline: Outline?
    var shadow: Shadow?
    var highlight: TextParameters.Highlight

    /// - Parameter scale: pixels drawn per canvas pixel.
    init(_ parameters: TextParameters, family: FontFamily, canvas: PixelSize, scale: Double) {
        func pixels(_ length: Length) -> Double { length.pixels(onWidth: canvas.width) * scale }
        self.family = family
        fontSize = pixels(parameters.fontSize)
        smallestFontSize = parameters.fit ? min(fontSize, pixels(parameters.minFontSize)) : nil
        weight = parameters.fontWeight
        italic = parameters.italic
        language = parameters.language
        lineSpacing = parameters.lineSpacing
        letterSpacing = parameters.letterSpacing
        alignment = parameters.alignment
        maxWidth = pixels(parameters.maxWidth)
        maxHeight = parameters.maxHeight * Double(canvas.height) * scale
        isBalanced = parameters.balance ?? (parameters.captions != nil)
        (color, background) = Self.colors(parameters)
        backgroundShape = parameters.backgroundShape
        cornerRadius = pixels(parameters.cornerRadius)
        padding = parameters.padding.map(pixels)
        outline = parameters.outline.map { Outline(color: $0.color, width: pixels($0.width)) }
        shadow = parameters.shadow.map {
            let unit = Double(canvas.width) * scale
            return Shadow(
                color: $0.color, dx: $0.offset.x * unit, dy: $0.offset.y * unit, deviation: pixels($0.blur) / 2)
        }
        highlight = parameters.highlight
    }

    /// The colours of text and box in the three colour styles of the preview screen.
    private static func colors(_ parameters: TextParameters) -> (text: Color, background: Color?) {
        var box = parameters.color
        switch parameters.colorStyle {
        case .text: return (parameters.color, parameters.backgroundColor)
        case .background: break
        case .alpha: box.alpha = UInt8((Int(box.alpha) + 1) / 2)
        }
        return (contrast(to: parameters.color), parameters.backgroundColor ?? box)
    }

    /// Black on light colours, white on the others; by luma (BT.709), with white preferred on saturated colours.
    static func contrast(to color: Color) -> Color {
        let luma = (0.2126 * Double(color.red) + 0.7152 * Double(color.green) + 0.0722 * Double(color.blue)) / 255
        return luma > 0.65 ? .black : .white
    }
}
