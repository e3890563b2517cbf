public import EditorCore

/// An edge runs over the canvas and uncovers the incoming picture.
public final class Wipe: TransitionEffect {
    public struct Parameters: ParameterSet {
        public var direction = Direction.left
        /// Width of the edge as a share of the way it runs.
        public var softness = 0.0

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init("direction", \.direction, .choice, help: "Where the edge moves; the incoming picture is behind it."),
            .init(
                "softness", \.softness, .number(in: 0...1),
                help: "How wide the edge is: 0 is sharp, 1 as wide as the canvas."),
        ]
    }

    public static let id = "wipe"
    public static let summary = "An edge runs over the canvas and uncovers the incoming picture."
    public static let example: JSONValue = ["direction": "right", "softness": 0.2]

    private let parameters: Parameters
    private var blend: MaskedBlend
    /// Weights along the way of the edge.
    private var ramp: [UInt16]

    public init(_ parameters: Parameters, context: EffectContext) {
        self.parameters = parameters
        blend = MaskedBlend(width: context.canvas.width)
        ramp = Array(repeating: 0, count: Self.length(parameters.direction, context.canvas))
    }

    private static func length(_ direction: Direction, _ size: PixelSize) -> Int {
        direction.isHorizontal ? size.width : size.height
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress <= 0 { return }
        if progress >= 1 {
            from = to
            return
        }
        let length = Self.length(parameters.direction, from.size)
        if ramp.count != length { ramp = Array(repeating: 0, count: length) }
        // A sharp edge is still a pixel wide, so that it moves evenly.
        let width = max(parameters.softness, 1 / Double(max(1, length)))
        let front = progress * (1 + width)
        for i in 0..<length {
            let place = (Double(i) + 0.5) / Double(length)
            ramp[i] = RowBlend.weight((front - (parameters.direction.isBackward ? 1 - place : place)) / width)
        }
        ramp.withUnsafeBufferPointer { ramp in
            let mask = Ramp(weights: ramp.baseAddress!, isHorizontal: parameters.direction.isHorizontal)
            from.withPlanarPicture(and: to) { out, incoming in blend.blend(out, incoming, mask) }
        }
    }

    /// Weights that change along one axis only.
    private struct Ramp: RevealMask {
        let weights: UnsafePointer<UInt16>
        let isHorizontal: Bool

        func cover(row y: Int, into out: UnsafeMutablePointer<UInt16>, count: Int) -> RowCover {
            if isHorizontal {
                out.update(from: weights, count: count)
                return .mixed
            }
            if weights[y] == 0 { return .outgoing }
            if weights[y] == 256 { return .incoming }
            out.update(repeating: weights[y], count: count)
            return .mixed
        }
    }
}
