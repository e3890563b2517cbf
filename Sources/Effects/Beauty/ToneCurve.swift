/// Lightening and reddening.
enum ToneCurve {
    /// Full whitening lifts luma x (0 black, 1 white) by 4 · 0.12 · x (1 − x): 12 % at the middle, nothing at both
    /// ends, so that highlights keep their drawing. In the units of `lift`, which works on x of 0…219.
    static let strongestLift: Float = 4 * 0.12 / 219 * 128

    /// Levels by which full strength raises Cr, and Cb: blood takes more green than blue out of the light.
    static let crShift: Int16 = 8
    static let cbShift: Int16 = 1

    /// The share of the shift that a colour takes: less where it is red already, and in proportion to light where it
    /// is dark, as blood would.
    /// - Parameters:
    ///   - luma, cr: minus 128.
    @inline(__always)
    static func blushShare(luma: Float, cr: Float) -> Float {
        max(0.35, min(1, (52 - cr) * (1 / 30))) * max(0, min(1, (luma + 108) * (1 / 80)))
    }

    /// Lifts pixels `range` of a row in place.
    /// - Parameters:
    ///   - upper, lower: strengths above and below the row, in 1/32768.
    ///   - weight: weight of `lower` in eighths.
    static func lift(
        _ pixels: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, upper: UnsafePointer<Int16>,
        lower: UnsafePointer<Int16>, weight: Int16
    ) {
        let step = weight &* 4096
        for x in range {
            let strength = between(upper[x], lower[x], step)
            let luma = Int16(pixels[x])
            let level = max(0, min(219, luma &- 16))
            // In 1/128 levels.
            let gain = highProduct(strength, level &* (219 &- level) &* 2)
            pixels[x] = clamped(luma &+ ((gain &+ 64) &>> 7))
        }
    }

    /// Shifts samples `range` of a chroma row in place by up to `shift` levels.
    static func blush(
        _ samples: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, by shift: Int16, upper: UnsafePointer<Int16>,
        lower: UnsafePointer<Int16>, weight: Int16
    ) {
        let step = weight &* 4096
        let full = shift &* 128
        for x in range {
            let gain = highProduct(between(upper[x], lower[x], step), full)
            samples[x] = clamped(Int16(samples[x]) &+ ((gain &+ 32) &>> 6))
        }
    }
}
