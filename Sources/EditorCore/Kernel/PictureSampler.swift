/// Draws one level of a pyramid into rows of the canvas.
///
/// The picture goes on beyond its edges by repeating them, is filtered with a tent, and is then cut off with the
/// fraction of a canvas pixel that it covers, so edges are one pixel soft at any scale. The tent's radius along each
/// axis of the picture is one picture pixel (bilinear) when magnifying, and one canvas pixel when minifying.
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
    /// The tent's radius is 1..<2 level pixels.
    private let weights: FilterWeights
    /// Whether its radius is 1 along both axes: then two neighbours count, else four.
    private let isBilinear: Bool
    /// Whether canvas pixels are level pixels.
    private let isCopy: Bool

    /// Nil when the canvas shows nothing of the picture.
    init?(_ pyramid: PicturePyramid, _ placement: StampPlacement, canvas: PixelSize) {
        let magnitude = SIMD2(abs(placement.scale.x), abs(placement.scale.y))
        let halvings = (x: Self.halvings(magnitude.x), y: Self.halvings(magnitude.y))
        guard let level = pyramid.level(x: halvings.x, y: halvings.y) else { return nil }
        self.level = level
        let shrink = SIMD2(Double(1 << halvings.x), Double(1 << halvings.y))
        size = magnitude * shrink
        let visible = pyramid.visible
        extent = SIMD2(Double(visible.width), Double(visible.height)) * magnitude
        let ratio = SIMD2<Float>(1 / size)
        let radius = SIMD2(max(1, ratio.x), max(1, ratio.y))
        isBilinear = radius == SIMD2(1, 1)
        weights = pyramid.weights(radius: radius)

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

    /// Draws the row `y` of the canvas; `out[0]` is column `columns.lowerBound`. Every pixel is written.
    func row(_ y: Int, columns: Range<Int>, into out: UnsafeMutablePointer<SIMD4<UInt8>>) {
        let start = origin + perRow * (Double(y) + 0.5) + perColumn * 0.5
        let touched = self.columns(
            of: start, reaching: isCopy ? -0.5 : 0.5, within: columns.clamped(to: bounds.x0..<bounds.x1))
        for x in columns.lowerBound..<touched.lowerBound { out[x - columns.lowerBound] = SIMD4() }
        for x in touched.upperBound..<columns.upperBound { out[x - columns.lowerBound] = SIMD4() }
        guard !touched.isEmpty else { return }
        let target = out + (touched.lowerBound - columns.lowerBound)
        level.pixels.withUnsafeBufferPointer { pixels in
            let margin = PicturePyramid.margin
            if isCopy {
                let (column, row) = (touched.lowerBound + Int(origin.x), y + Int(origin.y))
                target.update(
                    from: pixels.baseAddress! + (row + margin) * level.stride + column + margin, count: touched.count)
            } else if isBilinear {
                sample(touched, from: start, pixels.baseAddress!, rows: 1..<3, into: target)
            } else {
                sample(touched, from: start, pixels.baseAddress!, rows: 0..<4, into: target)
            }
        }
    }

    /// The columns in which a row lies at most `reach` canvas pixels outside the visible part; within it by that much
    /// when negative.
    private func columns(of start: SIMD2<Double>, reaching reach: Double, within columns: Range<Int>) -> Range<Int> {
        var (first, last) = (Double(columns.lowerBound), Double(columns.upperBound - 1))
        for axis in 0..<2 {
            let reach = reach / size[axis]
            let (low, high) = (-reach - start[axis], extent[axis] / size[axis] + reach - start[axis])
            let step = perColumn[axis]
            if abs(step) < 1e-12 {
                if low > 0 || high < 0 { return columns.lowerBound..<columns.lowerBound }
            } else {
                first = max(first, min(low / step, high / step))
                last = min(last, max(low / step, high / step))
            }
        }
        if last < first { return columns.lowerBound..<columns.lowerBound }
        let from = Int(first.rounded(.up))
        return from..<max(from, Int(last.rounded(.down)) + 1)
    }

    /// - Parameter rows: those of the four neighbouring rows that have a weight.
    @inline(__always)
    private func sample(
        _ columns: Range<Int>, from start: SIMD2<Double>, _ pixels: UnsafePointer<SIMD4<UInt8>>, rows: Range<Int>,
        into out: UnsafeMutablePointer<SIMD4<UInt8>>
    ) {
        let stride = level.stride
        let (across, down) = (weights.across, weights.down)
        // Places in 2³²ths of a pixel, from edge to centre coordinates, past the margin, which keeps them positive, and
        // half of a 256th on, so that the upper eight bits of a fraction are rounded.
        let unit = 4_294_967_296.0
        let shift = (Double(PicturePyramid.margin) - 0.5) * unit + unit / 512
        let first = SIMD2(Int64(start.x * unit + shift), Int64(start.y * unit + shift))
        let step = SIMD2(Int64((perColumn.x * unit).rounded()), Int64((perColumn.y * unit).rounded()))
        @inline(__always) func color(_ x: Int) -> SIMD4<UInt8> {
            let (u, v) = (first.x &+ step.x &* Int64(x), first.y &+ step.y &* Int64(x))
            // The upper left one of sixteen neighbours.
            let corner = pixels + ((Int(v >> 32) &- 1) &* stride &+ Int(u >> 32) &- 1)
            return Self.mean(
                UnsafeRawPointer(corner), stride &* 4, across[Int(u >> 24) & 255], down[Int(v >> 24) & 255], rows)
        }
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

    /// Mean of four rows of four pixels: first down the columns, then across, each rounded to whole codes.
    ///
    /// Sixteen bits hold a code times 256, and the weights' sum is 256. Red and blue go together, and green and alpha,
    /// since a vector of sixteen-bit lanes is multiplied at once and nothing has to be widened.
    @inline(__always)
    private static func mean(
        _ corner: UnsafeRawPointer, _ rowBytes: Int, _ across: SIMD8<UInt16>, _ down: SIMD4<UInt16>, _ rows: Range<Int>
    ) -> SIMD4<UInt8> {
        let (low, eight) = (SIMD8<UInt16>(repeating: 255), SIMD8<UInt16>(repeating: 8))
        let half = SIMD8<UInt16>(repeating: 128)
        var (redBlue, greenAlpha) = (half, half)
        for row in rows {
            let four = (corner + row &* rowBytes).loadUnaligned(as: SIMD8<UInt16>.self)
            let weight = SIMD8<UInt16>(repeating: down[row])
            redBlue = redBlue &+ (four & low) &* weight
            greenAlpha = greenAlpha &+ (four &>> eight) &* weight
        }
        let (rb, ga) = (sum((redBlue &>> eight) &* across), sum((greenAlpha &>> eight) &* across))
        // Rounded to codes, in every other byte.
        let pixel = ((rb &+ 0x0080_0080) >> 8) & 0x00ff_00ff | (ga &+ 0x0080_0080) & 0xff00_ff00
        return unsafeBitCast(pixel, to: SIMD4<UInt8>.self)
    }

    /// The sum of four pairs of lanes, as a pair; no lane overflows.
    @inline(__always)
    private static func sum(_ lanes: SIMD8<UInt16>) -> UInt32 {
        let halves = unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
        let pairs = halves.x &+ halves.y
        return UInt32(truncatingIfNeeded: pairs) &+ UInt32(truncatingIfNeeded: pairs >> 32)
    }

    /// How much of a stretch of length 1 about `center` lies within `0...extent`.
    @inline(__always)
    private func coverage(_ center: Double, _ extent: Double) -> Double {
        min(max(min(center + 0.5, extent) - max(center - 0.5, 0), 0), 1)
    }
}
