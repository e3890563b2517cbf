public import EditorCore

/// A circle opens and shows the incoming picture.
public final class Circle: TransitionEffect {
    public struct Parameters: ParameterSet {
        public var center = Point(0.5, 0.5)
        /// Width of the edge as a share of the largest radius.
        public var softness = 0.0

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init("center", \.center, .point, help: "Where the circle opens, as fractions of the canvas."),
            .init(
                "softness", \.softness, .number(in: 0...1),
                help: "How wide the edge is: 0 is sharp, 1 as wide as the largest radius."),
        ]
    }

    public static let id = "circle"
    public static let summary = "A circle opens and shows the incoming picture."
    public static let example: JSONValue = ["center": [0.4, 0.6], "softness": 0.1]

    private let parameters: Parameters
    private var blend: MaskedBlend

    public init(_ parameters: Parameters, context: EffectContext) {
        self.parameters = parameters
        blend = MaskedBlend(width: context.canvas.width)
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress <= 0 { return }
        if progress >= 1 {
            from = to
            return
        }
        let mask = Disc(parameters, size: from.size, progress: progress)
        from.withPlanarPicture(and: to) { out, incoming in blend.blend(out, incoming, mask) }
    }

    /// Weights fall from 256 to 0 over `width` pixels, at the distance `outer` from the middle.
    struct Disc: RevealMask {
        let x: Double
        let y: Double
        let outer: Double
        let width: Double

        init(_ parameters: Parameters, size: PixelSize, progress: Double) {
            let (w, h) = (Double(size.width), Double(size.height))
            (x, y) = (parameters.center.x * w, parameters.center.y * h)
            // The farthest corner is reached at the end.
            let (dx, dy) = (max(abs(x), abs(w - x)), max(abs(y), abs(h - y)))
            let largest = (dx * dx + dy * dy).squareRoot()
            width = max(1, parameters.softness * largest)
            outer = progress * (largest + width)
        }

        func cover(row: Int, into weights: UnsafeMutablePointer<UInt16>, count: Int) -> RowCover {
            let dy = Double(row) + 0.5 - y
            let reach = outer * outer - dy * dy
            if reach <= 0 { return .outgoing }
            // Only the columns between the circle's inner and outer edge need a root.
            let inner = outer - width
            let hole = inner > 0 ? (inner * inner - dy * dy) : -1
            let (first, last) = columns(reach.squareRoot(), count)
            let (from, to) = hole > 0 ? columns(hole.squareRoot(), count, isInner: true) : (first, first)
            if from <= 0, to >= count { return .incoming }
            if first >= last { return .outgoing }
            weights.update(repeating: 0, count: first)
            edge(first..<max(first, min(from, last)), dy, weights)
            let (left, right) = (max(first, from), min(last, to))
            if left < right { (weights + left).update(repeating: 256, count: right - left) }
            edge(max(first, min(from, last), min(to, last))..<last, dy, weights)
            (weights + last).update(repeating: 0, count: count - last)
            return .mixed
        }

        /// The columns whose middle lies within `half` of the circle's, and with it those that touch it; only those
        /// wholly within for the inner edge.
        private func columns(_ half: Double, _ count: Int, isInner: Bool = false) -> (Int, Int) {
            let (low, high) = (x - half - 0.5, x + half - 0.5)
            let first = isInner ? low.rounded(.up) : low.rounded(.down)
            let last = isInner ? high.rounded(.down) + 1 : high.rounded(.up) + 1
            func clamped(_ value: Double) -> Int { Int(min(max(value, 0), Double(count))) }
            return (clamped(first), max(clamped(first), clamped(last)))
        }

        private func edge(_ columns: Range<Int>, _ dy: Double, _ weights: UnsafeMutablePointer<UInt16>) {
            let (square, start) = (Float(dy * dy), Float(0.5 - x))
            let (outer, scale) = (Float(outer), Float(256 / width))
            for column in columns {
                let dx = Float(column) + start
                let weight = (outer - (dx * dx + square).squareRoot()) * scale
                weights[column] = Self.rounded(weight < 0 ? 0 : weight > 256 ? 256 : weight)
            }
        }

        /// To nearest, by the mantissa of 2²³, whose unit is 1; the checked conversion would keep the loop scalar.
        @inline(__always)
        private static func rounded(_ value: Float) -> UInt16 {
            UInt16(truncatingIfNeeded: (value + 8_388_608).bitPattern)
        }
    }
}
