internal import EditorCore

/// Shields cells near strong fine edges, such as lashes, strands of hair and letters, which are thinner than a cell and
/// so hardly show in the means of cells; and near edges that are strong for the shade they lie in, such as lips on dark
/// skin, by the means of cells, in which grain is hardly seen.
final class EdgeGuard {
    /// Range of values that grain may have, and the range that is an edge for certain, in full light.
    static let grainRange: Float = 36
    static let edgeRange: Float = 72
    /// Range of the means of neighbouring cells where an edge begins and where it is one for certain, in full light.
    static let coarseFrom: Float = 36
    static let coarseTo: Float = 56

    private let lows: Scratch<UInt8>
    private let highs: Scratch<UInt8>
    private let darkMeans: Scratch<Float>
    private let lightMeans: Scratch<Float>

    init(columns: Int) {
        lows = Scratch(columns, zero: 0, margin: 1)
        highs = Scratch(columns, zero: 0, margin: 1)
        darkMeans = Scratch(columns, zero: 0, margin: 1)
        lightMeans = Scratch(columns, zero: 0, margin: 1)
    }

    /// Writes one row of how free of strong edges a cell and its eight neighbours are, 0…1.
    func freedom(_ reduction: PictureReduction, row: Int, into out: UnsafeMutablePointer<Float>) {
        let columns = reduction.grid.columns
        let rows = (max(row - 1, 0) * columns, row * columns, min(row + 1, reduction.grid.rows - 1) * columns)
        let (darkest, lightest) = (reduction.darkest.base, reduction.lightest.base)
        let (low0, low1, low2) = (darkest + rows.0, darkest + rows.1, darkest + rows.2)
        let (high0, high1, high2) = (lightest + rows.0, lightest + rows.1, lightest + rows.2)
        let (lows, highs, luma) = (lows.base, highs.base, reduction.luma.base + rows.1)
        for i in 0..<columns {
            lows[i] = min(low1[i], min(low0[i], low2[i]))
            highs[i] = max(high1[i], max(high0[i], high2[i]))
        }
        (lows[-1], lows[columns]) = (lows[0], lows[columns - 1])
        (highs[-1], highs[columns]) = (highs[0], highs[columns - 1])
        let scale = 1 / (Self.edgeRange - Self.grainRange)
        for i in 0..<columns {
            let low = min(lows[i], min(lows[i &- 1], lows[i &+ 1]))
            let high = max(highs[i], max(highs[i &- 1], highs[i &+ 1]))
            // In shade edges are fainter; grain is, too, but less so.
            let light = max(0.7, min(1, (luma[i] + 112) * (1 / 140)))
            out[i] = max(0, min(1, (Self.edgeRange - Float(high &- low) / light) * scale))
        }
        shieldShaded(reduction.luma.base, rows, columns, out)
    }

    /// Lowers the freedom near edges that are strong against the light they have.
    private func shieldShaded(
        _ means: UnsafePointer<Float>, _ rows: (Int, Int, Int), _ columns: Int, _ out: UnsafeMutablePointer<Float>
    ) {
        let (above, here, below) = (means + rows.0, means + rows.1, means + rows.2)
        let (lows, highs) = (darkMeans.base, lightMeans.base)
        for i in 0..<columns {
            lows[i] = min(here[i], min(above[i], below[i]))
            highs[i] = max(here[i], max(above[i], below[i]))
        }
        (lows[-1], lows[columns]) = (lows[0], lows[columns - 1])
        (highs[-1], highs[columns]) = (highs[0], highs[columns - 1])
        let scale = 1 / (Self.coarseTo - Self.coarseFrom)
        for i in 0..<columns {
            let low = min(lows[i], min(lows[i &- 1], lows[i &+ 1]))
            let high = max(highs[i], max(highs[i &- 1], highs[i &+ 1]))
            let light = max(0.33, min(1, (here[i] + 112) * (1 / 140)))
            out[i] = min(out[i], max(0, (Self.coarseTo - (high - low) / light) * scale))
        }
    }
}
