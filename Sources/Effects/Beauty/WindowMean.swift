internal import EditorCore

/// Means of four quantities at once over square windows that are cut off at the border, by running sums: the cost
/// does not depend on the radius. Rows must be asked for from the first to the last.
final class WindowMean {
    private let columns: Int
    private let rows: Int
    private let radius: Int
    /// Rows that are kept.
    private let depth: Int
    private let lines: Scratch<SIMD4<Float>>
    /// Sums of the window's rows, column by column.
    private let columnSums: Scratch<SIMD4<Float>>
    /// One divided by the number of columns in the window of each column.
    private let inverseWidths: Scratch<Float>

    /// - Parameter keepsAll: whether every row of the grid is written before the first is asked for; otherwise memory
    ///   for a window and one row suffices, and stays in the cache.
    init(_ grid: CellGrid, keepsAll: Bool) {
        (columns, rows, radius) = (grid.columns, grid.rows, grid.radius)
        depth = keepsAll ? grid.rows : min(grid.rows, 2 * grid.radius + 2)
        lines = Scratch(columns * depth, zero: .zero)
        columnSums = Scratch(columns, zero: .zero)
        inverseWidths = Scratch(columns, zero: 0)
        for x in 0..<columns {
            inverseWidths[x] = 1 / Float(min(x + radius, columns - 1) - max(x - radius, 0) + 1)
        }
    }

    /// Writes the means of the row last advanced to.
    func means(of row: Int, into out: MeanRows) {
        let sums = columnSums.base
        let height = min(row + radius, rows - 1) - max(row - radius, 0) + 1
        let scale = 1 / Float(height)
        var sum = SIMD4<Float>.zero
        for x in 0..<min(radius, columns) { sum += sums[x] }
        let (first, second, third, fourth) = (out.first.base, out.second.base, out.third.base, out.fourth.base)
        let inverse = inverseWidths.base
        let constantInverse = 1 / Float(2 * radius + 1)
        @inline(__always)
        func write(_ x: Int) {
            let mean = sum * (inverse[x] * scale)
            first[x] = mean.x
            second[x] = mean.y
            third[x] = mean.z
            fourth[x] = mean.w
        }
        // At the left border nothing leaves the window yet, at the right one nothing enters it any more.
        let (left, right) = (min(radius + 1, columns), max(columns - radius, 0))
        for x in 0..<left {
            if x &+ radius < columns { sum += sums[x &+ radius] }
            write(x)
        }
        var x = left
        // Four at a time, which are turned from cell by cell to quantity by quantity.
        while x + 4 <= right {
            let a = sum + (sums[x &+ radius] - sums[x &- radius &- 1])
            let b = a + (sums[x &+ radius &+ 1] - sums[x &- radius])
            let c = b + (sums[x &+ radius &+ 2] - sums[x &- radius &+ 1])
            let d = c + (sums[x &+ radius &+ 3] - sums[x &- radius &+ 2])
            sum = d
            let inverse = constantInverse * scale
            store(SIMD4(a.x, b.x, c.x, d.x) * inverse, first + x)
            store(SIMD4(a.y, b.y, c.y, d.y) * inverse, second + x)
            store(SIMD4(a.z, b.z, c.z, d.z) * inverse, third + x)
            store(SIMD4(a.w, b.w, c.w, d.w) * inverse, fourth + x)
            x &+= 4
        }
        while x < right {
            sum += sums[x &+ radius] - sums[x &- radius &- 1]
            write(x)
            x &+= 1
        }
        if max(left, right) < columns {
            for x in max(left, right)..<columns {
                sum -= sums[x &- radius &- 1]
                write(x)
            }
        }
    }

    @inline(__always)
    private func store(_ values: SIMD4<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD4<Float>.self)
    }

    /// Writes the quantities of a row, which must be done before the window reaches it.
    func write(
        _ row: Int, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ third: UnsafePointer<Float>,
        _ fourth: UnsafePointer<Float>
    ) {
        let out = line(row)
        var x = 0
        // Four cells at a time, which are turned from quantity by quantity to cell by cell.
        while x + 4 <= columns {
            let (a, b, c, d) = (load(first + x), load(second + x), load(third + x), load(fourth + x))
            out[x] = SIMD4(a.x, b.x, c.x, d.x)
            out[x &+ 1] = SIMD4(a.y, b.y, c.y, d.y)
            out[x &+ 2] = SIMD4(a.z, b.z, c.z, d.z)
            out[x &+ 3] = SIMD4(a.w, b.w, c.w, d.w)
            x &+= 4
        }
        while x < columns {
            out[x] = SIMD4(first[x], second[x], third[x], fourth[x])
            x &+= 1
        }
    }

    @inline(__always)
    private func load(_ source: UnsafePointer<Float>) -> SIMD4<Float> {
        UnsafeRawPointer(source).loadUnaligned(as: SIMD4<Float>.self)
    }

    private func line(_ row: Int) -> UnsafeMutablePointer<SIMD4<Float>> { lines.base + row % depth * columns }

    /// Moves the window to row `row`, for which rows up to `row + radius` must have been written.
    func advance(to row: Int) {
        let sums = columnSums.base
        if row == 0 {
            for x in 0..<columns { sums[x] = .zero }
            for y in 0..<min(radius, rows) { add(line(y)) }
        }
        let (entering, leaving) = (row + radius, row - radius - 1)
        if entering < rows, leaving >= 0 {
            let (new, old) = (line(entering), line(leaving))
            for x in 0..<columns { sums[x] += new[x] - old[x] }
        } else if entering < rows {
            add(line(entering))
        } else if leaving >= 0 {
            let old = line(leaving)
            for x in 0..<columns { sums[x] -= old[x] }
        }
    }

    private func add(_ line: UnsafePointer<SIMD4<Float>>) {
        let sums = columnSums.base
        for x in 0..<columns { sums[x] += line[x] }
    }
}

/// One row of four quantities, each by itself; the first with a cell in front and one behind.
final class MeanRows {
    let first: Scratch<Float>
    let second: Scratch<Float>
    let third: Scratch<Float>
    let fourth: Scratch<Float>

    init(columns: Int) {
        first = Scratch(columns, zero: 0, margin: 1)
        second = Scratch(columns, zero: 0)
        third = Scratch(columns, zero: 0)
        fourth = Scratch(columns, zero: 0)
    }

    /// Repeats the first quantity's border cells outside.
    func extend() {
        first[-1] = first[0]
        first[first.count] = first[first.count - 1]
    }
}
