internal import EditorCore

/// A plane under a blur that is close to a Gaussian, at a cost that hardly depends on its width.
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

    /// A box of at most seven cells of which the outermost count less.
    struct Box: Equatable {
        /// Weights of the cells one, two and three away, for a weight of 1 in the middle.
        let near: Float
        let middle: Float
        let far: Float

        /// The box of a variance in cells squared, at most 3. A weight of p one away gives 2 p / (1 + 2 p); with 1 there, p
        /// two away gives (2 + 8 p) / (3 + 2 p); with 1 there too, p three away gives (10 + 18 p) / (5 + 2 p).
        init(variance v: Double) {
            if v <= 2.0 / 3 {
                (near, middle, far) = (Float(v / (2 - 2 * v)), 0, 0)
            } else if v <= 2 {
                (near, middle, far) = (1, Float((3 * v - 2) / (8 - 2 * v)), 0)
            } else {
                (near, middle, far) = (1, 1, Float((5 * v - 10) / (18 - 2 * v)))
            }
        }

        var scale: Float { 1 / (1 + 2 * (near + middle + far)) }
        /// Cells that three boxes reach.
        static let reach = 9
    }

    func read(_ plane: PlaneRows, index: Int, area: RegionMask.Area) {
        let deviation = index == 0 ? deviation : deviation / 2
        // A deviation of one and a half to three cells, beyond the finest.
        var side = 1
        while Double(3 * side) <= deviation { side *= 2 }
        let spread = deviation / Double(side)
        // Averaging over cells and interpolating between them have a variance of a quarter of a cell squared together.
        let box = Box(variance: (spread * spread - (side > 1 ? 0.25 : 0)) / 3)
        let margin = Box.reach + 1
        let whole = CellMeans.whole(plane, side: side)
        // The boxes are to see the plane go on beyond its edges, so the cells do.
        func span(_ samples: Range<Int>) -> Range<Int> {
            samples.lowerBound / side - margin..<(samples.upperBound - 1) / side + 1 + margin
        }
        cells.read(
            plane, side: side,
            area: RegionMask.Area(columns: span(area.columns), rows: span(area.rows)), extends: true)
        let (width, height) = (cells.width, cells.height)
        if other.count < cells.values.count { other = Scratch(cells.values.count, zero: 0) }
        if line.count < width + 1 { line = Scratch(whole.columns.count + 2 * margin + 1, zero: 0, margin: 3) }
        for _ in 0..<3 {
            across(cells.values.base, other.base, width, height, box)
            Self.down(other.base, cells.values.base, width, height, box)
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
    private func across(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int, _ box: Box
    ) {
        let (near, middle, far, scale, line) = (box.near, box.middle, box.far, box.scale, line.base)
        for y in 0..<height {
            line.update(from: from + y * width, count: width)
            for i in 1...3 { (line[-i], line[width - 1 + i]) = (line[0], line[width - 1]) }
            let out = to + y * width
            for x in 0..<width {
                let one = near * (line[x &- 1] + line[x &+ 1])
                let two = middle * (line[x &- 2] + line[x &+ 2])
                out[x] = (line[x] + one + two + far * (line[x &- 3] + line[x &+ 3])) * scale
            }
        }
    }

    /// Means along columns.
    private static func down(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int, _ box: Box
    ) {
        let (near, middle, far, scale) = (box.near, box.middle, box.far, box.scale)
        func row(_ y: Int) -> UnsafePointer<Float> { from + max(0, min(height - 1, y)) * width }
        for y in 0..<height {
            let (a, b, c, d) = (row(y - 3), row(y - 2), row(y - 1), row(y))
            let (e, f, g) = (row(y + 1), row(y + 2), row(y + 3))
            let out = to + y * width
            for x in 0..<width {
                let (one, two) = (near * (c[x] + e[x]), middle * (b[x] + f[x]))
                out[x] = (d[x] + one + two + far * (a[x] + g[x])) * scale
            }
        }
    }
}
