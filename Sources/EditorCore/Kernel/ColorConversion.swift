/// Converts pictures between packed R′G′B′A and planar Y′CbCr 4:2:0, BT.709 limited range, chroma sited left.
///
/// A left-sited chroma sample `(cx, cy)` lies at luma column `2cx`, between luma rows `2cy` and `2cy + 1`
/// (ITU-T H.264 table E-1, `chroma_sample_loc_type` 0). Pictures end by repeating their outermost samples.
public enum ColorConversion {
    /// Y′, C′B and C′R codes of a colour, rounded to nearest; its alpha is left aside.
    public static func yuv(for color: Color) -> (y: UInt8, u: UInt8, v: UInt8) {
        let rgb = SIMD4<Float>(Float(color.red), Float(color.green), Float(color.blue), 0) / 255
        let (cb, cr) = BT709.chroma(rgb)
        return (UInt8(BT709.y(rgb).rounded()), UInt8(cb.rounded()), UInt8(cr.rounded()))
    }

    /// A `.rgba` picture of a `.yuv420` one (alpha 255) or a `.yuva420` one (its straight alpha). A `.rgba` picture
    /// is returned as it is.
    package static func rgba(from frame: VideoFrame, pool: FramePool) -> VideoFrame {
        guard frame.format != .rgba else { return frame }
        var result = pool.frame(.rgba, frame.size)
        result.makeWritable(from: pool)
        let (planes, target) = (frame.planes, result.planes[0])
        let chromaSize = frame.format.planeSize(1, of: frame.size)
        let padded = 2 * chromaSize.width + 2
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 3 * padded) { scratch in
            let column = scratch.baseAddress!
            let (cb, cr) = (column + padded, column + 2 * padded)
            for y in 0..<frame.height {
                let near = y >> 1
                let far = min(max(near + (y & 1 == 0 ? -1 : 1), 0), chromaSize.height - 1)
                for index in 1...2 {
                    let source = planes[index]
                    ChromaSiting.upsample(
                        near: source.base + near * source.stride, far: source.base + far * source.stride,
                        count: chromaSize.width, scratch: column, into: index == 1 ? cb : cr)
                }
                (target.base + y * target.stride).withMemoryRebound(to: UInt32.self, capacity: frame.width) { out in
                    pack(luma: planes[0].base + y * planes[0].stride, cb: cb, cr: cr, into: out, count: frame.width)
                }
                if frame.format == .yuva420 {
                    let (alpha, out) = (planes[3].base + y * planes[3].stride, target.base + y * target.stride)
                    for x in 0..<frame.width { out[4 &* x &+ 3] = alpha[x] }
                }
            }
        }
        return result
    }

    /// A `.yuv420` picture of a `.rgba` one, whose alpha is left aside. Other formats are returned as they are.
    package static func yuv420(from frame: VideoFrame, pool: FramePool) -> VideoFrame {
        guard frame.format == .rgba else { return frame }
        var result = pool.frame(.yuv420, frame.size)
        result.makeWritable(from: pool)
        let (source, planes) = (frame.planes[0], result.planes)
        let (width, height) = (frame.width, frame.height)
        for cy in 0..<(height + 1) / 2 {
            let upper = source.base + 2 * cy * source.stride
            let lower = source.base + min(2 * cy + 1, height - 1) * source.stride
            unpackLuma(upper, into: planes[0].base + 2 * cy * planes[0].stride, count: width)
            if 2 * cy + 1 < height {
                unpackLuma(lower, into: planes[0].base + (2 * cy + 1) * planes[0].stride, count: width)
            }
            unpackChroma(
                upper, lower, width: width, cb: planes[1].base + cy * planes[1].stride,
                cr: planes[2].base + cy * planes[2].stride)
        }
        return result
    }

    /// Fixed-point weights with 14 fractional bits; chroma comes in eighths of a code.
    private static func pack(
        luma: UnsafePointer<UInt8>, cb: UnsafePointer<Int16>, cr: UnsafePointer<Int16>,
        into out: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        let one = Float(1 << 14)
        let fromY = Int32((255 / 219 * one).rounded())
        let redCr = Int32((255 * BT709.fromCr.x * one / 8).rounded())
        let greenCb = Int32((255 * BT709.fromCb.y * one / 8).rounded())
        let greenCr = Int32((255 * BT709.fromCr.y * one / 8).rounded())
        let blueCb = Int32((255 * BT709.fromCb.z * one / 8).rounded())
        for x in 0..<count {
            let grey = (Int32(luma[x]) &- 16) &* fromY &+ (1 << 13)
            let (u, v) = (Int32(cb[x]), Int32(cr[x]))
            let r = min(max((grey &+ v &* redCr) &>> 14, 0), 255)
            let g = min(max((grey &+ u &* greenCb &+ v &* greenCr) &>> 14, 0), 255)
            let b = min(max((grey &+ u &* blueCb) &>> 14, 0), 255)
            out[x] = UInt32(truncatingIfNeeded: r | g &<< 8 | b &<< 16) | 0xff00_0000
        }
    }

    private static func unpackLuma(_ row: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>, count: Int) {
        // 15 bits: the largest weight times 255 stays below 2^31, and each weight fits a signed 16-bit factor.
        let scale = Float(1 << 15) * 219 / 255
        let kr = Int32((BT709.kr * scale).rounded())
        let kg = Int32((BT709.kg * scale).rounded())
        let kb = Int32((BT709.kb * scale).rounded())
        row.withMemoryRebound(to: UInt32.self, capacity: count) { row in
            for x in 0..<count {
                let pixel = UInt32(littleEndian: row[x])
                let r = Int32(truncatingIfNeeded: pixel & 255)
                let g = Int32(truncatingIfNeeded: pixel &>> 8 & 255)
                let b = Int32(truncatingIfNeeded: pixel &>> 16 & 255)
                let sum = kr &* r &+ kg &* g &+ kb &* b &+ (16 << 15 | 1 << 14)
                out[x] = UInt8(truncatingIfNeeded: sum &>> 15)
            }
        }
    }

    /// One row of chroma from two rows of pixels, filtered with 1 2 1 across and 1 1 down.
    private static func unpackChroma(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, width: Int, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>
    ) {
        let scale = Float(1 << 14) / 255
        let toCb = SIMD4<Int32>((BT709.toCb * scale).rounded(.toNearestOrEven))
        let toCr = SIMD4<Int32>((BT709.toCr * scale).rounded(.toNearestOrEven))
        // Three bits more for the filter's sum of eight.
        let offset = Int32(128 << 17 | 1 << 16)
        @inline(__always) func column(_ x: Int) -> (r: Int32, g: Int32, b: Int32) {
            let i = 4 &* x
            return (
                Int32(upper[i]) &+ Int32(lower[i]), Int32(upper[i &+ 1]) &+ Int32(lower[i &+ 1]),
                Int32(upper[i &+ 2]) &+ Int32(lower[i &+ 2])
            )
        }
        var left = column(0)
        for cx in 0..<(width + 1) / 2 {
            let center = column(2 &* cx)
            let right = column(min(2 &* cx &+ 1, width - 1))
            let r = left.r &+ 2 &* center.r &+ right.r
            let g = left.g &+ 2 &* center.g &+ right.g
            let b = left.b &+ 2 &* center.b &+ right.b
            cb[cx] = UInt8(truncatingIfNeeded: (r &* toCb.x &+ g &* toCb.y &+ b &* toCb.z &+ offset) &>> 17)
            cr[cx] = UInt8(truncatingIfNeeded: (r &* toCr.x &+ g &* toCr.y &+ b &* toCr.z &+ offset) &>> 17)
            left = right
        }
    }
}
