/// How colours meet, on R′, G′, B′ of full scale 1 in three lanes (the fourth is free).
///
/// Formulas: W3C, Compositing and Blending Level 1, section 9 ("Blending") and 5 ("Advanced compositing features").
protocol BlendFunction {
    /// `B(Cb, Cs)` of straight colours within 0…1.
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float>
    /// `co`, the premultiplied result over a backdrop of straight colour and alpha.
    static func composite(
        _ backdrop: SIMD4<Float>, _ backdropAlpha: Float, _ source: SIMD4<Float>, _ alpha: Float
    ) -> SIMD4<Float>
}

extension BlendFunction {
    /// `co = αs·(1 − αb)·Cs + αs·αb·B(Cb, Cs) + (1 − αs)·αb·Cb`. The backdrop's own share is not clamped, so that a
    /// colour outside R′G′B′ that shows through is kept.
    @inline(__always)
    static func composite(
        _ backdrop: SIMD4<Float>, _ backdropAlpha: Float, _ source: SIMD4<Float>, _ alpha: Float
    ) -> SIMD4<Float> {
        let mixed = blend(PixelLanes.min(PixelLanes.max(backdrop, SIMD4()), SIMD4(repeating: 1)), source)
        return alpha * (1 - backdropAlpha) * source + alpha * backdropAlpha * mixed + (1 - alpha) * backdropAlpha
            * backdrop
    }
}

enum NormalBlend: BlendFunction {
    @inline(__always)
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> { source }
}

enum MultiplyBlend: BlendFunction {
    @inline(__always)
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> { backdrop * source }
}

enum ScreenBlend: BlendFunction {
    @inline(__always)
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> {
        backdrop + source - backdrop * source
    }
}

/// `HardLight(Cs, Cb)`: the backdrop chooses between multiply and screen.
enum OverlayBlend: BlendFunction {
    @inline(__always)
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> {
        let doubled = 2 * backdrop
        let screened = source + (doubled - 1) - source * (doubled - 1)
        return screened.replacing(with: source * doubled, where: backdrop .<= 0.5)
    }
}

enum SoftLightBlend: BlendFunction {
    @inline(__always)
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> {
        let polynomial = ((16 * backdrop - 12) * backdrop + 4) * backdrop
        let lightened = backdrop.squareRoot().replacing(with: polynomial, where: backdrop .<= 0.25)
        let darker = backdrop - (1 - 2 * source) * backdrop * (1 - backdrop)
        let lighter = backdrop + (2 * source - 1) * (lightened - backdrop)
        return lighter.replacing(with: darker, where: source .<= 0.5)
    }
}

/// The operator `lighter`: `co = αs·Cs + αb·Cb`, no brighter than the alpha that results.
enum AddBlend: BlendFunction {
    @inline(__always)
    static func blend(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> {
        PixelLanes.min(backdrop + source, SIMD4(repeating: 1))
    }

    @inline(__always)
    static func composite(
        _ backdrop: SIMD4<Float>, _ backdropAlpha: Float, _ source: SIMD4<Float>, _ alpha: Float
    ) -> SIMD4<Float> {
        let limit = alpha + backdropAlpha * (1 - alpha)
        return PixelLanes.min(alpha * source + backdropAlpha * backdrop, SIMD4(repeating: limit))
    }
}
