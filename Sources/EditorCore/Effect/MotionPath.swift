internal import Glibc

/// A way that an overlay goes while it is on: a smooth curve through points, at an even pace along it.
public struct MotionPath: ParameterSet, Hashable {
    /// Fractions of the canvas, two at least.
    public var points: [Point] = []
    /// Seconds after the overlay comes on.
    public var start = 0.0
    /// Seconds; nil goes on until the overlay goes off.
    public var duration: Double?
    /// Of the length that is behind it.
    public var easing = Easing.linear
    /// Whether the way leads back to its first point.
    public var isClosed = false
    /// Whether it is gone again and again.
    public var repeats = false
    /// Whether the overlay turns as the way does; to the right it is as it is.
    public var turns = false

    public init() {}

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "points", \.points, .list(of: .point, count: 2...100), required: true, unit: "fractions of the canvas",
            help: "Where it leads through, as a smooth curve."),
        .init("start", \.start, .number(in: 0...1e6), unit: "seconds", help: "When it sets out after it came on."),
        .init(
            "duration", \.duration, .optional(.number(in: 0.02...1e6)), unit: "seconds",
            help: "How long it takes; null is until it goes off."),
        .init("easing", \.easing, .choice, help: "How the pace changes; linear is even."),
        .init("closed", \.isClosed, .bool, help: "Whether the way leads back to the first point."),
        .init("repeats", \.repeats, .bool, help: "Whether it is gone again and again."),
        .init("turns", \.turns, .bool, help: "Whether the picture turns as the way does; to the right it is upright."),
    ]

    /// Straight pieces that a stretch between two points is measured in.
    private static let pieces = 24

    /// Where it is, in canvas pixels, and how the way leads on there, in degrees clockwise from the right.
    func place(at time: EffectTime, canvas: PixelSize) -> (point: Point, heading: Double) {
        let whole = duration ?? max(0.02, time.activeRange.duration.seconds - start)
        var fraction = (time.sinceStart - start) / whole
        if repeats, fraction > 1 { fraction -= fraction.rounded(.down) }
        let eased = easing.value(at: min(1, max(0, fraction)))
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        func pixel(_ stretch: Int, _ t: Double) -> Point {
            let point = curve(stretch, t)
            return Point(point.x * width, point.y * height)
        }
        let stretches = isClosed ? points.count : points.count - 1
        var length = 0.0
        walk(stretches, pixel) { piece, _, _ in
            length += piece
            return true
        }
        // Easings may overshoot a little; the way's ends are its ends.
        var rest = min(1, max(0, eased)) * length
        var result = (point: pixel(0, 0), heading: 0.0)
        walk(stretches, pixel) { piece, from, to in
            let share = piece > 0 ? min(1, rest / piece) : 0
            result.point = Point(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
            if piece > 0 { result.heading = atan2(to.y - from.y, to.x - from.x) * 180 / .pi }
            rest -= piece
            return rest > 0
        }
        return result
    }

    /// Gives the straight pieces of the way in order until `body` has had enough.
    private func walk(
        _ stretches: Int, _ pixel: (Int, Double) -> Point,
        _ body: (_ length: Double, _ from: Point, _ to: Point) -> Bool
    ) {
        var from = pixel(0, 0)
        for stretch in 0..<stretches {
            for piece in 1...Self.pieces {
                let to = pixel(stretch, Double(piece) / Double(Self.pieces))
                guard body(hypot(to.x - from.x, to.y - from.y), from, to) else { return }
                from = to
            }
        }
    }

    /// Catmull and Rom's spline from one point to the next; an open way's ends are doubled.
    private func curve(_ stretch: Int, _ t: Double) -> Point {
        func point(_ index: Int) -> Point {
            isClosed
                ? points[(index + points.count) % points.count] : points[min(points.count - 1, max(0, index))]
        }
        let (a, b, c, d) = (point(stretch - 1), point(stretch), point(stretch + 1), point(stretch + 2))
        func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
        }
        return Point(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y))
    }
}
