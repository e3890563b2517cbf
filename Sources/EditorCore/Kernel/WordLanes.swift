// Steps of loops on 16-bit lanes. Each is one or two instructions per eight lanes when a loop is vectorised.

/// The upper 16 bits of a signed product.
@inlinable
@inline(__always)
package func highProduct(_ a: Int16, _ b: Int16) -> Int16 {
    Int16(truncatingIfNeeded: (Int32(a) &* Int32(b)) &>> 16)
}

/// The nearest byte.
@inlinable
@inline(__always)
package func clamped(_ value: Int16) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value))) }
