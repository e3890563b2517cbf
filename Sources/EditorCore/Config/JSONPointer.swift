/// A place in a JSON document, as RFC 6901 writes it: `/assetArray/0/timeRange`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    public private(set) var tokens: [String]

    public init(_ tokens: [String] = []) { self.tokens = tokens }

    public var isRoot: Bool { tokens.isEmpty }

    public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens + [key]) }
    public func appending(_ index: Int) -> JSONPointer { JSONPointer(tokens + [String(index)]) }

    /// What messages call the value: its key, with its number when it stands in a list, as in `assetArray[2]`.
    public var name: String {
        guard let last = tokens.last else { return "the config" }
        guard Int(last) != nil, let list = tokens.last(where: { Int($0) == nil }) else { return last }
        return "\(list)[\(last)]"
    }

    public var description: String {
        tokens.map { token in
            var escaped = ""
            for character in token {
                switch character {
                case "~": escaped += "~0"
                case "/": escaped += "~1"
                default: escaped.append(character)
                }
            }
            return "/" + escaped
        }.joined()
    }
}
