internal import EditorCore

/// Reads a frame once and keeps per cell: mean luma, the darkest and lightest pixel, and mean chroma.
final class PictureReduction {
    let grid: CellGrid
    /// Mean luma minus 128, per cell, row by row.
    let luma: Scratch<Float>
    /// The darkest and the lightest luma in a cell.
    let darkest: Scratch<UInt8>
    let lightest: Scratch<UInt8>
    /// Mean Cb and Cr minus 128.
    let cb: Scratch<Float>
    let cr: Scratch<Float>

    /// One row of pixels reduced vertically; room for the loops that look at the three neighbours to the right.
    private let sums: Scratch<UInt16>
    private let lows: Scratch<UInt8>
    private let highs: Scratch<UInt8>

    init(_ grid: CellGrid) {
        self.grid = grid
        luma = Scratch(grid.count, zero: 0)
        darkest = Scratch(grid.count, zero: 0)
        lightest = Scratch(grid.count, zero: 0)
        cb = Scratch(grid.count, zero: 0)
        cr = Scratch(grid.count, zero: 0)
        sums = Scratch(grid.paddedWidth + 4, zero: 0)
        lows = Scratch(grid.paddedWidth + 4, zero: 0)
        highs = Scratch(grid.paddedWidth + 4, zero: 0)
    }

    func reduceLuma(_ pixels: UnsafePointer<UInt8>, _ layout: VideoFrame.PlaneLayout) {
        let (width, side, columns) = (layout.width, grid.side, grid.columns)
        let (lows, highs) = (lows.base, highs.base)
        for row in 0..<grid.rows {
            let top = row * side
            gatherRows(
                pixels, stride: layout.stride, first: top, count: side, last: layout.height - 1, width: width)
            pad(from: width)
            widen(by: 1)
            if side == 4 { widen(by: 2) }
            addUp(side, into: luma.base + row * columns)
            let (low, high) = (darkest.base + row * columns, lightest.base + row * columns)
            for i in 0..<columns {
                low[i] = lows[i &* side]
                high[i] = highs[i &* side]
            }
        }
    }

    /// Adds the sums of `count` neighbours and writes their means minus 128.
    private func addUp(_ count: Int, into out: UnsafeMutablePointer<Float>) {
        let columns = grid.columns
        if count == 2 {
            // Two sums to a word: each is at most 4 · 255, so that nothing carries over.
            sums.base.withMemoryRebound(to: UInt32.self, capacity: columns) { pairs in
                for i in 0..<columns {
                    out[i] = Float(Int32(truncatingIfNeeded: (pairs[i] & 0xFFFF) &+ (pairs[i] &>> 16))) * 0.25 - 128
                }
            }
        } else {
            // Four sums to a word; the product collects them in its upper quarter.
            sums.base.withMemoryRebound(to: UInt64.self, capacity: columns) { quads in
                for i in 0..<columns {
                    let total = (quads[i] &* 0x0001_0001_0001_0001) &>> 48
                    out[i] = Float(Int32(truncatingIfNeeded: total)) * (1 / 16) - 128
                }
            }
        }
    }

    /// Writes the means of one chroma plane; a cell holds one sample, or two by two.
    func reduceChroma(
        _ pixels: UnsafePointer<UInt8>, _ layout: VideoFrame.PlaneLayout, into target: UnsafeMutablePointer<Float>
    ) {
        let columns = grid.columns
        for row in 0..<grid.rows {
            let out = target + row * columns
            if grid.side == 2 {
                let line = pixels + row * layout.stride
                for i in 0..<columns { out[i] = Float(line[i]) - 128 }
                continue
            }
            let upper = pixels + 2 * row * layout.stride
            let lower = pixels + min(2 * row + 1, layout.height - 1) * layout.stride
            let sums = sums.base
            for x in 0..<layout.width { sums[x] = UInt16(upper[x]) &+ UInt16(lower[x]) }
            sums[layout.width] = sums[layout.width - 1]
            addUp(2, into: out)
        }
    }

    /// Sums, minima and maxima of `count` rows from `first` on; rows past the last repeat it.
    private func gatherRows(
        _ pixels: UnsafePointer<UInt8>, stride: Int, first: Int, count: Int, last: Int, width: Int
    ) {
        let (sums, lows, highs) = (sums.base, lows.base, highs.base)
        let a = pixels + min(first, last) * stride
        let b = pixels + min(first + 1, last) * stride
        if count == 2 {
            for x in 0..<width {
                sums[x] = UInt16(a[x]) &+ UInt16(b[x])
                lows[x] = min(a[x], b[x])
                highs[x] = max(a[x], b[x])
            }
            return
        }
        let c = pixels + min(first + 2, last) * stride
        let d = pixels + min(first + 3, last) * stride
        for x in 0..<width {
            sums[x] = UInt16(a[x]) &+ UInt16(b[x]) &+ UInt16(c[x]) &+ UInt16(d[x])
            lows[x] = min(min(a[x], b[x]), min(c[x], d[x]))
            highs[x] = max(max(a[x], b[x]), max(c[x], d[x]))
        }
    }

    /// Lets each minimum and maximum cover as much again, `reach` pixels further right.
    @inline(__always)
    private func widen(by reach: Int) {
        let (lows, highs) = (lows.base, highs.base)
        for x in 0..<grid.paddedWidth {
            lows[x] = min(lows[x], lows[x &+ reach])
            highs[x] = max(highs[x], highs[x &+ reach])
        }
    }

    /// Repeats the last column up to the end of its cell, and over the room behind it.
    private func pad(from width: Int) {
        for x in width..<grid.paddedWidth + 4 {
            sums[x] = sums[width - 1]
            lows[x] = lows[width - 1]
            highs[x] = highs[width - 1]
        }
    }
}
