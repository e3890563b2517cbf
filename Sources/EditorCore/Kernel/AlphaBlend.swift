/// Blends rows of one plane.
package enum AlphaBlend {
    /// `dst = dst · (1 − a·o) + src · o`, rounded to nearest, for premultiplied `src` that nowhere exceeds `alpha`.
    ///
    /// Where alpha and opacity are 255, `dst` becomes `src`; where alpha is 0 it stays. Sixteen bits are enough: `src`
    /// is at most `alpha`, so the numerator is at most 255² + 127, and `t + t >> 8` ends at 65535.
    package static func premultipliedRow(
        _ dst: UnsafeMutablePointer<UInt8>, _ src: UnsafePointer<UInt8>, _ alpha: UnsafePointer<UInt8>, count: Int,
        opacity: UInt8
    ) {
        if opacity == 255 {
            // A premultiplied source is already in place: only what shows through is divided.
            for i in 0..<count {
                let through = UInt16(dst[i]) &* (255 &- UInt16(alpha[i]))
                dst[i] = src[i] &+ UInt8(truncatingIfNeeded: by255(through))
            }
        } else {
            let opacity = UInt16(opacity)
            for i in 0..<count {
                let cover = by255(UInt16(alpha[i]) &* opacity)
                dst[i] = UInt8(
                    truncatingIfNeeded: by255(UInt16(dst[i]) &* (255 &- cover) &+ UInt16(src[i]) &* opacity))
            }
        }
    }

    /// `dst = dst · (1 − a) + src · a`, rounded to nearest, for straight alpha.
    package static func straightRow(
        _ dst: UnsafeMutablePointer<UInt8>, _ src: UnsafePointer<UInt8>, _ alpha: UnsafePointer<UInt8>, count: Int
    ) {
        for i in 0..<count {
            let cover = UInt16(alpha[i])
            dst[i] = UInt8(truncatingIfNeeded: by255(UInt16(dst[i]) &* (255 &- cover) &+ UInt16(src[i]) &* cover))
        }
    }

    /// `n / 255` rounded to nearest, for `n` up to 255² + 127.
    @inline(__always)
    private static func by255(_ n: UInt16) -> UInt16 {
        let t = n &+ 128
        return (t &+ t &>> 8) &>> 8
    }
}
