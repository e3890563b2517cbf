/// Filters between luma and left-sited 4:2:0 chroma positions.
enum ChromaSiting {
    /// Chroma at the luma positions of one row, in eighths of a code above 128 codes.
    ///
    /// Bilinear: the row lies a quarter of a chroma row from `near`, and odd columns lie between two samples. The last
    /// column repeats.
    /// - Parameters:
    ///   - near: the chroma row that belongs to the luma row.
    ///   - far: its neighbour on the luma row's side, or `near` at the picture's edge.
    ///   - count: chroma samples in a row.
    ///   - scratch: room for `count + 1` values.
    ///   - out: takes `2 * count` values.
    static func upsample(
        near: UnsafePointer<UInt8>, far: UnsafePointer<UInt8>, count: Int, scratch: UnsafeMutablePointer<Int16>,
        into out: UnsafeMutablePointer<Int16>
    ) {
        for k in 0..<count { scratch[k] = 3 &* Int16(near[k]) &+ Int16(far[k]) }
        scratch[count] = scratch[count - 1]
        for k in 0..<count {
            let (here, next) = (scratch[k], scratch[k &+ 1])
            out[2 &* k] = here &+ here &- 1024
            out[2 &* k &+ 1] = here &+ next &- 1024
        }
    }

    /// One row of chroma-sited pixels from two rows of luma-sited ones, lane by lane, rounded to nearest.
    /// - Parameters:
    ///   - upper: `2 * count + 1` pixels, the first of which lies left of the first chroma sample.
    ///   - lower: likewise, one row below.
    static func downsample(
        upper: UnsafePointer<SIMD4<UInt8>>, lower: UnsafePointer<SIMD4<UInt8>>, count: Int,
        into out: UnsafeMutablePointer<SIMD4<UInt8>>
    ) {
        @inline(__always) func column(_ x: Int) -> SIMD4<UInt16> {
            SIMD4<UInt16>(truncatingIfNeeded: upper[x]) &+ SIMD4<UInt16>(truncatingIfNeeded: lower[x])
        }
        var left = column(0)
        for k in 0..<count {
            let center = column(2 &* k &+ 1)
            let right = column(2 &* k &+ 2)
            let sum = left &+ center &+ center &+ right &+ SIMD4(repeating: 4)
            out[k] = SIMD4<UInt8>(truncatingIfNeeded: sum &>> SIMD4(repeating: 3))
            left = right
        }
    }

    /// A value at chroma sample `(cx, cy)` of a full-size plane: 1 2 1 across, 1 1 down, not rounded.
    @inline(__always)
    static func value(of plane: PlaneMemory, _ cx: Int, _ cy: Int, in size: PixelSize) -> Float {
        let (x, right) = (2 &* cx, min(2 &* cx &+ 1, size.width &- 1))
        let left = max(x &- 1, 0)
        let upper = plane.base + 2 &* cy &* plane.stride
        let lower = plane.base + min(2 &* cy &+ 1, size.height &- 1) &* plane.stride
        let sum =
            Int32(upper[left]) &+ 2 &* Int32(upper[x]) &+ Int32(upper[right]) &+ Int32(lower[left]) &+ 2
            &* Int32(lower[x]) &+ Int32(lower[right])
        return Float(sum) * 0.125
    }
}
