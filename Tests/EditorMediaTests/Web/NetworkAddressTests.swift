import Foundation
import Testing

@testable import EditorMedia

@Suite struct NetworkAddressTests {
    /// From the registries of special-purpose addresses of IANA: first and last of each block, and what lies beside them.
    @Test(arguments: [
        ("0.0.0.0", false), ("0.255.255.255", false), ("1.0.0.0", true), ("9.255.255.255", true), ("10.0.0.0", false),
        ("10.255.255.255", false), ("11.0.0.0", true), ("100.63.255.255", true), ("100.64.0.0", false),
        ("100.127.255.255", false), ("100.128.0.0", true), ("126.255.255.255", true), ("127.0.0.1", false),
        ("127.255.255.255", false), ("128.0.0.0", true), ("169.253.255.255", true), ("169.254.0.0", false),
        ("169.254.169.254", false), ("169.255.0.0", true), ("172.15.255.255", true), ("172.16.0.0", false),
        ("172.31.255.255", false), ("172.32.0.0", true), ("192.0.0.1", false), ("192.0.2.1", false),
        ("192.167.255.255", true), ("192.168.0.0", false), ("192.168.255.255", false), ("192.169.0.0", true),
        ("198.17.255.255", true), ("198.18.0.0", false), ("198.19.255.255", false), ("198.20.0.0", true),
        ("198.51.100.7", false), ("203.0.113.7", false), ("223.255.255.255", true), ("224.0.0.1", false),
        ("239.255.255.255", false), ("240.0.0.1", false), ("255.255.255.255", false), ("8.8.8.8", true),
        ("::", false), ("::1", false), ("::ffff:10.0.0.1", false), ("::ffff:8.8.8.8", true), ("::8.8.8.8", false),
        ("64:ff9b::7f00:1", false), ("64:ff9b::808:808", true), ("64:ff9b:1::1", false), ("100::1", false),
        ("2001::1", false), ("2001:db8::1", false), ("2002:7f00:1::", false), ("2001:4860:4860::8888", true),
        ("2606:4700::1111", true), ("3fff:fff::1", true), ("3fff:0:1::1", false), ("fc00::1", false),
        ("fd12::1", false),
        ("fe80::1", false), ("fec0::1", false), ("ff02::1", false),
    ])
    func knowsThePublicNetwork(_ text: String, _ isPublic: Bool) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == isPublic)
    }

    @Test func readsSocketAddresses() throws {
        var v4 = sockaddr_in()
        v4.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "192.168.7.1", &v4.sin_addr)
        let first = withUnsafeBytes(of: v4) { NetworkAddress(socketAddress: $0.baseAddress!, length: $0.count) }
        #expect(first?.description == "192.168.7.1")
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "fe80::17", &v6.sin6_addr)
        let second = withUnsafeBytes(of: v6) { NetworkAddress(socketAddress: $0.baseAddress!, length: $0.count) }
        #expect(second?.description == "fe80::17")
        var unix = sockaddr_un()
        unix.sun_family = sa_family_t(AF_UNIX)
        #expect(withUnsafeBytes(of: unix) { NetworkAddress(socketAddress: $0.baseAddress!, length: $0.count) } == nil)
        #expect(NetworkAddress("localhost") == nil)
    }

    @Test func addressesAreTakenApart() {
        #expect(WebAddress("HTTPS://host/a.MP3?x=1.ogg#y")?.ending == ".mp3")
        #expect(WebAddress("http://host/a.b/song")?.ending == "")
        #expect(WebAddress("http://host/song.t%00xt")?.ending == "")
        #expect(WebAddress("http://u:p@host/a@b")?.shown == "http://host/a@b")
        #expect(WebAddress("http://host/a@b")?.shown == "http://host/a@b")
        #expect(WebAddress("ftp://host/a") == nil && WebAddress("song.mp3") == nil)
        #expect(localPath(ofFileAddress: "file:///a%20b/c%") == "/a b/c%")
        #expect(localPath(ofFileAddress: "file://localhost/a") == "/a")
        #expect(localPath(ofFileAddress: "file://elsewhere/a") == nil)
    }
}
