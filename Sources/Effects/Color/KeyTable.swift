internal import EditorCore

/// The chroma of a colour as a direction from grey.
struct KeyColor {
    let luma: Float
    let cb: Float
    let cr: Float

    init(_ color: Color) {
        let (y, u, v) = ColorConversion.yuv(for: color)
        (luma, cb, cr) = (Float(y), Float(u) - 128, Float(v) - 128)
    }

    /// Distance from grey, in codes.
    var length: Float { (cb * cb + cr * cr).squareRoot() }
    /// Nearer to grey than this, a colour is no key.
    static let leastLength: Float = 16
}

/// What a key makes of every pair of chroma values.
///
/// A pixel at a screen's edge is mixed of the screen and of what stands before it. How much screen is in it, the *share*,
/// is how far its chroma goes the key's way, in lengths of the key, less how far it goes off to the side: 1 for the screen
/// itself, 0 and less for what has nothing of it. (In R′G′B′ this is Vlahos' G − max(R, B), for any key colour.) The matte
/// is a ramp over the share. Without spill the pixel is (pixel − share · key) / (1 − share), which has a share of 0.
final class KeyTable {
    let alpha = Scratch<UInt8>(1 << 16, zero: 255)
    /// Factor of luma, in 1/128, and what is added, in 1/8 of a level.
    let light = Scratch<SIMD2<Int16>>(1 << 16, zero: .zero)
    /// Cb and Cr without spill.
    let color = Scratch<SIMD2<UInt8>>(1 << 16, zero: .zero)

    /// A share of which no more is taken off: what is left of the pixel would be noise.
    private static let largestShare: Float = 0.75

    init(_ parameters: ChromaKey.Parameters) {
        let key = KeyColor(parameters.color)
        let square = key.length * key.length
        let (similarity, softness) = (Float(parameters.similarity), Float(parameters.softness))
        let transparent = 1 - similarity
        let opaque = transparent - softness
        let spill = Float(parameters.spill)
        for u in 0..<256 {
            for v in 0..<256 {
                let (cb, cr) = (Float(u) - 128, Float(v) - 128)
                let along = (cb * key.cb + cr * key.cr) / square
                let across = abs(cb * key.cr - cr * key.cb) / square
                let share = along - across
                let pair = u << 8 | v
                if similarity > 0 {
                    let cover = share >= transparent ? 0 : share <= opaque ? 1 : (transparent - share) / softness
                    alpha[pair] = FloatLanes.byte(cover * 255)
                }
                let taken = max(0, min(Self.largestShare, share)) * spill
                let factor = 1 / (1 - taken)
                let (y, b, r) = (
                    -taken * key.luma * factor, (cb - taken * key.cb) * factor, (cr - taken * key.cr) * factor
                )
                light[pair] = SIMD2(Int16((factor * 128).rounded()), Int16((y * 8).rounded()))
                color[pair] = SIMD2(FloatLanes.byte(128 + b), FloatLanes.byte(128 + r))
            }
        }
    }
}
