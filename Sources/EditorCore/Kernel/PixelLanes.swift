/// Conversions of four lanes at once between bytes and floats.
///
/// The standard library's conversions of vectors go lane by lane through a checked generic; these use the mantissa of
/// 2²³, whose unit is 1.
enum PixelLanes {
    @inline(__always) private static var shift: Float { 8_388_608 }

    /// The smaller of each pair; `pointwiseMin` is not inlined.
    @inline(__always)
    static func min(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a.replacing(with: b, where: b .< a) }

    /// The larger of each pair.
    @inline(__always)
    static func max(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a.replacing(with: b, where: b .> a) }

    /// Exact.
    @inline(__always)
    static func float(_ bytes: SIMD4<UInt8>) -> SIMD4<Float> {
        let bits = SIMD4<UInt32>(truncatingIfNeeded: bytes) | SIMD4(repeating: shift.bitPattern)
        return unsafeBitCast(bits, to: SIMD4<Float>.self) - shift
    }

    /// Rounds to nearest; lanes lie within 0…255.
    @inline(__always)
    static func bytes(_ values: SIMD4<Float>) -> SIMD4<UInt8> {
        SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(values + shift, to: SIMD4<UInt32>.self))
    }
}
