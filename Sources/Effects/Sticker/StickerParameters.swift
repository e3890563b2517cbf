public import EditorCore

/// What a sticker shows and how.
public struct StickerParameters: ParameterSet {
    public var image = AssetReference(path: "", kind: .image)
    /// nil keeps the picture's shape with `height`; without both it is a quarter of the canvas' width.
    public var width: Animated<Length>?
    /// nil keeps the picture's shape.
    public var height: Animated<Length>?
    public var flipHorizontal = false
    public var flipVertical = false
    public var loop = StickerLoop.forever
    /// How much of the animated picture's run is over when the sticker comes on.
    public var startOffset = MediaTime.zero
    public var placement = OverlayPlacement()

    public init() {}

    /// The width where neither width nor height is given.
    static let standardWidth = Animated(Length(fraction: 0.25))

    public static let specs: [ParameterSpec<Self>] =
        [
            .init(
                "image", \.image, .file(.image), required: true,
                help: "The picture: a still, an animation or a vector drawing."),
            .init(
                "width", \.width, .optional(.animated(.length(in: 0...20))), unit: "fractions of the canvas width",
                help: "How wide it is; null follows the height, and is 0.25 without one."),
            .init(
                "height", \.height, .optional(.animated(.length(in: 0...20))), unit: "fractions of the canvas width",
                help: "How high it is; null keeps the picture's shape, and with width too it is stretched."),
            .init("flipHorizontal", \.flipHorizontal, .bool, help: "Swaps left and right."),
            .init("flipVertical", \.flipVertical, .bool, help: "Swaps top and bottom."),
            .init(
                "loop", \.loop, StickerLoop.type,
                help: "How often an animated picture runs: forever (true), once (false) or that many times; then its "
                    + "last picture stays."),
            .init(
                "startOffset", \.startOffset, .seconds(), unit: "seconds",
                help: "Where in the animated picture to begin."),
        ] + OverlayPlacement.specs(at: \.placement)
}

/// How often an animated picture runs before its last picture stays.
public enum StickerLoop: Sendable, Hashable {
    case forever
    /// At least 1.
    case times(Int)

    /// `"forever"`, `"once"`, a whole number from 1 up, true or false.
    static let type: ParameterType<StickerLoop> = {
        let word = ParameterType<String>.word(["forever", "once"])
        let count = ParameterType<Int>.integer(in: 1...1_000_000)
        return ParameterType(
            name: "forever, once, or whole number", range: count.range,
            schema: ["anyOf": [word.schema, count.schema, ["type": "boolean"]]],
            read: { value, pointer, reading in
                switch value {
                case .bool(let forever): return forever ? .forever : .times(1)
                case .number: return count.read(value, pointer, &reading).map { .times($0) }
                case .string: return word.read(value, pointer, &reading).map { $0 == "once" ? .times(1) : .forever }
                default:
                    reading.wrongType(value, at: pointer, wanted: "\"forever\", \"once\" or how many times")
                    return nil
                }
            },
            write: {
                switch $0 {
                case .forever: "forever"
                case .times(1): "once"
                case .times(let count): .number(Double(count))
                }
            })
    }()
}
