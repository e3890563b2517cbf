/// Mixes rows of one plane. Weights count 0…256: 0 is the first picture alone, 256 the second alone, to the byte.
enum RowBlend {
    /// The weight for a share of 0…1, which is clamped.
    static func weight(_ share: Double) -> UInt16 { UInt16((min(max(share, 0), 1) * 256).rounded()) }

    /// `(a · (256 − w) + b · w) / 256`, rounded to nearest. Sixteen bits are enough: 255 · 256 + 128 < 65536.
    @inline(__always)
    static func mix(_ a: UInt8, _ b: UInt8, _ weight: UInt16) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt16(a) &* (256 &- weight) &+ UInt16(b) &* weight &+ 128) &>> 8)
    }

    /// `out` may be `a` or `b`.
    static func mix(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, weight: UInt16, into out: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        for i in 0..<count { out[i] = mix(a[i], b[i], weight) }
    }

    /// A weight of its own for every sample.
    static func mix(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, weights: UnsafePointer<UInt16>,
        into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for i in 0..<count { out[i] = mix(a[i], b[i], weights[i]) }
    }

    /// Towards one value.
    static func mix(
        _ a: UnsafePointer<UInt8>, value: UInt8, weight: UInt16, into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let added = UInt16(value) &* weight &+ 128
        for i in 0..<count { out[i] = UInt8(truncatingIfNeeded: (UInt16(a[i]) &* (256 &- weight) &+ added) &>> 8) }
    }
}
