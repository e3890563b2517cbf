/// The constants of ITU-R BT.709-6 for eight bits, limited range.
///
/// Luma `E′Y = 0.2126 R′ + 0.7152 G′ + 0.0722 B′`; `E′CB = (B′ − E′Y) / 1.8556`; `E′CR = (R′ − E′Y) / 1.5748`
/// (item 3.2 and 3.3). Quantised as `16 + 219 E′Y` and `128 + 224 E′C` (item 5.6).
package enum BT709 {
    // Computed, so that kernels see constants: a stored static is asked whether it is initialised at every pixel.
    @inline(__always) package static var kr: Float { 0.2126 }
    @inline(__always) package static var kg: Float { 0.7152 }
    @inline(__always) package static var kb: Float { 0.0722 }

    /// Weights of R′, G′, B′ of full scale 1 in luma of full scale 1; the fourth lane is free.
    @inline(__always) package static var luma: SIMD4<Float> { SIMD4<Float>(kr, kg, kb, 0) }
    /// What one code of C′B above 128 adds to R′, G′, B′ of full scale 1.
    @inline(__always) package static var fromCb: SIMD4<Float> { SIMD4<Float>(0, -1.8556 * kb / kg, 1.8556, 0) / 224 }
    /// What one code of C′R above 128 adds to R′, G′, B′ of full scale 1.
    @inline(__always) package static var fromCr: SIMD4<Float> { SIMD4<Float>(1.5748, -1.5748 * kr / kg, 0, 0) / 224 }
    /// Weights of R′, G′, B′ of full scale 1 in codes of C′B.
    @inline(__always) package static var toCb: SIMD4<Float> { SIMD4<Float>(-kr, -kg, 1 - kb, 0) * (224 / 1.8556) }
    /// Weights of R′, G′, B′ of full scale 1 in codes of C′R.
    @inline(__always) package static var toCr: SIMD4<Float> { SIMD4<Float>(1 - kr, -kg, -kb, 0) * (224 / 1.5748) }

    /// R′, G′, B′ of full scale 1 from codes; not clamped, so that the way back gives the same codes.
    @inline(__always)
    package static func rgb(y: Float, cb: Float, cr: Float) -> SIMD4<Float> {
        SIMD4(repeating: (y - 16) * (1 / 219)) + fromCb * (cb - 128) + fromCr * (cr - 128)
    }

    /// Luma code of R′, G′, B′ of full scale 1, not rounded.
    @inline(__always)
    package static func y(_ rgb: SIMD4<Float>) -> Float { 16 + 219 * (rgb * luma).sum() }

    /// Chroma codes of R′, G′, B′ of full scale 1, not rounded.
    @inline(__always)
    package static func chroma(_ rgb: SIMD4<Float>) -> (cb: Float, cr: Float) {
        (128 + (rgb * toCb).sum(), 128 + (rgb * toCr).sum())
    }
}
