internal import EditorCore

/// Decides from colour and from texture how far each cell is skin.
///
/// Colour alone takes wood, sand and hair for skin. What sets skin apart is that it is smooth at the scale of cells: its
/// shading bends slowly, while hair and wood bend from cell to cell nearly everywhere, a face only at its features. So
/// the mean of the bend, cut off so that an eye counts no more than a hair, is evidence against skin.
struct SkinMask {
    /// A bend beyond this many levels counts no more.
    static let strongestBend: Float = 8
    /// Mean bend at which doubt begins and at which it wins.
    static let smoothUpTo: Float = 4.5
    static let texturedFrom: Float = 6.5

    /// Variances, in levels squared, that blotches of skin do not pass and that features reach, and what the latter count
    /// for in levels of bend.
    static let blotchesUpTo: Float = 64
    static let featuresFrom: Float = 256
    static let strongestExcess: Float = 2

    /// Grain has no larger range of values in a cell than this on average; strands of hair, sand and weaves have. That of
    /// a deviation of 6.8 levels, where the range of 4 samples is 2.06 and of 16 samples 3.53 deviations (Tippett 1925).
    static func grainRange(side: Int) -> Float { side == 2 ? 14 : 24 }

    /// What grain of one pixel adds to the bend, as a share of the range of values in a cell: for white noise of
    /// deviation s the bend is 1.95 s / side on average.
    static func grainShare(side: Int) -> Float { side == 2 ? 0.47 : 0.138 }

    /// Mask from the window means of the likelihood by colour and of the bend, and from the window's variance.
    ///
    /// Where a window holds more than skin's blotches, a feature or strands, less bend is enough for doubt: so that the
    /// mask ends clearly there, and grain does not decide from frame to frame.
    @inline(__always)
    static func weight(likelihood: Float, bend: Float, variance: Float) -> Float {
        let coloured = max(0, min(1, (likelihood - 0.25) * 2))
        let excess = max(0, min(1, (variance - blotchesUpTo) * (1 / (featuresFrom - blotchesUpTo))))
        let doubt = bend + strongestExcess * excess
        let smooth = max(0, min(1, (texturedFrom - doubt) * (1 / (texturedFrom - smoothUpTo))))
        return coloured * smooth
    }

    /// Writes one row of the likelihood by colour.
    static func likelihoods(
        _ reduction: PictureReduction, row: Int, into out: UnsafeMutablePointer<Float>
    ) {
        let start = row * reduction.grid.columns
        let (luma, cb, cr) = (reduction.luma.base + start, reduction.cb.base + start, reduction.cr.base + start)
        for i in 0..<reduction.grid.columns { out[i] = SkinModel.likelihood(luma: luma[i], cb: cb[i], cr: cr[i]) }
    }

    /// Writes one row of the bend of luma: its distance from the mean of its neighbours across or down, whichever is
    /// larger, without what grain explains, and with what grain cannot explain. The larger one and not both together: the
    /// grain of wood bends in one direction alone. The factor makes it what both together are where they are alike.
    static func bends(_ reduction: PictureReduction, row: Int, into out: UnsafeMutablePointer<Float>) {
        let grid = reduction.grid
        let columns = grid.columns
        let (share, grain) = (grainShare(side: grid.side), grainRange(side: grid.side))
        let line = reduction.luma.base + row * columns
        let above = reduction.luma.base + max(row - 1, 0) * columns
        let below = reduction.luma.base + min(row + 1, grid.rows - 1) * columns
        let (low, high) = (reduction.darkest.base + row * columns, reduction.lightest.base + row * columns)
        func bend(_ i: Int, _ left: Int, _ right: Int) -> Float {
            let across = abs(line[i] - (line[left] + line[right]) * 0.5)
            let down = abs(line[i] - (above[i] + below[i]) * 0.5)
            let spread = Float(high[i] &- low[i])
            let strands = max(0, spread - grain) * 0.5
            return min(strongestBend, max(0, max(across, down) * 1.41 - spread * share) + strands)
        }
        if columns > 2 { for i in 1..<columns - 1 { out[i] = bend(i, i &- 1, i &+ 1) } }
        out[0] = bend(0, 0, min(1, columns - 1))
        out[columns - 1] = bend(columns - 1, max(columns - 2, 0), columns - 1)
    }
}
