/// A plane averaged over square cells of a grid that begins at the plane's top left corner; cells at its right and bottom
/// edge are cut off.
struct CellMeans {
    /// Samples along a cell's side.
    private(set) var side = 1
    /// The cells that are held.
    private(set) var area = RegionMask.Area(columns: 0..<0, rows: 0..<0)
    /// Means, row by row of `area`.
    private(set) var values = Scratch<Float>(0, zero: 0)
    private var sums = Scratch<UInt32>(0, zero: 0)

    var width: Int { area.columns.count }
    var height: Int { area.rows.count }

    /// How many cells of `side` a plane has across and down.
    static func whole(_ plane: PlaneRows, side: Int) -> RegionMask.Area {
        RegionMask.Area(
            columns: 0..<(plane.width + side - 1) / side, rows: 0..<(plane.height + side - 1) / side)
    }

    /// - Parameter area: cells, which lie at least partly in the plane; not empty.
    mutating func read(_ plane: PlaneRows, side: Int, area: RegionMask.Area) {
        (self.side, self.area) = (side, area)
        let count = area.columns.count * area.rows.count
        // With room to grow a little, for a region that moves.
        if values.count < count { values = Scratch(count + count / 4, zero: 0) }
        let columns = area.columns.lowerBound * side..<min(area.columns.upperBound * side, plane.width)
        if sums.count < columns.count { sums = Scratch(plane.width, zero: 0) }
        let (sums, values) = (sums.base, values.base)
        for (line, row) in area.rows.enumerated() {
            let rows = row * side..<min((row + 1) * side, plane.height)
            let out = values + line * area.columns.count
            if side == 1 {
                let samples = plane.row(row) + columns.lowerBound
                for x in 0..<columns.count { out[x] = Float(samples[x]) }
                continue
            }
            sums.update(repeating: 0, count: columns.count)
            for y in rows {
                let samples = plane.row(y) + columns.lowerBound
                for x in 0..<columns.count { sums[x] &+= UInt32(samples[x]) }
            }
            var x = 0
            for cell in 0..<area.columns.count {
                let end = min(x + side, columns.count)
                var sum: UInt32 = 0
                for i in x..<end { sum &+= sums[i] }
                out[cell] = Float(sum) / Float((end - x) * rows.count)
                x = end
            }
        }
    }
}
