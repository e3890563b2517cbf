/// The local line fits of the fast guided filter (He & Sun 2015, arXiv:1505.00996), with the picture as its own guide:
/// in every window the result is `slope` · luma + `offset`.
///
/// Four departures. The variance is that about the window's shading: what a ramp across the window adds is taken off,
/// or a cheek that turns away from the light would count as a feature and keep its pores. The slope is v² / (v² + e²) of
/// that variance v instead of v / (v + e), which is flat on skin and close to 1 on features, where the original loses a
/// third of their contrast. The variance is taken relative to the window's light, since light and shade multiply what
/// skin reflects: lips on dark skin stand out by fewer levels than on light skin. And windows are weighted when they are
/// averaged: the flatter, the more, so that less grain is left beside edges.
struct GuidedFilter {
    /// Variance that divides what is evened out from what is kept, in levels squared.
    let epsilon: Float
    private let squaredEpsilon: Float
    /// Variance over a window of a ramp that rises by one level from cell to cell.
    private let rampVariance: Float

    /// - Parameters:
    ///   - strength: 0…1.
    ///   - radius: of the windows, in cells.
    init(strength: Double, radius: Int) {
        // Blotches of skin deviate by 3 to 6 levels, the rims of lips by 12 and more.
        let deviation = 6.5 + 6 * strength
        epsilon = Float(deviation * deviation)
        squaredEpsilon = epsilon * epsilon
        // The mean of the squares of -r…r.
        rampVariance = Float(radius * (radius + 1)) / 3
    }

    /// The fit of a window, and its variance about its shading in full light.
    /// - Parameters:
    ///   - mean: mean luma minus 128.
    ///   - square: mean of the squares of the same.
    ///   - across, down: what the means of the windows one cell further exceed those one cell back by. For a ramp that
    ///     is exact; of the variance of a step in the window's middle it takes a third, where a least-squares plane would
    ///     take three quarters: so that ramps count as shading, and steps, which are features, do not.
    @inline(__always)
    func fit(
        mean: Float, square: Float, across: Float, down: Float
    ) -> (weight: Float, slope: Float, offset: Float, variance: Float) {
        let light = max(0.33, min(1.1, (mean + 112) * (1 / 140)))
        let shading = (across * across + down * down) * (0.25 * rampVariance)
        let variance = max(0, square - mean * mean - shading) / (light * light)
        let squared = variance * variance
        let slope = squared / (squared + squaredEpsilon)
        let weight = Self.leastWeight + (1 - slope) * (1 - Self.leastWeight)
        return (weight, slope, mean * (1 - slope), variance)
    }

    /// What a window across the strongest edge counts.
    static let leastWeight: Float = 0.2
}
