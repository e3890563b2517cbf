internal import Glibc

/// What `color` makes of R′, G′ and B′, each by itself: the light's strength and colour, then the tone curve.
struct ToneResponse {
    /// Factors of R′, G′, B′ for the light's strength and colour.
    let gains: (red: Double, green: Double, blue: Double)
    private let values: ColorValues
    /// Above this value light is rolled off when there is more of it than white.
    private static let shoulder = 0.7
    /// Where contrast turns: the code of a grey card (18 %).
    private static let pivot = 0.46
    /// The display's exponent (ITU-R BT.1886), which makes factors of light out of factors of codes.
    private static let gamma = 2.4
    /// Stops by which full temperature and tint change a channel against another.
    private static let warmth = (red: 0.4, blue: -0.55)
    private static let magenta = 0.35

    init(_ values: ColorValues) {
        self.values = values
        var light = (
            red: exp2(Self.warmth.red * values.temperature), green: exp2(-Self.magenta * values.tint),
            blue: exp2(Self.warmth.blue * values.temperature)
        )
        // A white balance does not change how light grey is.
        let grey = 0.2126 * light.red + 0.7152 * light.green + 0.0722 * light.blue
        let strength = exp2(values.exposure) / grey
        light = (light.red * strength, light.green * strength, light.blue * strength)
        func code(_ light: Double) -> Double { pow(light, 1 / Self.gamma) }
        gains = (code(light.red), code(light.green), code(light.blue))
    }

    /// The response for a channel's value, of full scale 1, possibly beyond it; rises with it.
    /// - Parameter gain: the channel's.
    func value(_ input: Double, gain: Double) -> Double {
        var x = input * gain
        if gain > 1, x > Self.shoulder {
            // Reinhard's curve, which begins with slope 1 and reaches white where white itself is (Reinhard et al.,
            // Photographic Tone Reproduction for Digital Images, equation 4).
            let (t, end) = ((x - Self.shoulder) / (1 - Self.shoulder), (gain - Self.shoulder) / (1 - Self.shoulder))
            x = Self.shoulder + (1 - Self.shoulder) * t * (1 + t / (end * end)) / (1 + t)
        }
        // What lies beyond black and white, which sound video has here and there, keeps its distance.
        let inside = max(0, min(1, x))
        return tone(inside) + (x - inside)
    }

    /// For 0…1; 0 and 1 stay.
    private func tone(_ x: Double) -> Double {
        var y = x
        y += 0.9 * values.shadows * y * (1 - y) * (1 - y) * (1 - y) * (1 - y)
        y += 0.9 * values.highlights * (1 - y) * y * y * y * y
        let strength = values.contrast < 0 ? 1.2 : 1.8
        return y + strength * values.contrast * y * (1 - y) * (y - Self.pivot)
    }
}
