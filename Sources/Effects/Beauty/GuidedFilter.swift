/// The local line fits of the fast guided filter (He & Sun 2015, arXiv:1505.00996), with the picture as its own guide:
/// in every window the result is `slope` · luma + `offset`.
///
/// Three departures. The slope is v² / (v² + e²) of the window's variance v instead of v / (v + e), which is flat on skin
/// and close to 1 on features, where the original loses a third of their contrast. The variance is taken relative to
/// the window's light, since light and shade multiply what skin reflects: lips on dark skin stand out by fewer levels
/// than on light skin. And windows are weighted when they are averaged: the flatter, the more, so that less grain is
/// left beside edges.
struct GuidedFilter {
    /// Variance that divides what is evened out from what is kept, in levels squared.
    let epsilon: Float
    private let squaredEpsilon: Float

    /// - Parameter strength: 0…1.
    init(strength: Double) {
        // Blotches of skin deviate by 3 to 6 levels, the rims of lips by 12 and more.
        let deviation = 6 + 5.5 * strength
        epsilon = Float(deviation * deviation)
        squaredEpsilon = epsilon * epsilon
    }

    /// The fit of a window.
    /// - Parameters:
    ///   - mean: mean luma minus 128.
    ///   - square: mean of the squares of the same.
    @inline(__always)
    func fit(mean: Float, square: Float) -> (weight: Float, slope: Float, offset: Float) {
        let light = max(0.33, min(1.1, (mean + 112) * (1 / 140)))
        let variance = max(0, square - mean * mean)
        let squared = variance * variance
        let slope = squared / (squared + squaredEpsilon * (light * light) * (light * light))
        let weight = Self.leastWeight + (1 - slope) * (1 - Self.leastWeight)
        return (weight, slope, mean * (1 - slope))
    }

    /// What a window across the strongest edge counts.
    static let leastWeight: Float = 0.2
}
