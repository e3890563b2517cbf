internal import EditorCore

/// What a `ChromaWalk` does with each row. Rows are changed in place.
///
/// Chroma comes in pairs, Cb in the upper byte and Cr in the lower.
protocol RowTransform {
    /// - Parameters:
    ///   - pixels: the luma of row `y`.
    ///   - pairs: chroma as it was, at the places of these pixels.
    func luma(_ pixels: UnsafeMutablePointer<UInt8>, row y: Int, _ pairs: UnsafePointer<UInt16>)

    /// - Parameters:
    ///   - cb, cr: row `y` of the chroma planes.
    ///   - pairs: the same as it was.
    ///   - luma: luma as it was, at the places of these samples.
    func chroma(
        _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, row y: Int,
        _ pairs: UnsafePointer<UInt16>, _ luma: UnsafePointer<UInt8>)
}

/// Walks down a 4:2:0 picture and gives each sample the other components at its own place, as they were before the walk.
///
/// Chroma sample `(cx, cy)` lies at luma column `2cx`, between luma rows `2cy` and `2cy + 1`. Between samples chroma is
/// taken linearly; luma at a chroma sample is the mean 1 2 1 across and 1 1 down. Both are rounded to whole codes. A
/// picture's outermost samples are repeated. Belongs to one thread.
final class ChromaWalk {
    private var width = 0
    /// Chroma at the pixels of a row, and the samples of a chroma row.
    private var pairs = Scratch<UInt16>(0, zero: 0)
    /// Luma at the samples of a chroma row.
    private var luma = Scratch<UInt8>(0, zero: 0)
    /// The chroma row above, as it was.
    private var above = (cb: Scratch<UInt8>(0, zero: 0), cr: Scratch<UInt8>(0, zero: 0))
    /// Weighted sums of two rows, with one more at each end.
    private var sums = (cb: Scratch<UInt16>(0, zero: 0), cr: Scratch<UInt16>(0, zero: 0))

    private func prepare(_ picture: PlanarPicture) {
        guard width != picture.luma.width else { return }
        width = picture.luma.width
        let columns = picture.cb.width
        pairs = Scratch(width + 2, zero: 0)
        luma = Scratch(columns, zero: 0)
        above = (Scratch(columns, zero: 0), Scratch(columns, zero: 0))
        sums = (Scratch(width + 2, zero: 0, margin: 1), Scratch(columns + 1, zero: 0))
    }

    func apply(_ transform: some RowTransform, to picture: PlanarPicture) {
        prepare(picture)
        let (y, cbRows, crRows) = (picture.luma, picture.cb, picture.cr)
        let (columns, rows) = (cbRows.width, cbRows.height)
        for cy in 0..<rows {
            let (upper, lower) = (2 * cy, min(2 * cy + 1, y.height - 1))
            lumaAtChroma(y.row(upper), y.row(lower), count: columns)
            let (u, v) = (cbRows.row(cy), crRows.row(cy))
            widen((u, v), far: cy == 0 ? (u, v) : (above.cb.base, above.cr.base), count: columns)
            transform.luma(y.row(upper), row: upper, pairs.base)
            if lower > upper {
                let below = min(cy + 1, rows - 1)
                widen((u, v), far: (cbRows.row(below), crRows.row(below)), count: columns)
                transform.luma(y.row(lower), row: lower, pairs.base)
            }
            let (cb, cr, pairs) = (above.cb.base, above.cr.base, pairs.base)
            for k in 0..<columns {
                (cb[k], cr[k]) = (u[k], v[k])
                pairs[k] = UInt16(u[k]) &<< 8 | UInt16(v[k])
            }
            transform.chroma(u, v, row: cy, pairs, luma.base)
        }
    }

    private typealias Rows = (cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>)

    /// Chroma at the pixels of a luma row, which lies a quarter of a chroma row from `near` towards `far`.
    private func widen(_ near: Rows, far: Rows, count: Int) {
        let (u, v, out) = (sums.cb.base, sums.cr.base, pairs.base)
        for k in 0..<count {
            u[k] = 3 &* UInt16(near.cb[k]) &+ UInt16(far.cb[k])
            v[k] = 3 &* UInt16(near.cr[k]) &+ UInt16(far.cr[k])
        }
        (u[count], v[count]) = (u[count - 1], v[count - 1])
        for k in 0..<count {
            let even = ((u[k] &+ 2) &>> 2) &<< 8 | (v[k] &+ 2) &>> 2
            let odd = ((u[k] &+ u[k &+ 1] &+ 4) &>> 3) &<< 8 | (v[k] &+ v[k &+ 1] &+ 4) &>> 3
            (out[2 &* k], out[2 &* k &+ 1]) = (even, odd)
        }
    }

    private func lumaAtChroma(_ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, count: Int) {
        let (sums, out) = (sums.cb.base, luma.base)
        for x in 0..<width { sums[x] = UInt16(upper[x]) &+ UInt16(lower[x]) }
        (sums[-1], sums[width]) = (sums[0], sums[width - 1])
        for k in 0..<count {
            let i = 2 &* k
            out[k] = UInt8(truncatingIfNeeded: (sums[i &- 1] &+ 2 &* sums[i] &+ sums[i &+ 1] &+ 4) &>> 3)
        }
    }
}
