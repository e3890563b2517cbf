internal import EditorCore

/// Which cells of each row are skin, so that the full-size loops can leave out the rest.
final class SkinRegion {
    private let grid: CellGrid
    /// First and one past the last column by row: as noted, where maps are not zero, and where they are read.
    private let noted: Scratch<SIMD2<Int32>>
    private let touched: Scratch<SIMD2<Int32>>
    private let reached: Scratch<SIMD2<Int32>>
    private(set) var isEmpty = true

    private static let nothing = SIMD2<Int32>(.max, 0)

    init(_ grid: CellGrid) {
        self.grid = grid
        noted = Scratch(grid.rows, zero: Self.nothing)
        touched = Scratch(grid.rows, zero: Self.nothing)
        reached = Scratch(grid.rows, zero: Self.nothing)
    }

    /// Takes up a row of the mask before it is spread over windows.
    func note(_ row: Int, mask: UnsafePointer<Float>) {
        var (first, end) = (0, grid.columns)
        while first < end, mask[first] < Self.faintest { first += 1 }
        while end > first, mask[end - 1] < Self.faintest { end -= 1 }
        noted[row] = first < end ? SIMD2(Int32(first), Int32(end)) : Self.nothing
    }

    /// What is left of the mask below this would change no pixel by half a level.
    private static let faintest: Float = 0.01

    /// Call when every row has been noted.
    func complete() {
        isEmpty = true
        // A window spreads the mask by its radius, and reading between cells by one more.
        let margin = grid.radius + 1
        for row in 0..<grid.rows {
            var span = union(of: noted, around: row, by: margin)
            if span.y > 0 {
                isEmpty = false
                span = SIMD2(max(0, span.x - Int32(margin)), min(Int32(grid.columns), span.y + Int32(margin)))
            }
            touched[row] = span
        }
        for row in 0..<grid.rows { reached[row] = union(of: touched, around: row, by: 1) }
    }

    private func union(of spans: Scratch<SIMD2<Int32>>, around row: Int, by distance: Int) -> SIMD2<Int32> {
        var result = Self.nothing
        for other in max(0, row - distance)...min(grid.rows - 1, row + distance) {
            result = SIMD2(min(result.x, spans[other].x), max(result.y, spans[other].y))
        }
        return result
    }

    /// The cells of a row of maps that a strip above or below it reads.
    func cells(inRow row: Int) -> Range<Int> { range(reached[row]) }

    /// The cells to treat in the strip between the centres of rows `strip - 1` and `strip`.
    func cells(inStrip strip: Int) -> Range<Int> {
        let (above, below) = (touched[max(0, strip - 1)], touched[min(grid.rows - 1, strip)])
        return range(SIMD2(min(above.x, below.x), max(above.y, below.y)))
    }

    private func range(_ span: SIMD2<Int32>) -> Range<Int> { span.y > 0 ? Int(span.x)..<Int(span.y) : 0..<0 }
}
