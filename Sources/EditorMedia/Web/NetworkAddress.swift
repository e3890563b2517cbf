internal import Glibc

/// An address of the Internet Protocol, and whether it belongs to the public network.
struct NetworkAddress: Equatable, CustomStringConvertible {
    /// 4 or 16 bytes, most significant first.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameters:
    ///   - socketAddress: a `sockaddr_in` or `sockaddr_in6`.
    ///   - length: its bytes.
    /// nil for other families.
    init?(socketAddress: UnsafeRawPointer, length: Int) {
        switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
            bytes = withUnsafeBytes(of: address.sin_addr) { Array($0) }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self)
            bytes = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
        default: return nil
        }
    }

    /// From its text, such as `10.0.0.1` or `fe80::1`.
    init?(_ text: String) {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Whether it is reached over the public network: not this machine, not a private or local network, not a group of
    /// receivers, not reserved (IANA's special-purpose registries). Addresses that carry an IPv4 address inside are
    /// judged by that one; tunnels to unknown places are not public.
    var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublic(v4: bytes) }
        // IPv4-mapped, and NAT64's well-known prefix.
        let zeros = bytes[..<10].allSatisfy { $0 == 0 }
        if zeros, bytes[10] == 0xff, bytes[11] == 0xff { return Self.isPublic(v4: Array(bytes[12...])) }
        if bytes.starts(with: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return Self.isPublic(v4: Array(bytes[12...]))
        }
        // Only 2000::/3 is given out for the public network; in it lie Teredo, documentation, and 6to4.
        guard bytes[0] & 0xe0 == 0x20 else { return false }
        let special: [[UInt8]] = [
            [0x20, 0x01, 0x00, 0x00], [0x20, 0x01, 0x0d, 0xb8], [0x20, 0x02], [0x3f, 0xff, 0x00],
        ]
        return !special.contains { bytes.starts(with: $0) }
    }

    private static func isPublic(v4 bytes: [UInt8]) -> Bool {
        let special: [(UInt32, Int)] = [
            (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
            (0xac10_0000, 12), (0xc000_0000, 24), (0xc000_0200, 24), (0xc058_6300, 24), (0xc0a8_0000, 16),
            (0xc612_0000, 15), (0xc633_6400, 24), (0xcb00_7100, 24), (0xe000_0000, 4), (0xf000_0000, 4),
        ]
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !special.contains { network, length in (address ^ network) >> UInt32(32 - length) == 0 }
    }

    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes {
            inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
