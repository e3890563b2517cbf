public import EditorCore

/// The incoming picture moves over the outgoing one, which stands.
public final class Slide: TransitionEffect {
    public struct Parameters: ParameterSet {
        public var direction = Direction.left

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "direction", \.direction, .choice, help: "Where the incoming picture moves; left comes from the right.")
        ]
    }

    public static let id = "slide"
    public static let summary = "The incoming picture slides over the outgoing one."
    public static let example: JSONValue = ["direction": "up"]

    private let direction: Direction
    /// A row of a plane and one sample more.
    private var line: [UInt8]

    public init(_ parameters: Parameters, context: EffectContext) {
        direction = parameters.direction
        line = Array(repeating: 0, count: context.canvas.width + 1)
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress <= 0 { return }
        if progress >= 1 {
            from = to
            return
        }
        if line.count <= from.width { line = Array(repeating: 0, count: from.width + 1) }
        line.withUnsafeMutableBufferPointer { line in
            from.withPlanarPicture(and: to) { out, incoming in
                for plane in PlanarPicture.planes {
                    let (out, incoming) = (out[plane], incoming[plane])
                    if direction.isHorizontal {
                        slideColumns(out, incoming, progress, line.baseAddress!)
                    } else {
                        slideRows(out, incoming, progress)
                    }
                }
            }
        }
    }

    /// The seam lies within column `edge.lines`, which shows both pictures.
    private func slideColumns(
        _ out: PlaneRows, _ incoming: PlaneRows, _ progress: Double, _ line: UnsafeMutablePointer<UInt8>
    ) {
        let edge = edge(out.width, progress)
        guard edge.lines < out.width else { return }
        for y in 0..<out.height {
            let (target, source) = (out.row(y), incoming.row(y))
            if direction.isBackward {
                let count = out.width - edge.lines
                line[0] = target[edge.lines]
                (line + 1).update(from: source, count: count)
                LineShift.reversed(edge).columns(line, into: target + edge.lines, count: count)
            } else {
                let count = edge.lines + 1
                line.update(from: source + out.width - count, count: count)
                line[count] = target[edge.lines]
                LineShift.reversed(edge).columns(line, into: target, count: count)
            }
        }
    }

    private func slideRows(_ out: PlaneRows, _ incoming: PlaneRows, _ progress: Double) {
        let edge = edge(out.height, progress)
        guard edge.lines < out.height else { return }
        let shift = LineShift.reversed(edge)
        if direction.isBackward {
            for y in edge.lines..<out.height {
                let upper = y == edge.lines ? out.row(y) : incoming.row(y - edge.lines - 1)
                shift.row(upper, incoming.row(y - edge.lines), into: out.row(y), count: out.width)
            }
        } else {
            let first = out.height - edge.lines - 1
            for y in 0...edge.lines {
                let lower = y == edge.lines ? out.row(y) : incoming.row(first + y + 1)
                shift.row(incoming.row(first + y), lower, into: out.row(y), count: out.width)
            }
        }
    }

    /// Where the incoming picture's edge lies, in lines.
    private func edge(_ count: Int, _ progress: Double) -> LineShift {
        LineShift(Double(count) * (direction.isBackward ? 1 - progress : progress))
    }
}
