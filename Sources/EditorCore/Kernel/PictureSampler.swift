/// Draws one level of a pyramid into rows of the canvas.
///
/// The picture goes on beyond its edges by repeating them, is filtered with a tent, and is then cut off with the
/// fraction of a canvas pixel that it covers, so edges are one pixel soft at any scale. The tent's radius along each
/// axis of the picture is one picture pixel (bilinear) when magnifying, and one canvas pixel when minifying.
///
/// An upright picture is filtered down its columns once for each row of the canvas, a turned one anew for each pixel;
/// both give the same codes.
struct PictureSampler {
    /// Pixels of the canvas that the picture may touch, cut to the canvas.
    let bounds: PixelRect
    private let level: PicturePyramid.Level
    /// Level coordinates of the canvas' point (0, 0), and their change from one column and row to the next.
    private let origin: SIMD2<Double>
    private let perColumn: SIMD2<Double>
    private let perRow: SIMD2<Double>
    /// Canvas pixels per level pixel along the picture's axes, and the visible part's extent in canvas pixels.
    private let size: SIMD2<Double>
    private let extent: SIMD2<Double>
    /// The picture's pixels in one of the level's, along its axes.
    private let shrink: SIMD2<Double>
    /// Between which diagonals a place of the picture can show something, seen from the visible part's corner.
    private let sums: ClosedRange<Double>
    private let differences: ClosedRange<Double>
    /// The tent's radius is 1..<2 level pixels.
    private let weights: FilterWeights
    /// Whether canvas pixels are level pixels.
    private let isCopy: Bool
    /// Whether the rows of the canvas are rows of the picture.
    private let isUpright: Bool

