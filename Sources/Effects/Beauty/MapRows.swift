internal import EditorCore

/// Maps widened to the resolution of a plane: the rows of cells above and below the rows of pixels at hand. Between
/// the centres of cells values run linearly.
final class MapRows {
    private(set) var upper: Scratch<Int16>
    private(set) var lower: Scratch<Int16>
    private let columns: Int
    /// Samples of the plane along a cell's side: 1, 2 or 4.
    private let side: Int

    init(columns: Int, side: Int) {
        (self.columns, self.side) = (columns, side)
        upper = Scratch(columns * side, zero: 0)
        lower = Scratch(columns * side, zero: 0)
    }

    /// Makes the lower row the upper one and puts `cells` (0…4095, with a cell on both sides) below.
    /// - Parameters:
    ///   - range: the cells that are looked at later.
    ///   - isFirst: whether nothing lies above, so that the row is repeated there.
    func push(_ cells: UnsafePointer<Int16>, _ range: Range<Int>, isFirst: Bool) {
        swap(&upper, &lower)
        let out = lower.base
        switch side {
        case 1: for i in range { out[i] = cells[i] }
        case 2:
            for i in range {
                let middle = cells[i] &* 3 &+ 2
                out[2 &* i] = (middle &+ cells[i &- 1]) &>> 2
                out[2 &* i &+ 1] = (middle &+ cells[i &+ 1]) &>> 2
            }
        default:
            for i in range {
                let (left, middle, right) = (cells[i &- 1], cells[i], cells[i &+ 1])
                out[4 &* i] = (middle &* 5 &+ left &* 3 &+ 4) &>> 3
                out[4 &* i &+ 1] = (middle &* 7 &+ left &+ 4) &>> 3
                out[4 &* i &+ 2] = (middle &* 7 &+ right &+ 4) &>> 3
                out[4 &* i &+ 3] = (middle &* 5 &+ right &* 3 &+ 4) &>> 3
            }
        }
        if isFirst { upper.base.update(from: lower.base, count: columns * side) }
    }
}
