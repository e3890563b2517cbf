internal import EditorCore

/// The coarse grid on which the mask and the filter's coefficients are computed: one cell for `side` × `side` luma
/// pixels. Cells at the right and bottom border are filled up by repeating the last column and row.
struct CellGrid: Equatable {
    let size: PixelSize
    /// Luma pixels along a cell's side: 2 or 4.
    let side: Int
    let columns: Int
    let rows: Int
    /// Radius of the filter's windows in cells, at least 1.
    let radius: Int

    /// Share of the picture's short side that a window's radius spans. Tied to the picture, so that a small picture's
    /// eyes and mouth, which are then few pixels wide, survive.
    private static let radiusShare = 0.0095
    /// From this short side on, cells of four pixels hold enough of a face.
    private static let coarseFrom = 600

    init(_ size: PixelSize) {
        self.size = size
        let short = min(size.width, size.height)
        side = short >= Self.coarseFrom ? 4 : 2
        columns = (size.width + side - 1) / side
        rows = (size.height + side - 1) / side
        radius = max(1, Int((Self.radiusShare * Double(short) / Double(side)).rounded()))
    }

    /// Cells in the whole grid.
    var count: Int { columns * rows }
    /// Luma pixels in a row of whole cells.
    var paddedWidth: Int { columns * side }
}
