/// What a `ChromaWalk` does with each row. Rows are changed in place.
protocol RowTransform {
    /// - Parameters:
    ///   - pixels: the luma of row `y`.
    ///   - cb, cr: chroma as it was, at the places of these pixels.
    func luma(_ pixels: UnsafeMutablePointer<UInt8>, row y: Int, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>)

    /// - Parameters:
    ///   - cb, cr: row `y` of the chroma planes.
    ///   - luma: luma as it was, at the places of these samples.
    func chroma(
        _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, row y: Int, _ luma: UnsafePointer<UInt8>)
}

/// Walks down a 4:2:0 picture and gives each sample the other components at its own place, as they were before the walk.
///
/// Chroma sample `(cx, cy)` lies at luma column `2cx`, between luma rows `2cy` and `2cy + 1`. Between samples chroma is
/// taken linearly; luma at a chroma sample is the mean 1 2 1 across and 1 1 down. Both are rounded to whole codes. A
/// picture's outermost samples are repeated. Belongs to one thread.
final class ChromaWalk {
    private var width = 0
    /// Chroma at the pixels of a row.
    private var cb = Scratch<UInt8>(0, zero: 0)
    private var cr = Scratch<UInt8>(0, zero: 0)
    /// Luma at the samples of a chroma row.
    private var luma = Scratch<UInt8>(0, zero: 0)
    /// The chroma row above, as it was.
    private var above = (cb: Scratch<UInt8>(0, zero: 0), cr: Scratch<UInt8>(0, zero: 0))
    /// Sums of two rows, with one more at the end.
    private var sums = Scratch<UInt16>(0, zero: 0)

    private func prepare(_ picture: PlanarPicture) {
        guard width != picture.luma.width else { return }
        width = picture.luma.width
        cb = Scratch(width + 2, zero: 0)
        cr = Scratch(width + 2, zero: 0)
        luma = Scratch(picture.cb.width, zero: 0)
        above = (Scratch(picture.cb.width, zero: 0), Scratch(picture.cb.width, zero: 0))
        sums = Scratch(width + 3, zero: 0, margin: 1)
    }

    func apply(_ transform: some RowTransform, to picture: PlanarPicture) {
        prepare(picture)
        let (y, cbRows, crRows) = (picture.luma, picture.cb, picture.cr)
        let (columns, rows) = (cbRows.width, cbRows.height)
        for cy in 0..<rows {
            let (upper, lower) = (2 * cy, min(2 * cy + 1, y.height - 1))
            lumaAtChroma(y.row(upper), y.row(lower), count: columns)
            let (u, v) = (cbRows.row(cy), crRows.row(cy))
            let isFirst = cy == 0
            widen(near: u, far: isFirst ? u : above.cb.base, count: columns, into: cb.base)
            widen(near: v, far: isFirst ? v : above.cr.base, count: columns, into: cr.base)
            transform.luma(y.row(upper), row: upper, cb.base, cr.base)
            if lower > upper {
                let below = min(cy + 1, rows - 1)
                widen(near: u, far: cbRows.row(below), count: columns, into: cb.base)
                widen(near: v, far: crRows.row(below), count: columns, into: cr.base)
                transform.luma(y.row(lower), row: lower, cb.base, cr.base)
            }
            above.cb.base.update(from: u, count: columns)
            above.cr.base.update(from: v, count: columns)
            transform.chroma(u, v, row: cy, luma.base)
        }
    }

    /// Chroma at the pixels of a luma row, which lies a quarter of a chroma row from `near` towards `far`.
    private func widen(
        near: UnsafePointer<UInt8>, far: UnsafePointer<UInt8>, count: Int, into out: UnsafeMutablePointer<UInt8>
    ) {
        let sums = sums.base
        for k in 0..<count { sums[k] = 3 &* UInt16(near[k]) &+ UInt16(far[k]) }
        sums[count] = sums[count - 1]
        for k in 0..<count {
            out[2 &* k] = UInt8(truncatingIfNeeded: (sums[k] &+ 2) &>> 2)
            out[2 &* k &+ 1] = UInt8(truncatingIfNeeded: (sums[k] &+ sums[k &+ 1] &+ 4) &>> 3)
        }
    }

    private func lumaAtChroma(_ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, count: Int) {
        let (sums, out) = (sums.base, luma.base)
        for x in 0..<width { sums[x] = UInt16(upper[x]) &+ UInt16(lower[x]) }
        (sums[-1], sums[width]) = (sums[0], sums[width - 1])
        for k in 0..<count {
            let i = 2 &* k
            out[k] = UInt8(truncatingIfNeeded: (sums[i &- 1] &+ 2 &* sums[i] &+ sums[i &+ 1] &+ 4) &>> 3)
        }
    }
}
