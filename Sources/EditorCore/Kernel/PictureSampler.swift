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
    /// Radius of the tent in level pixels, 1..<2.
    private let radius: SIMD2<Float>
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
        radius = SIMD2(max(1, ratio.x), max(1, ratio.y))

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
            } else if radius == SIMD2(1, 1) {
                sample(touched, from: start, pixels.baseAddress!, Bilinear(), into: target)
            } else {
                sample(touched, from: start, pixels.baseAddress!, Tent(radius: radius), into: target)
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

    @inline(__always)
    private func sample<Filter: SamplingFilter>(
        _ columns: Range<Int>, from start: SIMD2<Double>, _ pixels: UnsafePointer<SIMD4<UInt8>>, _ filter: Filter,
        into out: UnsafeMutablePointer<SIMD4<UInt8>>
    ) {
        let stride = level.stride
        // From edge to centre coordinates, and past the margin, which keeps them positive.
        let shift = Double(PicturePyramid.margin) - 0.5
        @inline(__always) func color(at place: SIMD2<Double>) -> SIMD4<Float> {
            let (u, v) = (place.x + shift, place.y + shift)
            let (i, j) = (Int(u), Int(v))
            return filter.color(pixels + (j &* stride &+ i), stride, Float(u - Double(i)), Float(v - Double(j)))
        }
        let inner = self.columns(of: start, reaching: -0.5, within: columns)
        var x = columns.lowerBound
        while x < columns.upperBound {
            if x == inner.lowerBound {
                for x in inner {
                    out[x &- columns.lowerBound] = PixelLanes.bytes(color(at: start + perColumn * Double(x)))
                }
                x = inner.upperBound
                if x == columns.upperBound { return }
            }
            let place = start + perColumn * Double(x)
            // The length of the canvas pixel, turned with the picture, that lies on the picture.
            let edge = place * size
            let cover = coverage(edge.x, extent.x) * coverage(edge.y, extent.y)
            out[x &- columns.lowerBound] = PixelLanes.bytes(color(at: place) * Float(cover))
            x += 1
        }
    }

    /// How much of a stretch of length 1 about `center` lies within `0...extent`.
    @inline(__always)
    private func coverage(_ center: Double, _ extent: Double) -> Double {
        min(max(min(center + 0.5, extent) - max(center - 0.5, 0), 0), 1)
    }
}

private protocol SamplingFilter {
    /// Mean of the pixels around `pixel`, to whose right and below the place lies by `x` and `y`, 0..<1.
    func color(_ pixel: UnsafePointer<SIMD4<UInt8>>, _ stride: Int, _ x: Float, _ y: Float) -> SIMD4<Float>
}

private struct Bilinear: SamplingFilter {
    @inline(__always)
    func color(_ pixel: UnsafePointer<SIMD4<UInt8>>, _ stride: Int, _ x: Float, _ y: Float) -> SIMD4<Float> {
        let upper = PixelLanes.float(pixel[0]) * (1 - x) + PixelLanes.float(pixel[1]) * x
        let lower = PixelLanes.float(pixel[stride]) * (1 - x) + PixelLanes.float(pixel[stride &+ 1]) * x
        return upper * (1 - y) + lower * y
    }
}

private struct Tent: SamplingFilter {
    let radius: SIMD2<Float>

    @inline(__always)
    private func weights(_ fraction: Float, _ radius: Float) -> SIMD4<Float> {
        let distance = SIMD4(1 + fraction, fraction, 1 - fraction, 2 - fraction)
        let weights = PixelLanes.max(SIMD4(repeating: radius) - distance, SIMD4())
        return weights / weights.sum()
    }

    @inline(__always)
    func color(_ pixel: UnsafePointer<SIMD4<UInt8>>, _ stride: Int, _ x: Float, _ y: Float) -> SIMD4<Float> {
        let (across, down) = (weights(x, radius.x), weights(y, radius.y))
        var sum = SIMD4<Float>()
        var row = pixel - stride - 1
        for j in 0..<4 {
            var line = PixelLanes.float(row[0]) * across.x
            line += PixelLanes.float(row[1]) * across.y
            line += PixelLanes.float(row[2]) * across.z
            line += PixelLanes.float(row[3]) * across.w
            sum += line * down[j]
            row += stride
        }
        return sum
    }
}
