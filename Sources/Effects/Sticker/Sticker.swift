public import EditorCore

/// A still or moving picture over the movie.
public final class Sticker: OverlayEffect {
    public static let id = "sticker"
    public static let summary = "Puts a picture, an animation or a vector drawing over the movie."
    public static let example: JSONValue = [
        "image": "star.png", "center": [0.25, 0.2], "width": 0.2, "rotation": -12,
        "animation": ["in": "pop", "loop": "swing", "out": "fade"],
    ]

    private let parameters: StickerParameters
    private let image: ImageAsset
    private let timeline: FrameTimeline
    private let canvas: PixelSize

    public init(_ parameters: StickerParameters, context: EffectContext) throws {
        self.parameters = parameters
        canvas = context.canvas
        image = try Self.load(parameters, context: context)
        timeline = FrameTimeline(durations: image.frames.map(\.duration), loop: parameters.loop)
    }

    /// A vector drawing is asked for as large as it ever gets, so that it stays sharp.
    private static func load(_ parameters: StickerParameters, context: EffectContext) throws -> ImageAsset {
        let assets = context.assets
        var widest = widest(of: parameters.width ?? StickerParameters.standardWidth, on: context.canvas)
        if parameters.width == nil, let height = parameters.height {
            let size = try assets.image(parameters.image, width: nil).size
            widest = Self.widest(of: height, on: context.canvas) * Double(size.width) / Double(max(1, size.height))
        }
        let scale = parameters.placement.scale.keyframes.reduce(0) { max($0, $1.value) }
        // Beyond twice the canvas most of it is out of sight, and the memory is better spent elsewhere.
        let most = 2 * Double(max(context.canvas.width, context.canvas.height))
        let width = min(most, widest * scale).rounded(.up)
        return try assets.image(parameters.image, width: max(1, Int(width)))
    }

    private static func widest(of length: Animated<Length>, on canvas: PixelSize) -> Double {
        length.keyframes.reduce(0) { max($0, $1.value.pixels(onWidth: canvas.width)) }
    }

    public func overlay(at time: EffectTime) -> Overlay? {
        let clock = time.time - time.activeRange.start + parameters.startOffset
        let picture = image.frames[timeline.index(at: clock)].picture
        let (width, height) = size(at: time.seconds)
        return parameters.placement.overlay(
            of: picture,
            naturalScale: Point(
                (parameters.flipHorizontal ? -width : width) / Double(picture.width),
                (parameters.flipVertical ? -height : height) / Double(picture.height)),
            at: time, canvas: canvas)
    }

    /// Canvas pixels at scale 1. Easings may overshoot below nothing.
    private func size(at seconds: Double) -> (width: Double, height: Double) {
        func pixels(_ length: Animated<Length>) -> Double {
            max(0, length.value(at: seconds).pixels(onWidth: canvas.width))
        }
        let shape = Double(max(1, image.size.height)) / Double(max(1, image.size.width))
        switch (parameters.width, parameters.height) {
        case (let width?, let height?): return (pixels(width), pixels(height))
        case (nil, let height?): return (pixels(height) / shape, pixels(height))
        case (let width, nil):
            let width = pixels(width ?? StickerParameters.standardWidth)
            return (width, width * shape)
        }
    }
}
