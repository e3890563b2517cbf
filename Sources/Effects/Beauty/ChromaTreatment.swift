internal import EditorCore

/// Writes the chroma between two rows of cells. The quarter pixel by which chroma is sited left of a cell's grid is
/// nothing beside the softness of the mask.
final class ChromaTreatment {
    private let side: Int
    private let blush: MapRows

    init(_ grid: CellGrid) {
        side = grid.side / 2
        blush = MapRows(columns: grid.columns, side: side)
    }

    /// Takes up the map of the next row of cells.
    func push(_ maps: TreatmentMaps, _ cells: Range<Int>, isFirst: Bool) {
        blush.push(maps.blush.base, cells, isFirst: isFirst)
    }

    /// Writes the samples between the centres of the rows of cells that were pushed last, `strip - 1` and `strip`.
    func write(
        strip: Int, _ u: UnsafeMutablePointer<UInt8>, _ v: UnsafeMutablePointer<UInt8>,
        _ layout: VideoFrame.PlaneLayout, _ cells: Range<Int>
    ) {
        let range = cells.lowerBound * side..<min(cells.upperBound * side, layout.width)
        let top = strip * side - side / 2
        for k in 0..<side where (0..<layout.height).contains(top + k) {
            let start = (top + k) * layout.stride
            // A row of samples that lies on the centres of cells takes the lower map alone.
            let weight = side == 1 ? 8 : Int16((2 * k + 1) * 4 / side)
            ToneCurve.blush(
                cr: v + start, cb: u + start, range, upper: blush.upper.base, lower: blush.lower.base, weight: weight)
        }
    }
}
