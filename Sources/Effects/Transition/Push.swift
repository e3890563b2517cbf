public import EditorCore

/// The incoming picture pushes the outgoing one off the canvas.
public final class Push: TransitionEffect {
    public struct Parameters: ParameterSet {
        public var direction = Direction.left

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "direction", \.direction, .choice,
                help: "Where both pictures move; left brings the new one from the right.")
        ]
    }

    public static let id = "push"
    public static let summary = "The incoming picture pushes the outgoing one off the canvas."
    public static let example: JSONValue = ["direction": "up"]

    private let direction: Direction
    private let pool = FramePool()
    /// Rows of both pictures side by side, and one sample more.
    private var line: [UInt8]

    public init(_ parameters: Parameters, context: EffectContext) {
        direction = parameters.direction
        line = Array(repeating: 0, count: 2 * context.canvas.width + 1)
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress <= 0 { return }
        if progress >= 1 {
            from = to
            return
        }
        if line.count < 2 * from.width + 1 { line = Array(repeating: 0, count: 2 * from.width + 1) }
        var result = pool.frame(.yuv420, from.size)
        line.withUnsafeMutableBufferPointer { line in
            result.withPlanarPicture(and: from) { out, outgoing in
                to.readingPlanarPicture { incoming in
                    for plane in PlanarPicture.planes {
                        let (out, outgoing, incoming) = (out[plane], outgoing[plane], incoming[plane])
                        // One long picture, in the order in which both lie side by side, seen through a window.
                        let (first, second) = direction.isBackward ? (outgoing, incoming) : (incoming, outgoing)
                        let share = direction.isBackward ? progress : 1 - progress
                        if direction.isHorizontal {
                            Self.pushColumns(out, first, second, share, line.baseAddress!)
                        } else {
                            Self.pushRows(out, first, second, share)
                        }
                    }
                }
            }
        }
        from = result
    }

    private static func pushColumns(
        _ out: PlaneRows, _ first: PlaneRows, _ second: PlaneRows, _ share: Double, _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shift = LineShift(share * Double(out.width))
        for y in 0..<out.height {
            line.update(from: first.row(y), count: out.width)
            (line + out.width).update(from: second.row(y), count: out.width)
            line[2 * out.width] = line[2 * out.width - 1]
            shift.columns(line + shift.lines, into: out.row(y), count: out.width)
        }
    }

    private static func pushRows(_ out: PlaneRows, _ first: PlaneRows, _ second: PlaneRows, _ share: Double) {
        let shift = LineShift(share * Double(out.height))
        func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
            y < out.height ? first.row(y) : second.row(min(y - out.height, out.height - 1))
        }
        for y in 0..<out.height {
            shift.row(row(y + shift.lines), row(y + shift.lines + 1), into: out.row(y), count: out.width)
        }
    }
}
