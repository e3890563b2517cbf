internal import EditorCore

/// A plane averaged over square cells of a grid that begins at the plane's top left corner.
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

    /// How many cells of `side` a plane has across and down; those at its right and bottom edge may be cut off.
    static func whole(_ plane: PlaneRows, side: Int) -> RegionMask.Area {
        RegionMask.Area(
            columns: 0..<(plane.width + side - 1) / side, rows: 0..<(plane.height + side - 1) / side)
    }

    /// - Parameters:
    ///   - area: cells, not empty.
    ///   - extends: whether the plane goes on beyond its edges with its outermost samples, so that cells may lie outside;
    ///     otherwise each lies at least partly inside and has the mean of what is there.
    mutating func read(_ plane: PlaneRows, side: Int, area: RegionMask.Area, extends: Bool) {
        (self.side, self.area) = (side, area)
        let count = area.columns.count * area.rows.count
        // With room to grow a little, for a region that moves.
        if values.count < count { values = Scratch(count + count / 4, zero: 0) }
        let wanted = area.columns.lowerBound * side..<area.columns.upperBound * side
        let columns = wanted.clamped(to: 0..<plane.width)
        if sums.count < wanted.count { sums = Scratch(wanted.count, zero: 0) }
        let (values, sums) = (values.base, sums.base)
        // The sums of what lies inside, behind those left of it.
        let inside = sums + (columns.lowerBound - wanted.lowerBound)
        for (line, row) in area.rows.enumerated() {
            let rows = row * side..<(row + 1) * side
            sums.update(repeating: 0, count: wanted.count)
            var height = 0
            for y in rows where extends || y < plane.height {
                let samples = plane.row(max(0, min(plane.height - 1, y))) + columns.lowerBound
                for x in 0..<columns.count { inside[x] &+= UInt32(samples[x]) }
                height += 1
            }
            if extends {
                for x in wanted.lowerBound..<columns.lowerBound { sums[x - wanted.lowerBound] = inside[0] }
                for x in columns.count..<wanted.upperBound - columns.lowerBound {
                    inside[x] = inside[columns.count - 1]
                }
            }
            let out = values + line * area.columns.count
            let width = extends ? wanted.count : columns.count
            var x = 0
            for cell in 0..<area.columns.count {
                let end = min(x + side, width)
                var sum: UInt32 = 0
                for i in x..<end { sum &+= sums[i] }
                out[cell] = Float(sum) / Float((end - x) * height)
                x = end
            }
        }
    }
}
