internal import Glibc

/// How a value moves between two keyframes. The curves are Robert Penner's easing equations.
public enum Easing: String, Sendable, Hashable, CaseIterable {
    case linear, hold
    case easeIn, easeOut, easeInOut
    case easeInCubic, easeOutCubic, easeInOutCubic
    case easeInBack, easeOutBack
    case easeOutElastic, easeOutBounce

    /// The eased fraction for a linear one in 0…1; 0 gives 0 and 1 gives 1.
    public func value(at t: Double) -> Double {
        switch self {
        case .linear: return t
        case .hold: return t < 1 ? 0 : 1
        case .easeIn: return t * t
        case .easeOut: return 1 - (1 - t) * (1 - t)
        case .easeInOut: return t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)
        case .easeInCubic: return t * t * t
        case .easeOutCubic: return 1 - (1 - t) * (1 - t) * (1 - t)
        case .easeInOutCubic:
            let u = 1 - t
            return t < 0.5 ? 4 * t * t * t : 1 - 4 * u * u * u
        case .easeInBack: return Self.back(t)
        case .easeOutBack: return 1 - Self.back(1 - t)
        case .easeOutElastic:
            guard t > 0, t < 1 else { return t }
            return exponential(-10 * t) * sine((t * 10 - 0.75) * 2 / 3) + 1
        case .easeOutBounce: return Self.bounce(t)
        }
    }

    /// Penner's overshoot of about ten percent.
    private static func back(_ t: Double) -> Double {
        let s = 1.70158
        return t * t * ((s + 1) * t - s)
    }

    private static func bounce(_ t: Double) -> Double {
        let (n, d) = (7.5625, 2.75)
        switch t {
        case ..<(1 / d): return n * t * t
        case ..<(2 / d): return n * (t - 1.5 / d) * (t - 1.5 / d) + 0.75
        case ..<(2.5 / d): return n * (t - 2.25 / d) * (t - 2.25 / d) + 0.9375
        default: return n * (t - 2.625 / d) * (t - 2.625 / d) + 0.984375
        }
    }

    private func exponential(_ power: Double) -> Double { exp2(power) }
    private func sine(_ turns: Double) -> Double { sin(turns * .pi) }
}
