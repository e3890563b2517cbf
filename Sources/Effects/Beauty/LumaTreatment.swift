internal import EditorCore

/// Writes the luma between two rows of cells: smoothing, then the lift, then sharpening.
final class LumaTreatment {
    private let grid: CellGrid
    private let removal: MapRows
    private let offset: MapRows
    private let lift: MapRows
    private let crispness: MapRows
    private let sharpening: Sharpening
    private let levels = (least: Int16(0), most: Int16(219))

    init(_ grid: CellGrid) {
        self.grid = grid
        removal = MapRows(columns: grid.columns, side: grid.side)
        offset = MapRows(columns: grid.columns, side: grid.side)
        lift = MapRows(columns: grid.columns, side: grid.side)
        crispness = MapRows(columns: grid.columns, side: grid.side)
        sharpening = Sharpening(width: grid.size.width)
    }

    /// Takes up the maps of the next row of cells.
    /// - Parameter cells: the cells that are looked at for smoothing and lifting; what lies outside is sharpened evenly.
    func push(_ maps: TreatmentMaps, _ cells: Range<Int>, isFirst: Bool, _ strengths: Strengths) {
        if strengths.smooth > 0 {
            removal.push(maps.removal.base, cells, isFirst: isFirst)
            offset.push(maps.offset.base, cells, isFirst: isFirst)
        }
        if strengths.whiten > 0 { lift.push(maps.lift.base, cells, isFirst: isFirst) }
        if strengths.sharpen > 0 { crispness.push(maps.crispness.base, cells, isFirst: isFirst) }
    }

    /// Writes the pixels between the centres of the rows of cells that were pushed last, `strip - 1` and `strip`.
    /// - Parameter cells: those that are smoothed and lifted; all are sharpened.
    func write(
        strip: Int, _ pixels: UnsafeMutablePointer<UInt8>, _ layout: VideoFrame.PlaneLayout, _ cells: Range<Int>,
        _ strengths: Strengths
    ) {
        let top = strip * grid.side - grid.side / 2
        let range = cells.lowerBound * grid.side..<min(cells.upperBound * grid.side, layout.width)
        for k in 0..<grid.side where (0..<layout.height).contains(top + k) {
            let y = top + k
            let row = pixels + y * layout.stride
            let weight = Int16((2 * k + 1) * 4 / grid.side)
            if strengths.sharpen > 0 {
                let next = y + 1 < layout.height ? UnsafePointer(row + layout.stride) : UnsafePointer(row)
                sharpening.measure(row, next: next, isFirst: y == 0)
            }
            if strengths.smooth > 0, !range.isEmpty {
                SmoothingBlend.apply(row, range, removal: removal, offset: offset, weight: weight)
            }
            if strengths.whiten > 0, !range.isEmpty {
                ToneCurve.lift(
                    row, range, upper: lift.upper.base, lower: lift.lower.base, weight: weight, levels: levels)
            }
            if strengths.sharpen > 0 {
                sharpening.apply(
                    row, range, upper: crispness.upper.base, lower: crispness.lower.base, weight: weight)
                sharpening.apply(row, 0..<range.lowerBound, strength: strengths.sharpen)
                sharpening.apply(row, range.upperBound..<layout.width, strength: strengths.sharpen)
            }
        }
    }
}
