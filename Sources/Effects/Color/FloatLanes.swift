/// Steps of loops over colours in floats that the standard library does lane by lane, or checked.
enum FloatLanes {
    /// Every lane within 0…1.
    @inline(__always)
    static func clamped(_ a: SIMD4<Float>) -> SIMD4<Float> {
        let low = a.replacing(with: 0, where: a .< 0)
        return low.replacing(with: 1, where: low .> 1)
    }

    /// The nearest bytes.
    @inline(__always)
    static func bytes(_ values: SIMD4<Float>) -> SIMD4<UInt8> {
        let low = values.replacing(with: 0, where: values .< 0)
        let inside = low.replacing(with: 255, where: low .> 255)
        // The mantissa of 2²³ counts in ones.
        return SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(inside + 8_388_608, to: SIMD4<UInt32>.self))
    }

    /// The nearest byte of a value within ±2²²: adding 1.5 · 2²³ leaves it in the low bits.
    @inline(__always)
    static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: max(0, min(255, Int32(bitPattern: (value + 12_582_912).bitPattern) &- 0x4B40_0000)))
    }
}
