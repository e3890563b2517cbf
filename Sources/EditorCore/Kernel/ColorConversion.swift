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
        rgba(from: frame, into: result.planes[0])
        return result
    }

    /// Writes the packed pixels of a planar picture to memory of somebody else's.
    /// - Parameters:
    ///   - target: room for the frame's rows of four bytes a pixel; its stride is a multiple of four.
    ///   - isBGR: whether the bytes of a pixel are B, G, R, A.
    package static func rgba(from frame: VideoFrame, into target: PlaneMemory, isBGR: Bool = false) {
        let planes = frame.planes
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
                    pack(
                        luma: planes[0].base + y * planes[0].stride, cb: cb, cr: cr, into: out, count: frame.width,
                        isBGR: isBGR)
                }
                if frame.format == .yuva420 {
                    let (alpha, out) = (planes[3].base + y * planes[3].stride, target.base + y * target.stride)
                    for x in 0..<frame.width { out[4 &* x &+ 3] = alpha[x] }
                }
            }
        }
    }

    /// A `.yuv420` picture of a `.rgba` one, whose alpha is left aside. Other formats are returned as they are.
    package static func yuv420(from frame: VideoFrame, pool: FramePool) -> VideoFrame {
        guard frame.format == .rgba else { return frame }
        return yuv420(from: frame.planes[0], size: frame.size, pool: pool)
    }

    /// A `.yuv420` picture of packed pixels in memory of somebody else's; their alpha is left aside.
    /// - Parameters:
    ///   - source: the rows of four bytes a pixel; its stride is a multiple of four.
    ///   - isBGR: whether the bytes of a pixel are B, G, R, A.
    package static func yuv420(
        from source: PlaneMemory, size: PixelSize, isBGR: Bool = false, pool: FramePool
    ) -> VideoFrame {
        var result = pool.frame(.yuv420, size)
        result.makeWritable(from: pool)
        let planes = result.planes
        let (width, height) = (size.width, size.height)
        for cy in 0..<(height + 1) / 2 {
            let upper = source.base + 2 * cy * source.stride
            let lower = source.base + min(2 * cy + 1, height - 1) * source.stride
            unpackLuma(upper, into: planes[0].base + 2 * cy * planes[0].stride, count: width, isBGR: isBGR)
            if 2 * cy + 1 < height {
                unpackLuma(
                    lower, into: planes[0].base + (2 * cy + 1) * planes[0].stride, count: width, isBGR: isBGR)
            }
            unpackChroma(
                upper, lower, width: width, cb: planes[1].base + cy * planes[1].stride,
                cr: planes[2].base + cy * planes[2].stride, isBGR: isBGR)
        }
        return result
    }

    /// The upper half of a product of sixteen bits, which every vector unit has an instruction for.
    @inline(__always)
    private static func high(_ a: Int16, _ b: Int16) -> Int16 {
        Int16(truncatingIfNeeded: (Int32(a) &* Int32(b)) &>> 16)
    }

    /// Sums in 32nds of a code; chroma comes in eighths. Each product falls short by half a 32nd on average.
    private static func pack(
        luma: UnsafePointer<UInt8>, cb: UnsafePointer<Int16>, cr: UnsafePointer<Int16>,
        into out: UnsafeMutablePointer<UInt32>, count: Int, isBGR: Bool
    ) {
        let fromY = Int16((255 / 219 * Float(1 << 14)).rounded())
        let redCr = Int16((255 * BT709.fromCr.x * Float(1 << 13)).rounded())
        let greenCb = Int16((255 * BT709.fromCb.y * Float(1 << 13)).rounded())
        let greenCr = Int16((255 * BT709.fromCr.y * Float(1 << 13)).rounded())
        let blueCb = Int16((255 * BT709.fromCb.z * Float(1 << 13)).rounded())
        @inline(__always) func byte(_ sum: Int16) -> UInt16 { UInt16(bitPattern: min(max(sum &>> 5, 0), 255)) }
        @inline(__always) func run(_ isBGR: Bool) {
            for x in 0..<count {
                let grey = high((Int16(luma[x]) &- 16) &<< 7, fromY) &+ 17
                let (u, v) = (cb[x] &<< 5, cr[x] &<< 5)
                let r = byte(grey &+ high(v, redCr))
                let g = byte(grey &+ high(u, greenCb) &+ high(v, greenCr) &+ 1)
                let b = byte(grey &+ high(u, blueCb))
                let (first, third) = isBGR ? (b, r) : (r, b)
                out[x] = UInt32(first | g &<< 8) | UInt32(third | 0xff00) &<< 16
            }
        }
        if isBGR { run(true) } else { run(false) }
    }

    private static func unpackLuma(
        _ row: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>, count: Int, isBGR: Bool
    ) {
        // 15 bits: the largest weight times 255 stays below 2^31, and each weight fits a signed 16-bit factor.
        let scale = Float(1 << 15) * 219 / 255
        // The first and the third byte are red and blue, or blue and red.
        let kr = Int32(((isBGR ? BT709.kb : BT709.kr) * scale).rounded())
        let kg = Int32((BT709.kg * scale).rounded())
        let kb = Int32(((isBGR ? BT709.kr : BT709.kb) * scale).rounded())
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
        cr: UnsafeMutablePointer<UInt8>, isBGR: Bool
    ) {
        let scale = Float(1 << 14) / 255
        var toCb = SIMD4<Int32>((BT709.toCb * scale).rounded(.toNearestOrEven))
        var toCr = SIMD4<Int32>((BT709.toCr * scale).rounded(.toNearestOrEven))
        if isBGR { (toCb, toCr) = (SIMD4(toCb.z, toCb.y, toCb.x, 0), SIMD4(toCr.z, toCr.y, toCr.x, 0)) }
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
