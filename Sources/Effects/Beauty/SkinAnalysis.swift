internal import EditorCore

/// From a reduced picture to rows of treatment maps: fits and mask, both as means over windows.
///
/// Two passes over the grid: the first takes the moments of luma and the mask's evidence over windows, the second
/// averages the fits and the mask over the windows that hold a cell. Nothing is remembered from frame to frame, so a
/// still picture gets still maps.
final class SkinAnalysis {
    /// Where the mask is not zero, known after `prepare`.
    let region: SkinRegion

    private let grid: CellGrid
    private let guardian: EdgeGuard
    private let momentMeans: WindowMean
    private let fitMeans: WindowMean
    private let means: MeanRows
    /// Means of moments and evidence of the row that is fitted and of its neighbours.
    private var above: MeanRows
    private var here: MeanRows
    private var below: MeanRows
    private let squares: Scratch<Float>
    private let likelihood: Scratch<Float>
    private let bend: Scratch<Float>
    private let free: Scratch<Float>

    init(_ grid: CellGrid) {
        self.grid = grid
        region = SkinRegion(grid)
        guardian = EdgeGuard(columns: grid.columns)
        momentMeans = WindowMean(grid, keepsAll: false)
        fitMeans = WindowMean(grid, keepsAll: true)
        means = MeanRows(columns: grid.columns)
        above = MeanRows(columns: grid.columns)
        here = MeanRows(columns: grid.columns)
        below = MeanRows(columns: grid.columns)
        squares = Scratch(grid.columns, zero: 0)
        likelihood = Scratch(grid.columns, zero: 1)
        bend = Scratch(grid.columns, zero: 0)
        free = Scratch(grid.columns, zero: 1)
    }

    /// The first pass, over the whole picture.
    func prepare(_ reduction: PictureReduction, filter: GuidedFilter, skinOnly: Bool) {
        var written = 0
        for row in 0..<grid.rows {
            while written < min(row + grid.radius + 1, grid.rows) {
                gather(written, reduction, skinOnly: skinOnly)
                written += 1
            }
            (above, here, below) = (here, below, above)
            momentMeans.advance(to: row)
            momentMeans.means(of: row, into: below)
            below.extend()
            // A row is fitted when the one below it is known; at the border the border itself stands for what is outside.
            if row > 0 { fit(row - 1, above: row > 1 ? above : here, below: below, filter) }
        }
        (above, here, below) = (here, below, above)
        fit(grid.rows - 1, above: grid.rows > 1 ? above : here, below: here, filter)
        region.complete()
    }

    /// Writes the moments of luma and the evidence of one row.
    private func gather(_ row: Int, _ reduction: PictureReduction, skinOnly: Bool) {
        if skinOnly {
            SkinMask.likelihoods(reduction, row: row, into: likelihood.base)
            SkinMask.bends(reduction, row: row, into: bend.base)
        } else {
            for i in 0..<grid.columns { (likelihood[i], bend[i]) = (1, 0) }
        }
        let (luma, squares) = (UnsafePointer(reduction.luma.base + row * grid.columns), squares.base)
        for i in 0..<grid.columns { squares[i] = luma[i] * luma[i] }
        momentMeans.write(row, luma, squares, likelihood.base, bend.base)
    }

    /// Writes the fits and the mask of the row `here`, quantity by quantity and then cell by cell. Its means, but for the
    /// first, are written over.
    private func fit(_ row: Int, above: MeanRows, below: MeanRows, _ filter: GuidedFilter) {
        let (mean, square) = (UnsafePointer(here.first.base), here.second.base)
        let (upper, lower) = (UnsafePointer(above.first.base), UnsafePointer(below.first.base))
        let (likelihood, bend, weights) = (here.third.base, here.fourth.base, means.first.base)
        for i in 0..<grid.columns {
            let (weight, slope, offset, variance) = filter.fit(
                mean: mean[i], square: square[i], across: mean[i &+ 1] - mean[i &- 1], down: lower[i] - upper[i])
            weights[i] = weight
            square[i] = weight * slope
            likelihood[i] = SkinMask.weight(likelihood: likelihood[i], bend: bend[i], variance: variance)
            bend[i] = weight * offset
        }
        fitMeans.write(row, weights, square, bend, likelihood)
        region.note(row, mask: likelihood)
    }

    /// Starts the second pass for a row; rows come from the first to the last.
    func advance(to row: Int) { fitMeans.advance(to: row) }

    /// The second pass's result for cells `range` of the row that was last advanced to.
    func maps(
        _ row: Int, _ range: Range<Int>, _ reduction: PictureReduction, _ strengths: Strengths,
        into maps: TreatmentMaps
    ) {
        fitMeans.means(of: row, into: means)
        guardian.freedom(reduction, row: row, into: free.base)
        let columns = grid.columns
        let (weight, slope, offset, mask) = (means.first.base, means.second.base, means.third.base, means.fourth.base)
        let (free, luma, cr) = (free.base, reduction.luma.base + row * columns, reduction.cr.base + row * columns)
        let (blend, lift) = (Float(strengths.blend), Float(strengths.whiten) * ToneCurve.strongestLift)
        let (ruddy, sharpen) = (Float(strengths.ruddy) * ToneCurve.strongestBlush * 256, Float(strengths.sharpen))
        let (removal, offsets) = (maps.removal.base, maps.offset.base)
        let (lifts, blush, crispness) = (maps.lift.base, maps.blush.base, maps.crispness.base)
        for i in range {
            let whole = 1 / weight[i]
            let flatness = 1 - slope[i] * whole
            let share = mask[i] * free[i]
            // Luma is centred at 128 up to here.
            let removed = share * blend * flatness
            let given = removed * 128 + share * blend * offset[i] * whole
            removal[i] = fixed(removed * TreatmentMaps.full)
            offsets[i] = fixed(given * (16 * TreatmentMaps.full / 4096))
            lifts[i] = fixed(mask[i] * lift * TreatmentMaps.full)
            blush[i] = fixed(mask[i] * ruddy * ToneCurve.blushShare(luma: luma[i], cr: cr[i]))
            crispness[i] = fixed(sharpen * (1 - Sharpening.skinShelter * share * flatness) * TreatmentMaps.full)
        }
        maps.extend()
    }
}

/// The nearest whole number, for numbers within ±2²²: adding 1.5 · 2²³ leaves it in the low bits. Unlike a checked
/// conversion this runs on vectors.
@inline(__always)
func fixed(_ value: Float) -> Int16 { Int16(truncatingIfNeeded: (value + 12_582_912).bitPattern) }
