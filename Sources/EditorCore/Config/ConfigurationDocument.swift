/// A config's JSON before it is checked, with the name it goes by.
public struct ConfigurationDocument: Sendable, Hashable {
    /// What messages call it, such as `cfg.json`.
    public var name: String
    public private(set) var value: JSONValue

    /// Bytes that a config may have at most.
    public static let sizeLimit = 64 << 20

    public init(_ value: JSONValue, name: String) {
        self.value = value
        self.name = name
    }
}
