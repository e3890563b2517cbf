/// Means of four quantities at once over square windows that are cut off at the border, by running sums: the cost
/// does not depend on the radius. Rows must be asked for from the first to the last.
final class WindowMean {
    private let columns: Int
    private let rows: Int
    private let radius: Int
    /// Sums of the window's rows, column by column.
    private let columnSums: Scratch<SIMD4<Float>>
    /// One divided by the number of columns in the window of each column.
    private let inverseWidths: Scratch<Float>

    init(_ grid: CellGrid) {
        (columns, rows, radius) = (grid.columns, grid.rows, grid.radius)
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
        for x in 0..<columns {
            if x &+ radius < columns { sum += sums[x &+ radius] }
            if x &- radius &- 1 >= 0 { sum -= sums[x &- radius &- 1] }
            let mean = sum * (inverseWidths.base[x] * scale)
            first[x] = mean.x
            second[x] = mean.y
            third[x] = mean.z
            fourth[x] = mean.w
        }
    }

    /// Takes up row `row` of `cells`, which hold the whole grid.
    func advance(to row: Int, of cells: UnsafePointer<SIMD4<Float>>) {
        let sums = columnSums.base
        if row == 0 {
            for x in 0..<columns { sums[x] = .zero }
            for y in 0...min(radius, rows - 1) { add(cells + y * columns) }
            return
        }
        let (entering, leaving) = (row + radius, row - radius - 1)
        if entering < rows { add(cells + entering * columns) }
        if leaving >= 0 {
            let line = cells + leaving * columns
            for x in 0..<columns { sums[x] -= line[x] }
        }
    }

    private func add(_ line: UnsafePointer<SIMD4<Float>>) {
        let sums = columnSums.base
        for x in 0..<columns { sums[x] += line[x] }
    }
}

/// One row of four quantities, each by itself.
final class MeanRows {
    let first: Scratch<Float>
    let second: Scratch<Float>
    let third: Scratch<Float>
    let fourth: Scratch<Float>

    init(columns: Int) {
        first = Scratch(columns, zero: 0)
        second = Scratch(columns, zero: 0)
        third = Scratch(columns, zero: 0)
        fourth = Scratch(columns, zero: 0)
    }
}
