/// Tells whole files from torn ones.
enum Checksum {
    /// FNV-1a over eight bytes at a time: it has to notice torn writes, and to be quick.
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { raw in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            var i = 0
            while i + 8 <= raw.count {
                hash =
                    (hash ^ UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: i, as: UInt64.self)))
                    &* 0x0000_0100_0000_01b3
                hash ^= hash >> 29
                i += 8
            }
            while i < raw.count {
                hash = (hash ^ UInt64(raw[i])) &* 0x0000_0100_0000_01b3
                i += 1
            }
            return hash
        }
    }
}