    /// Nil when the canvas shows nothing of the picture.
    init?(_ pyramid: PicturePyramid, _ placement: StampPlacement, canvas: PixelSize) {
        let magnitude = SIMD2(abs(placement.scale.x), abs(placement.scale.y))
        let halvings = (x: Self.halvings(magnitude.x), y: Self.halvings(magnitude.y))
        guard let level = pyramid.level(x: halvings.x, y: halvings.y) else { return nil }
        self.level = level
        shrink = SIMD2(Double(1 << halvings.x), Double(1 << halvings.y))
        size = magnitude * shrink
        let visible = pyramid.visible
        extent = SIMD2(Double(visible.width), Double(visible.height)) * magnitude
        let ratio = SIMD2<Float>(1 / size)
        let radius = SIMD2(max(1, ratio.x), max(1, ratio.y))
        weights = pyramid.weights(radius: radius)
        // A pixel of the level counts when it is nearer than the radius, and its own reach half as far as it is large;
        // another half is for the rounding of places.
        let diagonalReach = ((SIMD2<Double>(radius) + 1) * shrink).sum()
        sums = pyramid.sums.lowerBound - diagonalReach...pyramid.sums.upperBound + diagonalReach
        differences =
            pyramid.differences.lowerBound - diagonalReach...pyramid.differences.upperBound + diagonalReach

        // Canvas to picture: turn back about the centre, unscale, and measure from the visible part's corner.
        let (cos, sin) = placement.direction
        let toLevel = 1 / (placement.scale * shrink)
        perColumn = SIMD2(cos, -sin) * toLevel
        perRow = SIMD2(sin, cos) * toLevel
        let center = SIMD2(Double(pyramid.picture.width), Double(pyramid.picture.height)) / 2
        let corner = SIMD2(Double(visible.x0), Double(visible.y0))
        origin = (center - corner) / shrink - perColumn * placement.center.x - perRow * placement.center.y
        isCopy =
            perColumn == SIMD2(1, 0) && perRow == SIMD2(0, 1) && origin == origin.rounded(.toNearestOrAwayFromZero)
        isUpright = perColumn.y == 0 && perRow.x == 0

        // The visible part and the half canvas pixel that its edge may reach.
        let low = corner - center
        let high = SIMD2(Double(visible.x1), Double(visible.y1)) - center
        let reach = 0.5 / magnitude
        var (least, most) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity))
        for corner in 0..<4 {
            let x = corner & 1 == 0 ? low.x - reach.x : high.x + reach.x
            let y = corner & 2 == 0 ? low.y - reach.y : high.y + reach.y
            let scaled = SIMD2(x, y) * placement.scale
            let turned = SIMD2(scaled.x * cos - scaled.y * sin, scaled.x * sin + scaled.y * cos)
            least = pointwiseMin(least, turned + placement.center)
            most = pointwiseMax(most, turned + placement.center)
        }
        let limit = SIMD2(Double(canvas.width), Double(canvas.height))
        let first = pointwiseMax(least, SIMD2(0, 0)) - 0.5
        let last = pointwiseMin(most, limit + 1) - 0.5
        bounds = PixelRect(
            x0: Int(first.x.rounded(.down)) + 1, y0: Int(first.y.rounded(.down)) + 1, x1: Int(last.x.rounded(.up)),
            y1: Int(last.y.rounded(.up))
        ).intersection(PixelRect(x0: 0, y0: 0, x1: canvas.width, y1: canvas.height))
        if bounds.isEmpty { return nil }
    }

    /// How often an axis is halved so that one to two of the level's pixels go into a canvas pixel.
    private static func halvings(_ scale: Double) -> Int {
        var (scale, count) = (scale, 0)
        while scale <= 0.5 {
            scale *= 2
            count += 1
        }
        return count
    }

    /// Room that `row` needs for an upright picture.
    var scratchCount: Int { isUpright && !isCopy ? ColumnFilter.scratchCount(pixels: level.stride) : 0 }

    /// Draws the row `y` of the canvas; `out[0]` is column `columns.lowerBound`. Every pixel is written.
    /// - Parameter scratch: room for `scratchCount` values.
    func row(
        _ y: Int, columns: Range<Int>, into out: UnsafeMutablePointer<SIMD4<UInt8>>,
        scratch: UnsafeMutablePointer<SIMD8<UInt16>>
    ) {
        let start = origin + perRow * (Double(y) + 0.5) + perColumn * 0.5
        let within = columns.clamped(to: bounds.x0..<bounds.x1)
        let touched = isCopy ? self.columns(of: start, reaching: -0.5, within: within) : shown(start, within: within)
        for x in columns.lowerBound..<touched.lowerBound { out[x - columns.lowerBound] = SIMD4() }
        for x in touched.upperBound..<columns.upperBound { out[x - columns.lowerBound] = SIMD4() }
        guard !touched.isEmpty else { return }
        let target = out + (touched.lowerBound - columns.lowerBound)
        level.pixels.withUnsafeBufferPointer { pixels in
            let (base, margin) = (pixels.baseAddress!, PicturePyramid.margin)
            if isCopy {
                let (column, row) = (touched.lowerBound + Int(origin.x), y + Int(origin.y))
                target.update(from: base + (row + margin) * level.stride + column + margin, count: touched.count)
                return
            }
            // The number of rows is a constant in each.
            switch (isUpright, weights.rows) {
            case (true, 2): sampleUpright(touched, from: start, base, rows: 2, scratch, into: target)
            case (true, 3): sampleUpright(touched, from: start, base, rows: 3, scratch, into: target)
            case (true, _): sampleUpright(touched, from: start, base, rows: 4, scratch, into: target)
            case (false, 2): sampleTurned(touched, from: start, base, rows: 2, into: target)
            case (false, 3): sampleTurned(touched, from: start, base, rows: 3, into: target)
            case (false, _): sampleTurned(touched, from: start, base, rows: 4, into: target)
            }
        }
    }

    // MARK: - Columns

    /// The columns of a row in which something can show.
    private func shown(_ start: SIMD2<Double>, within columns: Range<Int>) -> Range<Int> {
        var stretch = Stretch(columns)
        keep(&stretch, of: start, reaching: 0.5)
        let (place, step) = (start * shrink, perColumn * shrink)
        stretch.keep(from: place.x + place.y, step: step.x + step.y, within: sums)
        stretch.keep(from: place.x - place.y, step: step.x - step.y, within: differences)
        return stretch.columns(within: columns)
    }

    /// The columns in which a row lies at most `reach` canvas pixels outside the visible part; within it by that much
    /// when negative.
    private func columns(of start: SIMD2<Double>, reaching reach: Double, within columns: Range<Int>) -> Range<Int> {
        var stretch = Stretch(columns)
        keep(&stretch, of: start, reaching: reach)
        return stretch.columns(within: columns)
    }

    @inline(__always)
    private func keep(_ stretch: inout Stretch, of start: SIMD2<Double>, reaching reach: Double) {
        for axis in 0..<2 {
            let reach = reach / size[axis]
            let extent = extent[axis] / size[axis]
            if -reach > extent + reach { return stretch.empty() }
            stretch.keep(from: start[axis], step: perColumn[axis], within: -reach...extent + reach)
        }
    }

    /// Columns between two places of a row.
    private struct Stretch {
        private var first: Double
        private var last: Double

        init(_ columns: Range<Int>) { (first, last) = (Double(columns.lowerBound), Double(columns.upperBound - 1)) }

        mutating func empty() { last = -.infinity }

        /// Leaves the columns `x` in which `start + step · x` lies within the range.
        @inline(__always)
        mutating func keep(from start: Double, step: Double, within range: ClosedRange<Double>) {
            let (low, high) = (range.lowerBound - start, range.upperBound - start)
            if abs(step) < 1e-12 {
                if low > 0 || high < 0 { empty() }
            } else {
                first = max(first, min(low / step, high / step))
                last = min(last, max(low / step, high / step))
            }
        }

        func columns(within columns: Range<Int>) -> Range<Int> {
            if last < first { return columns.lowerBound..<columns.lowerBound }
            let from = Int(first.rounded(.up))
            return from..<max(from, Int(last.rounded(.down)) + 1)
        }
    }

    // MARK: - Filtering

    /// Places along a row of the canvas, in 2³²ths of a level pixel.
    private struct Places {
        let first: SIMD2<Int64>
        let step: SIMD2<Int64>

        /// From edge to centre coordinates, past the margin, which keeps them positive, and half of a 256th on, so that
        /// the upper eight bits of a fraction are rounded.
        init(from start: SIMD2<Double>, step: SIMD2<Double>) {
            let unit = 4_294_967_296.0
            let shift = (Double(PicturePyramid.margin) - 0.5) * unit + unit / 512
            first = SIMD2(Int64(start.x * unit + shift), Int64(start.y * unit + shift))
            self.step = SIMD2(Int64((step.x * unit).rounded()), Int64((step.y * unit).rounded()))
        }

        @inline(__always) func x(_ column: Int) -> Int64 { first.x &+ step.x &* Int64(column) }
        @inline(__always) func y(_ column: Int) -> Int64 { first.y &+ step.y &* Int64(column) }
    }

    @inline(__always)
    private func sampleTurned(
        _ columns: Range<Int>, from start: SIMD2<Double>, _ pixels: UnsafePointer<SIMD4<UInt8>>, rows: Int,
        into out: UnsafeMutablePointer<SIMD4<UInt8>>
    ) {
        let stride = level.stride
        let (across, down) = (weights.across, weights.down)
        let places = Places(from: start, step: perColumn)
        sample(columns, from: start, into: out) { x in
            let (u, v) = (places.x(x), places.y(x))
            let corner = pixels + (FilterWeights.firstRow(v, of: rows) &* stride &+ Int(u >> 32) &- 1)
            return ColumnFilter.mean(corner, stride: stride, down: down[Int(v >> 24) & 255], rows: rows)
                .across(across[Int(u >> 24) & 255])
        }
    }

    @inline(__always)
    private func sampleUpright(
        _ columns: Range<Int>, from start: SIMD2<Double>, _ pixels: UnsafePointer<SIMD4<UInt8>>, rows: Int,
        _ scratch: UnsafeMutablePointer<SIMD8<UInt16>>, into out: UnsafeMutablePointer<SIMD4<UInt8>>
    ) {
        let across = weights.across
        let places = Places(from: start, step: perColumn)
        let v = places.y(columns.lowerBound)
        let ends = (Int(places.x(columns.lowerBound) >> 32), Int(places.x(columns.upperBound &- 1) >> 32))
        let left = min(ends.0, ends.1) &- 1
        let filtered = ColumnFilter(
            pixels + (FilterWeights.firstRow(v, of: rows) &* level.stride &+ left), stride: level.stride,
            count: max(ends.0, ends.1) &- left &+ 3, down: weights.down[Int(v >> 24) & 255], rows: rows,
            scratch: scratch)
        sample(columns, from: start, into: out) { x in
            let u = places.x(x)
            return filtered[Int(u >> 32) &- 1 &- left].across(across[Int(u >> 24) & 255])
        }
    }

    /// Fills columns with the filter's colours, weaker at the picture's edges.
    @inline(__always)
    private func sample(
        _ columns: Range<Int>, from start: SIMD2<Double>, into out: UnsafeMutablePointer<SIMD4<UInt8>>,
        color: (_ x: Int) -> SIMD4<UInt8>
    ) {
        let inner = self.columns(of: start, reaching: -0.5, within: columns)
        var x = columns.lowerBound
        while x < columns.upperBound {
            if x == inner.lowerBound {
                for x in inner { out[x &- columns.lowerBound] = color(x) }
                x = inner.upperBound
                if x == columns.upperBound { return }
            }
            let place = start + perColumn * Double(x)
            // The length of the canvas pixel, turned with the picture, that lies on the picture.
            let edge = place * size
            let cover = coverage(edge.x, extent.x) * coverage(edge.y, extent.y)
            out[x &- columns.lowerBound] = PixelLanes.bytes(PixelLanes.float(color(x)) * Float(cover))
            x += 1
        }
    }

    /// How much of a stretch of length 1 about `center` lies within `0...extent`.
    @inline(__always)
    private func coverage(_ center: Double, _ extent: Double) -> Double {
        min(max(min(center + 0.5, extent) - max(center - 0.5, 0), 0), 1)
    }
}
