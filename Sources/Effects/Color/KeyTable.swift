internal import EditorCore

/// The colour of a screen.
struct KeyColor {
    let luma: Float
    /// Chroma minus 128.
    let cb: Float
    let cr: Float
    /// Whether red, green and blue are among the strong channels: those above the widest gap between two.
    private let isStrong: (Bool, Bool, Bool)

    /// Less excess than this makes no key: too much else in a picture is as coloured.
    static let leastExcess: Float = 0.08

    init(_ color: Color) {
        let (y, u, v) = ColorConversion.yuv(for: color)
        (luma, cb, cr) = (Float(y), Float(u) - 128, Float(v) - 128)
        let channels = [color.red, color.green, color.blue]
        let sorted = channels.sorted()
        let bound = sorted[2] - sorted[1] >= sorted[1] - sorted[0] ? sorted[2] : sorted[1]
        isStrong = (channels[0] >= bound, channels[1] >= bound, channels[2] >= bound)
    }

    /// By how much the weakest of the key's strong channels exceeds the strongest of the others in a colour, of full
    /// scale 1; luma does not matter to it.
    func excess(cb: Float, cr: Float) -> Float {
        let rgb = BT709.fromCb * cb + BT709.fromCr * cr
        var (strong, weak) = (Float.infinity, -Float.infinity)
        for (lane, isStrong) in [isStrong.0, isStrong.1, isStrong.2].enumerated() {
            if isStrong { strong = min(strong, rgb[lane]) } else { weak = max(weak, rgb[lane]) }
        }
        // A grey has no channel that is stronger than another.
        return weak.isFinite ? strong - weak : 0
    }

    /// The key's own.
    var excess: Float { excess(cb: cb, cr: cr) }
}

/// What a key makes of every pair of chroma values.
///
/// A pixel at a screen's edge is mixed of the screen and of what stands before it. How much screen is in it, the *share*,
/// is its excess of the key's channels over the others (for a green screen Vlahos' G − max(R, B)) in units of the key's
/// own: 1 for the screen itself, its shade for a shadow on it, 0 and less for greys, skin and most else. The matte is a
/// ramp over the share. Without spill the pixel is (pixel − share · key) / (1 − share), which has next to no excess.
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
        let excess = max(KeyColor.leastExcess, key.excess)
        let (similarity, softness) = (Float(parameters.similarity), Float(parameters.softness))
        let transparent = 1 - similarity
        let opaque = transparent - softness
        let spill = Float(parameters.spill)
        for u in 0..<256 {
            for v in 0..<256 {
                let (cb, cr) = (Float(u) - 128, Float(v) - 128)
                let share = key.excess(cb: cb, cr: cr) / excess
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
