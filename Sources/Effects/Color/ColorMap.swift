/// A change of colour that looks at one pixel alone: R′G′B′ of full scale 1 in, the same out.
protocol ColorMap: Sendable {
    /// Both sides lie within 0…1; the fourth lane is free.
    func color(_ rgb: SIMD4<Float>) -> SIMD4<Float>
}
