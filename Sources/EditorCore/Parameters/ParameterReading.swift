/// What reading JSON into parameters collects besides the values: every problem, and every file that is named.
public struct ParameterReading: Sendable {
    public private(set) var findings: [Finding] = []
    /// The files that parameters name, in reading order.
    public private(set) var assets: [AssetReference] = []

    public init() {}

    public mutating func error(_ code: String, at pointer: JSONPointer, _ message: String, hint: String? = nil) {
        findings.append(Finding(.error, code: code, at: pointer, message, hint: hint))
    }

    public mutating func warning(_ code: String, at pointer: JSONPointer, _ message: String, hint: String? = nil) {
        findings.append(Finding(.warning, code: code, at: pointer, message, hint: hint))
    }

    /// Adds what somebody else found.
    package mutating func add(_ finding: Finding) { findings.append(finding) }

    public mutating func note(_ asset: AssetReference) { assets.append(asset) }

    /// Reports a value that is not of the kind that is wanted there.
    public mutating func wrongType(_ value: JSONValue, at pointer: JSONPointer, wanted: String) {
        error("config.type", at: pointer, "\(pointer.name) must be \(wanted), not \(value.kindName)")
    }
}

/// A file that a parameter names: a path as it stands in the config, what it should hold, and where it stands.
public struct AssetReference: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case image, audio, captions, font, data
    }

    /// Relative paths are relative to the config's folder.
    public var path: String
    public var kind: Kind
    public var pointer: JSONPointer

    public init(path: String, kind: Kind, pointer: JSONPointer = JSONPointer()) {
        self.path = path
        self.kind = kind
        self.pointer = pointer
    }
}
