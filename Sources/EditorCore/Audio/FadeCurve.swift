internal import Glibc

/// How loudness moves through a fade.
public enum FadeCurve: String, Sendable, CaseIterable {
    /// The gain is the fraction. Two linear fades sum to 1: right for crossing a sound with itself.
    case linear
    /// The gain is sin(π/2 · fraction). The squares of two such fades sum to 1: right for crossing unlike sounds.
    case equalPower

    /// The gain of a fade from silence at `fraction` 0 to full level at 1; fractions outside are clamped.
    public func gain(at fraction: Double) -> Double {
        let t = min(max(fraction, 0), 1)
        return switch self {
        case .linear: t
        case .equalPower: t == 1 ? 1 : sin(t * .pi / 2)
        }
    }
}

/// Levels in decibels.
public enum Decibels {
    /// The factor for amplitudes: 0 dB is 1, -6.02 dB is one half.
    public static func gain(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// The decibels of a factor for amplitudes above 0.
    public static func level(_ gain: Double) -> Double { 20 * log10(gain) }
}
