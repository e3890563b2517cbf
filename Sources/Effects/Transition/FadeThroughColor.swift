public import EditorCore

/// One picture fades to a colour, and the colour to the other picture.
public final class FadeThroughColor: TransitionEffect {
    public struct Parameters: ParameterSet {
        public var color = Color.black

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init("color", \.color, .color, help: "What is seen in the middle, where neither picture is.")
        ]
    }

    public static let id = "fadeThroughColor"
    public static let summary = "The outgoing picture fades to a colour, then the colour to the incoming picture."
    public static let example: JSONValue = ["color": "ffffff"]

    /// The colour's codes in luma, C′B and C′R.
    private let codes: [UInt8]

    public init(_ parameters: Parameters, context: EffectContext) {
        let (y, u, v) = ColorConversion.yuv(for: parameters.color)
        codes = [y, u, v]
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress >= 0.5 { from = to }
        let weight = RowBlend.weight(1 - abs(2 * min(max(progress, 0), 1) - 1))
        if weight == 0 { return }
        from.withPlanarPicture(and: to) { out, _ in
            for plane in PlanarPicture.planes {
                let (out, code) = (out[plane], codes[plane])
                for y in 0..<out.height {
                    RowBlend.mix(out.row(y), value: code, weight: weight, into: out.row(y), count: out.width)
                }
            }
        }
    }
}
