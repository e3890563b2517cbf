/// How files on the web may be fetched.
public struct WebAccess: Sendable {
    /// Whether nothing is fetched: only what the cache holds is used.
    public var isOffline = false
    /// Whether this machine, private and link-local networks may be asked, and proxies that the environment names be
    /// used. Configs come from strangers; such an address could make the editor a way into one's own network.
    public var allowsPrivateAddresses = false
    /// Seconds that a whole download may take.
    public var timeout = 300.0
    /// Seconds without a byte after which a download is given up.
    public var stallTimeout = 30.0
    /// Bytes that a file may have.
    public var sizeLimit = 200 << 20
    /// How often a server may send on to another address.
    public var redirectLimit = 5
    /// How often a download that breaks off is taken up again.
    public var retries = 2

    public init() {}
}
