public import EditorCore
internal import Glibc

/// The outgoing picture grows towards the viewer and dissolves into the incoming one.
public final class Zoom: TransitionEffect {
    public struct Parameters: ParameterSet {
        /// How many times larger the outgoing picture is in the end.
        public var scale = 3.0

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "scale", \.scale, .number(in: 1...10), help: "How many times larger the outgoing picture is in the end."
            )
        ]
    }

    public static let id = "zoom"
    public static let summary = "The outgoing picture grows towards the viewer and dissolves into the incoming one."
    public static let example: JSONValue = ["scale": 2]

    private let scale: Double
    private let pool = FramePool()
    private var enlargement: Enlargement

    public init(_ parameters: Parameters, context: EffectContext) {
        scale = parameters.scale
        enlargement = Enlargement(width: context.canvas.width)
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress <= 0 { return }
        if progress >= 1 {
            from = to
            return
        }
        // Equal times multiply the size by equal factors, which looks like an even approach.
        let factor = pow(scale, progress)
        // The dissolve is flat at both ends, so that the movement is seen.
        let weight = RowBlend.weight(progress * progress * (3 - 2 * progress))
        var result = pool.frame(.yuv420, from.size)
        result.withPlanarPicture(and: from) { out, outgoing in
            to.readingPlanarPicture { incoming in
                for plane in PlanarPicture.planes {
                    enlargement.draw(
                        outgoing[plane], by: factor, isChroma: plane > 0, mixedWith: incoming[plane],
                        weight: weight, into: out[plane])
                }
            }
        }
        from = result
    }
}
