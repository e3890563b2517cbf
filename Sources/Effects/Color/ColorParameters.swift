public import EditorCore

/// What `color` changes. Everything is 0 where nothing changes.
public struct ColorParameters: ParameterSet {
    public var exposure: AnimatedNumber = 0
    public var contrast: AnimatedNumber = 0
    public var highlights: AnimatedNumber = 0
    public var shadows: AnimatedNumber = 0
    public var saturation: AnimatedNumber = 0
    public var temperature: AnimatedNumber = 0
    public var tint: AnimatedNumber = 0
    public var vignette: AnimatedNumber = 0

    public init() {}

    private static let both = ParameterType<Double>.number(in: -1...1).animated()

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "exposure", \.exposure, .animated(.number(in: -4...4)), unit: "stops",
            help: "Light: 1 is twice as much, −1 half; what becomes lighter than white is rolled off, not cut."),
        .init("contrast", \.contrast, both, help: "Difference of light and dark: −1 is little, 1 much."),
        .init("highlights", \.highlights, both, help: "Light parts alone: −1 darker, 1 lighter."),
        .init("shadows", \.shadows, both, help: "Dark parts alone: −1 darker, 1 lighter."),
        .init("saturation", \.saturation, both, help: "Colour: −1 is none, 1 twice as much."),
        .init("temperature", \.temperature, both, help: "Colour of the light: −1 cold (bluer), 1 warm (yellower)."),
        .init("tint", \.tint, both, help: "Colour of the light across that: −1 greener, 1 more magenta."),
        .init(
            "vignette", \.vignette, .animated(.number(in: 0...1)),
            help: "Darkens towards the corners; 0 not at all, 1 to black in the very corners."),
    ]
}

/// The parameters at one instant.
struct ColorValues: Equatable {
    var exposure: Double
    var contrast: Double
    var highlights: Double
    var shadows: Double
    var saturation: Double
    var temperature: Double
    var tint: Double
    var vignette: Double

    /// Easings may overshoot; values do not.
    init(_ parameters: ColorParameters, at seconds: Double) {
        func value(_ number: AnimatedNumber, _ least: Double = -1, _ most: Double = 1) -> Double {
            max(least, min(most, number.value(at: seconds)))
        }
        exposure = value(parameters.exposure, -4, 4)
        contrast = value(parameters.contrast)
        highlights = value(parameters.highlights)
        shadows = value(parameters.shadows)
        saturation = value(parameters.saturation)
        temperature = value(parameters.temperature)
        tint = value(parameters.tint)
        vignette = value(parameters.vignette, 0)
    }

    /// Whether pixels stay as they are, the vignette aside.
    var keepColors: Bool {
        exposure == 0 && contrast == 0 && highlights == 0 && shadows == 0 && saturation == 0 && temperature == 0
            && tint == 0
    }

    var areZero: Bool { keepColors && vignette == 0 }
}
