/// Turns Y′CbCr of another matrix into that of BT.709, both limited range, in place.
///
/// The R′G′B′ between the two is never made: a change of matrix leaves grey as it is, so luma only gains a share of
/// each chroma, and chroma becomes two shares of each. What leaves R′G′B′'s gamut is kept.
package struct MatrixChange {
    /// Shares of C′B and C′R that luma gains, times 2¹⁵.
    private let luma: (cb: Int16, cr: Int16)
    /// Shares of C′B and C′R in the new C′B and C′R, times 2¹⁴.
    private let cb: (cb: Int16, cr: Int16)
    private let cr: (cb: Int16, cr: Int16)
    private var scratch: [Int16] = []

    /// nil for the matrices that need no change or have no Y′CbCr.
    package init?(from matrix: ColorDescription.Matrix) {
        switch matrix {
        // ITU-R BT.601-7, item 2.5.1; BT.2020-2, table 4.
        case .bt601: self.init(kr: 0.299, kb: 0.114)
        case .bt2020: self.init(kr: 0.2627, kb: 0.0593)
        case .bt709, .rgb: return nil
        }
    }

    private init(kr: Double, kb: Double) {
        let (kr2, kb2) = (Double(BT709.kr), Double(BT709.kb))
        /// What one unit of each chroma, of full scale 1, does to Y′, C′B and C′R of BT.709.
        func effect(_ pb: Double, _ pr: Double) -> (y: Double, cb: Double, cr: Double) {
            let (r, b) = (2 * (1 - kr) * pr, 2 * (1 - kb) * pb)
            let g = -(kr * r + kb * b) / (1 - kr - kb)
            let y = kr2 * r + (1 - kr2 - kb2) * g + kb2 * b
            return (y, (b - y) / (2 * (1 - kb2)), (r - y) / (2 * (1 - kr2)))
        }
        func fixed(_ value: Double, _ bits: Int) -> Int16 { Int16((value * Double(1 << bits)).rounded()) }
        let (blue, red) = (effect(1, 0), effect(0, 1))
        // Luma has 219 codes where chroma has 224.
        luma = (fixed(blue.y * 219 / 224, 15), fixed(red.y * 219 / 224, 15))
        cb = (fixed(blue.cb, 14), fixed(red.cb, 14))
        cr = (fixed(blue.cr, 14), fixed(red.cr, 14))
    }

    /// - Parameter frame: planar.
    package mutating func apply(to frame: inout VideoFrame) {
        precondition(frame.format != .rgba, "a packed picture has no matrix")
        frame.makeWritable()
        let extent = frame.format.planeSize(1, of: frame.size)
        // Two rows of what luma gains, with one more sample each, and their mean at a luma row.
        let pitch = extent.width + 1
        // Taken out for the while, so that the loops below may use the shares.
        var scratch: [Int16] = []
        swap(&scratch, &self.scratch)
        defer { swap(&scratch, &self.scratch) }
        if scratch.count < 3 * pitch { scratch = Array(repeating: 0, count: 3 * pitch) }
        let (planes, height) = (frame.planes, frame.height)
        scratch.withUnsafeMutableBufferPointer { scratch in
            var (here, next) = (scratch.baseAddress!, scratch.baseAddress! + pitch)
            let between = next + pitch
            var above: UnsafeMutablePointer<Int16>?
            gain(planes, row: 0, count: extent.width, into: here)
            for cy in 0..<extent.height {
                let last = cy == extent.height - 1
                // The row above has been used for the last time when the row below takes its memory, so the upper luma
                // row of this pair, which needs it, comes first.
                brighten(planes[0], row: 2 * cy, here, above ?? here, between, frame.width)
                if !last { gain(planes, row: cy + 1, count: extent.width, into: next) }
                if 2 * cy + 1 < height {
                    brighten(planes[0], row: 2 * cy + 1, here, last ? here : next, between, frame.width)
                }
                change(planes, row: cy, count: extent.width)
                above = here
                swap(&here, &next)
            }
        }
    }

    /// What luma gains at a row of chroma samples, in 1/64 codes.
    private func gain(_ planes: [PlaneMemory], row: Int, count: Int, into out: UnsafeMutablePointer<Int16>) {
        let (u, v) = (planes[1].base + row * planes[1].stride, planes[2].base + row * planes[2].stride)
        let (fromCb, fromCr) = luma
        for k in 0..<count { out[k] = Self.share(u[k], fromCb) &+ Self.share(v[k], fromCr) }
    }

    /// Adds the gain at a luma row: bilinear from left-sited samples, a quarter of a row away from `near`.
    private func brighten(
        _ plane: PlaneMemory, row: Int, _ near: UnsafePointer<Int16>, _ far: UnsafePointer<Int16>,
        _ between: UnsafeMutablePointer<Int16>, _ width: Int
    ) {
        let (out, count) = (plane.base + row * plane.stride, (width + 1) / 2)
        for k in 0..<count { between[k] = 3 &* near[k] &+ far[k] }
        between[count] = between[count - 1]
        // Eight times 64 parts of a code.
        for k in 0..<width / 2 {
            let (even, odd) = (between[k] &+ between[k], between[k] &+ between[k &+ 1])
            out[2 &* k] = Self.byte(Int16(out[2 &* k]) &+ (even &+ 256) &>> 9)
            out[2 &* k &+ 1] = Self.byte(Int16(out[2 &* k &+ 1]) &+ (odd &+ 256) &>> 9)
        }
        if width & 1 == 1 {
            out[width - 1] = Self.byte(Int16(out[width - 1]) &+ (between[count - 1] &* 2 &+ 256) &>> 9)
        }
    }

    private func change(_ planes: [PlaneMemory], row: Int, count: Int) {
        let (u, v) = (planes[1].base + row * planes[1].stride, planes[2].base + row * planes[2].stride)
        let (cb, cr) = (cb, cr)
        for k in 0..<count {
            let (blue, red) = (u[k], v[k])
            u[k] = Self.byte((Self.share(blue, cb.cb) &+ Self.share(red, cb.cr) &+ 16) &>> 5 &+ 128)
            v[k] = Self.byte((Self.share(blue, cr.cb) &+ Self.share(red, cr.cr) &+ 16) &>> 5 &+ 128)
        }
    }

    /// A share of a chroma code above 128: 7 bits more, and the high half of the product.
    @inline(__always)
    private static func share(_ code: UInt8, _ factor: Int16) -> Int16 {
        let value = (Int16(code) &- 128) &<< 7
        return Int16(truncatingIfNeeded: (Int32(value) &* Int32(factor)) &>> 16)
    }

    @inline(__always)
    private static func byte(_ value: Int16) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
    }
}
