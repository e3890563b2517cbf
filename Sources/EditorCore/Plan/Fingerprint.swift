/// A 128-bit name for whatever a rendered span depends on. Equal names are taken for equal spans.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    public let value: UInt128

    /// FNV-1a in 128 bits over the UTF-8 bytes (draft-eastlake-fnv-21, section 5): quick, and far from colliding by
    /// accident; nobody gains by making it collide.
    public init(_ text: String) {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in text.utf8 {
            hash ^= UInt128(byte)
            hash = hash &* 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        value = hash
    }

    /// 32 hexadecimal digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
