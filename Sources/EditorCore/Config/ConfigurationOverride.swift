// `--set KEY.PATH=VALUE`: one value of a document is replaced before it is checked.
extension ConfigurationDocument {
    /// Replaces one value by an assignment such as `effects.0.opacity=0.5`.
    public mutating func set(_ assignment: String, schema: JSONValue = Configuration.schema()) throws {
        guard let equals = assignment.firstIndex(of: "=") else {
            throw EditorError(.usage, "\"\(assignment)\" sets nothing (write KEY.PATH=VALUE, such as frameRate=25)")
        }
        try set(
            path: String(assignment[..<equals]), to: String(assignment[assignment.index(after: equals)...]),
            schema: schema)
    }

    /// Replaces the value at a path of keys and list numbers with dots between them.
    ///
    /// Objects and lists on the way that are missing are made; a list grows by one at its end; a clip that is a mere path
    /// becomes an object. Throws an `EditorError` when something on the way is neither.
    ///
    /// - Parameters:
    ///   - text: JSON5; what does not parse is a string, and so is what stands where `schema` takes nothing but strings.
    ///   - schema: the config's JSON Schema; with the effects' parameters in it their strings are known too.
    public mutating func set(path: String, to text: String, schema: JSONValue = Configuration.schema()) throws {
        let tokens = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !tokens.contains("") else {
            throw EditorError(.usage, "\"\(path)\" is no path of keys (write KEY.PATH=VALUE, such as frameRate=25)")
        }
        guard tokens.count <= JSON5Parser.depthLimit else {
            throw EditorError(.usage, "the path to set has more than \(JSON5Parser.depthLimit) keys")
        }
        let wanted = SchemaLookup(schema).kinds(at: tokens)
        let parsed = try Self.value(of: text, for: path, isString: wanted == ["string"])
        try Self.replace(in: &value, tokens[...], at: [], path: path, with: parsed)
    }

    private static func value(of text: String, for path: String, isString: Bool) throws -> JSONValue {
        guard let parsed = try? JSON5Parser.parse(Array(text.utf8)), let value = parsed.value else {
            return .string(text)
        }
        switch value {
        case .string, .null: return value
        default:
            if isString { return .string(text) }
            if let problem = parsed.problems.first {
                throw EditorError(.invalidData, "\(path)=\(text): \(problem.message)")
            }
            return value
        }
    }

    private static func replace(
        in place: inout JSONValue, _ tokens: ArraySlice<String>, at done: [String], path: String, with new: JSONValue
    ) throws {
        guard let token = tokens.first else {
            place = new
            return
        }
        let here = done.isEmpty ? "the config" : done.joined(separator: ".")
        switch place {
        case .null: place = Int(token) == nil ? [:] : []
        case .string(let clip) where done.first == "assetArray" && done.count == 2: place = ["path": .string(clip)]
        default: break
        }
        switch place {
        case .object(var members):
            var member = members[token] ?? .null
            try replace(in: &member, tokens.dropFirst(), at: done + [token], path: path, with: new)
            members[token] = member
            place = .object(members)
        case .array(var elements):
            guard let index = Int(token), index >= 0, index <= elements.count else {
                let allowed =
                    elements.isEmpty ? "it is empty, so 0 is the only one" : "numbers are 0 to \(elements.count)"
                throw EditorError(
                    .invalidData, "\(path): \(here) is a list and has no element \"\(token)\" (\(allowed))")
            }
            if index == elements.count { elements.append(.null) }
            try replace(in: &elements[index], tokens.dropFirst(), at: done + [token], path: path, with: new)
            place = .array(elements)
        default:
            throw EditorError(.invalidData, "\(path): \(here) is \(place.kindName) and has no \"\(token)\"")
        }
    }
}

/// Finds what a JSON Schema takes at a place.
struct SchemaLookup {
    private let root: JSONValue

    init(_ root: JSONValue) { self.root = root }

    /// The kinds of value other than null that may stand at `tokens`; empty when the schema does not know the place.
    func kinds(at tokens: [String]) -> Set<String> {
        var places = alternatives(root)
        for token in tokens {
            places = places.flatMap { place -> [JSONValue] in
                let child =
                    Int(token) == nil ? place["properties"]?[token] : place["items"] ?? place["properties"]?[token]
                return child.map(alternatives) ?? []
            }
        }
        return Set(
            places.flatMap { place -> [String] in
                switch place["type"] {
                case .string(let kind)?: [kind]
                case .array(let kinds)?: kinds.compactMap { if case .string(let kind) = $0 { kind } else { nil } }
                default: place["enum"] != nil || place["const"] != nil ? ["string"] : ["any"]
                }
            }
        ).subtracting(["null"])
    }

    /// A schema as a list of schemas without references and alternatives.
    private func alternatives(_ schema: JSONValue) -> [JSONValue] {
        if case .string(let reference)? = schema["$ref"] {
            var target = root
            for token in reference.split(separator: "/").dropFirst() { target = target[String(token)] ?? [:] }
            return target == [:] ? [] : alternatives(target)
        }
        for key in ["anyOf", "oneOf"] {
            if case .array(let choices)? = schema[key] { return choices.flatMap(alternatives) }
        }
        return [schema]
    }
}
