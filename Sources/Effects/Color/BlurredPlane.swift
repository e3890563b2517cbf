/// A plane under a blur that is close to a Gaussian, at a cost that hardly grows with its width.
///
/// The plane is averaged into cells of a power of two, small against the blur; three box filters of a fractional width
/// run over the cells (their sum tends to a Gaussian by the central limit theorem), and values between cells are taken
/// linearly. The boxes are as wide as the wanted variance asks for, less what averaging and interpolation add, so that a
/// radius that grows slowly does not jump when the cells change. Beyond its edges a plane repeats its outermost cells.
final class BlurredPlane: PlaneVersion {
    /// Of the Gaussian, in pixels of luma.
    var deviation = 1.0

    private var cells = CellMeans()
    private var other = Scratch<Float>(0, zero: 0)
    private var line = Scratch<Float>(0, zero: 0)
    /// For each sample of a row: the cell to its left, and how far it lies towards the next.
    private var places = Scratch<Int32>(0, zero: 0)
    private var fractions = Scratch<Float>(0, zero: 0)

    /// A mean over `2 · reach + 1` cells and a part of the two beyond.
    struct Box: Equatable {
        var reach: Int
        var part: Float

        /// The box of a variance in cells squared. That of `reach` and `part` is
        /// (r (r + 1) (2 r + 1) / 3 + 2 p (r + 1)²) / (2 r + 1 + 2 p), which is solved for p.
        init(variance: Double) {
            var reach = 0
            while Double((reach + 1) * (reach + 2)) / 3 <= variance { reach += 1 }
            let r = Double(reach)
            let missing = variance * (2 * r + 1) - r * (r + 1) * (2 * r + 1) / 3
            self.reach = reach
            part = Float(max(0, missing / (2 * ((r + 1) * (r + 1) - variance))))
        }

        var scale: Float { 1 / (Float(2 * reach + 1) + 2 * part) }
    }

    func read(_ plane: PlaneRows, index: Int, area: RegionMask.Area) {
        let deviation = index == 0 ? deviation : deviation / 2
        var side = 1
        while Double(3 * side) <= deviation { side *= 2 }
        // Averaging over cells and interpolating between them have a variance of a quarter of a cell squared together.
        let spread = deviation / Double(side)
        let box = Box(variance: max(0, spread * spread - (side > 1 ? 0.25 : 0)) / 3)
        let margin = 3 * (box.reach + 1) + 1
        let whole = CellMeans.whole(plane, side: side)
        func span(_ samples: Range<Int>, _ all: Range<Int>) -> Range<Int> {
            (samples.lowerBound / side - margin..<(samples.upperBound - 1) / side + 1 + margin).clamped(to: all)
        }
        cells.read(
            plane, side: side,
            area: RegionMask.Area(columns: span(area.columns, whole.columns), rows: span(area.rows, whole.rows)))
        let (width, height) = (cells.width, cells.height)
        if other.count < cells.values.count { other = Scratch(cells.values.count, zero: 0) }
        if line.count < width + 1 { line = Scratch(whole.columns.count + 1, zero: 0) }
        for _ in 0..<3 {
            Self.across(cells.values.base, other.base, width, height, box)
            down(other.base, cells.values.base, width, height, box)
        }
        lay(area.columns, plane)
    }

    /// Notes where the samples of a row lie between the cells.
    private func lay(_ columns: Range<Int>, _ plane: PlaneRows) {
        if places.count < plane.width {
            places = Scratch(plane.width, zero: 0)
            fractions = Scratch(plane.width, zero: 0)
        }
        for x in columns {
            let (cell, fraction) = Self.place(x, side: cells.side, cells.area.columns)
            places[x] = Int32(cell)
            fractions[x] = fraction
        }
    }

    /// The held cell left of (or above) a sample, and how far the sample lies towards the next.
    private static func place(_ sample: Int, side: Int, _ cells: Range<Int>) -> (Int, Float) {
        let place = (Double(sample) + 0.5) / Double(side) - 0.5
        let cell = Int(place.rounded(.down))
        if cell < cells.lowerBound { return (0, 0) }
        if cell >= cells.upperBound - 1 { return (cells.count - 1, 0) }
        return (cell - cells.lowerBound, Float(place - Double(cell)))
    }

    func write(row y: Int, columns: Range<Int>, into out: UnsafeMutablePointer<UInt8>) {
        let (width, height) = (cells.width, cells.height)
        let (row, fraction) = Self.place(y, side: cells.side, cells.area.rows)
        let upper = cells.values.base + row * width
        let lower = cells.values.base + min(row + 1, height - 1) * width
        let line = line.base
        for i in 0..<width { line[i] = upper[i] + (lower[i] - upper[i]) * fraction }
        line[width] = line[width - 1]
        let (places, fractions) = (places.base, fractions.base)
        for x in columns {
            let cell = line + Int(places[x])
            let value = cell[0] + (cell[1] - cell[0]) * fractions[x]
            // Means of bytes lie within 0…255; half is added and cut off by the mantissa.
            out[x &- columns.lowerBound] = UInt8(truncatingIfNeeded: (value + 12_582_912).bitPattern)
        }
    }

    /// Means along rows, from one buffer into another.
    private static func across(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int, _ box: Box
    ) {
        let (reach, part, scale) = (box.reach, box.part, box.scale)
        for y in 0..<height {
            let (row, out) = (from + y * width, to + y * width)
            func at(_ x: Int) -> Float { row[max(0, min(width - 1, x))] }
            var sum: Float = 0
            for x in -reach...reach { sum += at(x) }
            // Away from the ends no index needs a bound.
            let inner = min(reach + 1, width)..<max(min(reach + 1, width), width - reach - 1)
            for x in 0..<inner.lowerBound {
                out[x] = (sum + part * (at(x - reach - 1) + at(x + reach + 1))) * scale
                sum += at(x + reach + 1) - at(x - reach)
            }
            for x in inner {
                let (left, right) = (row[x &- reach &- 1], row[x &+ reach &+ 1])
                out[x] = (sum + part * (left + right)) * scale
                sum += right - row[x &- reach]
            }
            for x in inner.upperBound..<width {
                out[x] = (sum + part * (at(x - reach - 1) + at(x + reach + 1))) * scale
                sum += at(x + reach + 1) - at(x - reach)
            }
        }
    }

    /// Means along columns, a row at a time.
    private func down(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int, _ box: Box
    ) {
        let (reach, part, scale) = (box.reach, box.part, box.scale)
        let sums = line.base
        func row(_ y: Int) -> UnsafePointer<Float> { from + max(0, min(height - 1, y)) * width }
        for x in 0..<width { sums[x] = 0 }
        for y in -reach...reach {
            let row = row(y)
            for x in 0..<width { sums[x] += row[x] }
        }
        for y in 0..<height {
            let (above, below, leaving, out) = (row(y - reach - 1), row(y + reach + 1), row(y - reach), to + y * width)
            for x in 0..<width {
                let entering = below[x]
                out[x] = (sums[x] + part * (above[x] + entering)) * scale
                sums[x] += entering - leaving[x]
            }
        }
    }
}
