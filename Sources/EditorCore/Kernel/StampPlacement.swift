internal import Glibc

/// Where a picture stands on the canvas, in the precision the core draws with.
struct StampPlacement: Hashable {
    /// Canvas pixels, rounded to 1/256: finer steps cannot be seen, and a value such as 108.00000000000001 must not
    /// blur a picture that stands on whole pixels.
    let center: SIMD2<Double>
    /// Canvas pixels per picture pixel; negative values mirror.
    let scale: SIMD2<Double>
    /// Degrees clockwise, 0..<360.
    let rotation: Double

    /// Nil when nothing can be seen or a number is not finite.
    init?(_ overlay: Overlay) {
        // A sum is finite only when all its terms are.
        let sum = overlay.center.x + overlay.center.y + overlay.scale.x + overlay.scale.y + overlay.rotation
        guard sum.isFinite, abs(overlay.center.x) < 1e6, abs(overlay.center.y) < 1e6 else { return nil }
        center = (SIMD2(overlay.center.x, overlay.center.y) * 256).rounded(.toNearestOrAwayFromZero) / 256
        scale = SIMD2(overlay.scale.x, overlay.scale.y)
        // Smaller than a thousandth of a pixel for any picture that fits into memory, or absurdly large.
        guard (1e-6...1e6).contains(abs(scale.x)), (1e-6...1e6).contains(abs(scale.y)) else { return nil }
        let turn = overlay.rotation.truncatingRemainder(dividingBy: 360)
        rotation = turn < 0 ? turn + 360 : turn
    }

    /// Cosine and sine of the rotation; exact for quarter turns.
    var direction: (cos: Double, sin: Double) {
        switch rotation {
        case 0: return (1, 0)
        case 90: return (0, 1)
        case 180: return (-1, 0)
        case 270: return (0, -1)
        default:
            let angle = rotation * Double.pi / 180
            return (Glibc.cos(angle), Glibc.sin(angle))
        }
    }
}
