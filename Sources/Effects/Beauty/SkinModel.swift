/// Where skin lies in BT.709 limited-range Y′CbCr.
///
/// Skin of every depth has nearly one hue, since melanin and blood give it its colour; depth and light change how dark
/// and how saturated it is. So colour is split along the axis on which skin tones lie and across it: the distance
/// along it must be neither that of a grey wall nor that of a painted thing, and the offset across it must be small
/// against it, with room for warm and cold light.
enum SkinModel {
    /// Cb and Cr of the direction in which skin's colour leaves grey; unit length.
    static let axis: (cb: Float, cr: Float) = (-0.6, 0.8)

    /// How far a colour is skin's, 0…1, with soft borders.
    /// - Parameters:
    ///   - luma: luma minus 128.
    ///   - cb, cr: chroma minus 128.
    @inline(__always)
    static func likelihood(luma: Float, cb: Float, cr: Float) -> Float {
        let along = axis.cb * cb + axis.cr * cr
        let across = axis.cr * cb - axis.cb * cr
        // Light skin under plain light starts at about 11, a beige wall ends at about 8; dark skin starts at 5, and
        // where skin shines the light's own white takes its colour down to 9.
        let least = min(min(8.5, max(3.5, 3.5 + (luma + 88) * 0.07)), 8.5 - (luma - 50) * 0.04)
        let fromGrey = (along - least) * 0.4
        // Painted and dyed things are more saturated than skin; the darker, the less saturation there can be.
        let fromPaint = min((58 - along) * 0.09, (14 + 0.45 * (luma + 112) - along) * 0.12)
        // Towards pink lies sunburnt skin and cold light, then lips and cloth.
        let fromPink = (0.36 * along + 4.5 - across) * 0.3
        // Towards yellow lies warm light, then fair hair, sand and straw.
        let fromYellow = (0.25 * along + 3.5 + across) * 0.4
        let fromBlack = (luma + 106) * 0.07
        let fromWhite = (112 - luma) * 0.1
        let nearest = min(min(min(fromGrey, fromPaint), min(fromPink, fromYellow)), min(fromBlack, fromWhite))
        return max(0, min(1, nearest))
    }
}
