/// One curve for each channel, as a 1D look-up table holds them, read linearly.
struct ColorRamp: ColorMap {
    /// At least two colours; each lane is that channel's curve.
    private let entries: [SIMD4<Float>]
    private let scale: SIMD4<Float>
    private let shift: SIMD4<Float>
    /// Whether results stay within 0…1; what another table reads may go beyond.
    private let isClamped: Bool

    /// - Parameters:
    ///   - low, high: the values of the first and the last entry; `high` is above `low` in every lane but the fourth.
    ///   - isClamped: false for a table in front of another, whose domain may be wider than 0…1.
    init(
        entries: [SIMD4<Float>], low: SIMD4<Float> = .zero, high: SIMD4<Float> = SIMD4(repeating: 1),
        isClamped: Bool = true
    ) {
        precondition(entries.count >= 2, "a curve has two ends")
        self.entries = entries
        self.isClamped = isClamped
        let span = SIMD4(high.x - low.x, high.y - low.y, high.z - low.z, 1)
        scale = Float(entries.count - 1) / span
        shift = -low * scale
    }

    func color(_ rgb: SIMD4<Float>) -> SIMD4<Float> {
        let last = Float(entries.count - 1)
        var place = rgb * scale + shift
        place = place.replacing(with: 0, where: place .< 0)
        place = place.replacing(with: last, where: place .> last)
        var result = SIMD4<Float>.zero
        for lane in 0..<3 {
            let index = min(Int(place[lane]), entries.count - 2)
            let fraction = place[lane] - Float(index)
            result[lane] = entries[index][lane] * (1 - fraction) + entries[index + 1][lane] * fraction
        }
        return isClamped ? FloatLanes.clamped(result) : result
    }
}
