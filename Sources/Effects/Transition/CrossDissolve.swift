public import EditorCore

/// One picture fades into the other.
public final class CrossDissolve: TransitionEffect {
    public struct Parameters: ParameterSet {
        public init() {}
        public static let specs: [ParameterSpec<Self>] = []
    }

    public static let id = "crossDissolve"
    public static let summary = "The outgoing picture fades into the incoming one."

    public init(_ parameters: Parameters, context: EffectContext) {}

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        let weight = RowBlend.weight(progress)
        if weight == 0 { return }
        if weight == 256 {
            from = to
            return
        }
        from.withPlanarPicture(and: to) { out, incoming in
            for plane in PlanarPicture.planes {
                let (out, incoming) = (out[plane], incoming[plane])
                for y in 0..<out.height {
                    RowBlend.mix(out.row(y), incoming.row(y), weight: weight, into: out.row(y), count: out.width)
                }
            }
        }
    }
}
