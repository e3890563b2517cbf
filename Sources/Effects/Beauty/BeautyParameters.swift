public import EditorCore

/// How much of each treatment skin gets. Every strength runs from 0, which changes nothing, to 1.
public struct BeautyParameters: ParameterSet {
    /// Evens out pores and blotches and keeps edges.
    public var smooth: AnimatedNumber = 0.5
    /// Lifts the luma of skin, most in the mid tones.
    public var whiten: AnimatedNumber = 0
    /// Adds red to skin.
    public var ruddy: AnimatedNumber = 0
    /// Raises fine contrast along edges and off the skin.
    public var sharpen: AnimatedNumber = 0
    /// Whether smoothing and tone are limited to skin; false treats the whole picture.
    public var skinOnly = true

    public init() {}

    private static let strength = ParameterType<Double>.number(in: 0...1).animated()

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "smooth", \.smooth, strength,
            help: "Evens out pores and blotches and keeps edges; 0 changes nothing, 1 is the strongest."),
        .init("whiten", \.whiten, strength, help: "Makes skin lighter; 0 changes nothing."),
        .init("ruddy", \.ruddy, strength, help: "Makes skin rosier; 0 changes nothing."),
        .init(
            "sharpen", \.sharpen, strength,
            help: "Brings out edges, hair and what is not skin; 0 changes nothing."),
        .init("skinOnly", \.skinOnly, .bool, help: "Limits the effect to skin; false treats the whole picture."),
    ]
}
