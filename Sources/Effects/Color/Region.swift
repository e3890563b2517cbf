public import EditorCore

/// A part of the picture, possibly on the move.
public struct Region: ParameterSet {
    public enum Shape: String, Sendable, CaseIterable {
        case rectangle, ellipse
    }

    public var shape = Shape.rectangle
    public var center = Animated(Point(0.5, 0.5))
    public var width = Animated(Length(fraction: 0.3))
    public var height = Animated(Length(fraction: 0.3))
    public var softness = Length(fraction: 0.01)

    public init() {}

    public static let specs: [ParameterSpec<Self>] = [
        .init("shape", \.shape, .choice, help: "A rectangle, or the ellipse that touches its sides."),
        .init("center", \.center, .animated(.point), help: "Where its middle lies, as fractions of the canvas."),
        .init(
            "width", \.width, .animated(.length(in: 0...10)),
            help: "How wide it is, as a fraction of the canvas width; 0 is nothing."),
        .init(
            "height", \.height, .animated(.length(in: 0...10)),
            help: "How high it is, as a fraction of the canvas width too, so that equal numbers make a square."),
        .init(
            "softness", \.softness, .length(in: 0...1),
            help:
                "How far the edge fades beyond it, as a fraction of the canvas width; all of the region stays covered."
        ),
    ]
}

/// A region at one instant, in pixels.
struct RegionMask {
    private let shape: Region.Shape
    private let center: (x: Double, y: Double)
    private let half: (x: Double, y: Double)
    private let softness: Double
    /// The pixels that are not left alone.
    let area: Area

    /// Columns and rows of a plane.
    struct Area: Equatable {
        var columns: Range<Int>
        var rows: Range<Int>

        var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
        /// The chroma samples that these pixels take their colour from: those left and right of them, above and below.
        var chroma: Area {
            Area(
                columns: columns.lowerBound / 2..<(columns.upperBound + 2) / 2,
                rows: max(0, rows.lowerBound - 1) / 2..<(rows.upperBound + 2) / 2)
        }

        /// The part that lies in a plane.
        func within(_ plane: PlaneRows) -> Area {
            Area(columns: columns.clamped(to: 0..<plane.width), rows: rows.clamped(to: 0..<plane.height))
        }
    }

    /// - Parameter size: of the canvas.
    init(_ region: Region, at seconds: Double, size: PixelSize) {
        shape = region.shape
        let place = region.center.value(at: seconds)
        center = (place.x * Double(size.width), place.y * Double(size.height))
        // Easings may overshoot.
        let (width, height) = (
            region.width.value(at: seconds).pixels(onWidth: size.width),
            region.height.value(at: seconds).pixels(onWidth: size.width)
        )
        // A hair more, so that what just touches the region is covered in spite of rounding.
        half = (width / 2 + 1 / 512, height / 2 + 1 / 512)
        softness = max(0, region.softness.pixels(onWidth: size.width))
        guard width > 0, height > 0 else {
            area = Area(columns: 0..<0, rows: 0..<0)
            return
        }
        // Beside an ellipse's ends the distance below is somewhat short.
        let reach = shape == .rectangle ? softness : 1.5 * softness
        func span(_ center: Double, _ half: Double, _ count: Int) -> Range<Int> {
            func bound(_ value: Double) -> Int { Int(max(0, min(Double(count), value))) }
            let (first, end) = (bound((center - half).rounded(.down)), bound((center + half).rounded(.up)))
            return first..<max(first, end)
        }
        area = Area(
            columns: span(center.x, half.x + reach, size.width), rows: span(center.y, half.y + reach, size.height))
    }

    /// Writes what the treated picture counts in pixels `columns` of a row, 0…256: all of it wherever any part of the
    /// pixel lies in the region.
    func weights(row y: Int, _ columns: Range<Int>, into out: UnsafeMutablePointer<UInt16>) {
        let down = Float(max(0, abs(Double(y) + 0.5 - center.y) - 0.5))
        let (middle, fade) = (Float(center.x), Float(softness))
        // Pixels beyond the edge; without softness the first is left alone already.
        let perPixel = 256 / max(fade, 1 / 1024)
        switch shape {
        case .rectangle:
            let (halfX, dy) = (Float(half.x), max(0, down - Float(half.y)))
            for x in columns {
                let dx = max(0, abs(Float(x) + 0.5 - middle) - 0.5 - halfX)
                out[x &- columns.lowerBound] = Self.weight((dx * dx + dy * dy).squareRoot() * perPixel)
            }
        case .ellipse:
            // With ρ = √((dx / a)² + (dy / b)²) the distance from the ellipse is about (ρ − 1) / |∇ρ|, on the axes just that.
            let (inverseX, inverseY) = (Float(1 / half.x), Float(1 / half.y))
            let dy = down * inverseY
            for x in columns {
                let dx = max(0, abs(Float(x) + 0.5 - middle) - 0.5) * inverseX
                let square = dx * dx + dy * dy
                let (slopeX, slopeY) = (dx * inverseX, dy * inverseY)
                let slope = max(1e-9, slopeX * slopeX + slopeY * slopeY).squareRoot()
                out[x &- columns.lowerBound] = Self.weight((square - square.squareRoot()) / slope * perPixel)
            }
        }
    }

    /// To nearest, by the mantissa of 2²³, whose unit is 1.
    @inline(__always)
    private static func weight(_ beyond: Float) -> UInt16 {
        let loss = max(0, min(256, beyond))
        return UInt16(truncatingIfNeeded: (256 - loss + 8_388_608).bitPattern)
    }
}
