/// The steps that make a look, on R′G′B′ of full scale 1. All are polynomials, so a colour takes a few dozen products.
struct LookRecipe: ColorMap {
    /// Factors of the channels: the light.
    var balance = SIMD4<Float>(1, 1, 1, 1)
    /// Weights of the channels in a picture without colour, or nil for one with.
    var grey: SIMD4<Float>?
    /// Strength of the tone curve: what is above the middle rises, what is below falls; negative values flatten.
    var contrast: Float = 0
    /// Factor of the distance from grey.
    var saturation: Float = 1
    /// What the darkest parts gain.
    var shadows = SIMD4<Float>.zero
    /// What the lightest parts gain.
    var highlights = SIMD4<Float>.zero
    /// Where black and white end up.
    var range: (black: Float, white: Float) = (0, 1)

    /// Where the tone curve crosses the diagonal: a little below the middle, so that faces gain light.
    private static let pivot: Float = 0.46

    func color(_ rgb: SIMD4<Float>) -> SIMD4<Float> {
        var color = FloatLanes.clamped(rgb * balance)
        if let grey { color = SIMD4(repeating: (color * grey).sum()) }
        color += contrast * color * (1 - color) * (color - Self.pivot)
        let light = (color * LookRecipe.luma).sum()
        color = light + (color - light) * saturation
        let dark = (1 - light) * (1 - light)
        color += shadows * (dark * (1 - dark * dark * 0.5)) + highlights * (light * light)
        return FloatLanes.clamped(range.black + color * (range.white - range.black))
    }

    /// Weights of BT.709's luma.
    private static var luma: SIMD4<Float> { SIMD4(0.2126, 0.7152, 0.0722, 0) }
}
