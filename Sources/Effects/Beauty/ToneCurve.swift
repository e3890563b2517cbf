internal import EditorCore

/// Lightening and reddening.
enum ToneCurve {
    /// Full whitening lifts luma x (0 black, 1 white) by 4 · 0.12 · x (1 − x): 12 % at the middle, nothing at both
    /// ends, so that highlights keep their drawing. In the units of `lift`, which works on x of 0…219.
    static let strongestLift: Float = 4 * 0.12 / 219 * 128

    /// Levels by which full strength raises Cr. Cb goes up by an eighth of that: blood takes more green than blue out
    /// of the light.
    static let strongestBlush: Float = 8

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
    ///   - upper, lower: strengths above and below the row, in 1/4096.
    ///   - weight: weight of `lower` in eighths.
    ///   - levels: luma between black and white, 0…219. A value and no constant: with constants the compiler turns the
    ///     limits below into long selections instead of two instructions each.
    static func lift(
        _ pixels: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, upper: UnsafePointer<Int16>,
        lower: UnsafePointer<Int16>, weight: Int16, levels: (least: Int16, most: Int16)
    ) {
        for x in range {
            let strength = between(upper[x], lower[x], weight)
            let luma = Int16(pixels[x])
            let level = max(levels.least, min(levels.most, luma &- 16))
            // In 1/128 levels.
            let gain = highProduct(strength, level &* (levels.most &- level) &* 2)
            pixels[x] = clamped(luma &+ ((gain &+ 64) &>> 7))
        }
    }

    /// Raises samples `range` of a row of Cr and of Cb in place.
    /// - Parameters:
    ///   - upper, lower: levels above and below the row, in 1/256.
    ///   - weight: weight of `lower` in eighths.
    static func blush(
        cr: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>, _ range: Range<Int>,
        upper: UnsafePointer<Int16>, lower: UnsafePointer<Int16>, weight: Int16
    ) {
        for x in range {
            let gain = between(upper[x], lower[x], weight)
            cr[x] = clamped(Int16(cr[x]) &+ ((gain &+ 1024) &>> 11))
            cb[x] = clamped(Int16(cb[x]) &+ ((gain &+ 8192) &>> 14))
        }
    }
}
