/// A struct whose stored properties are read from a JSON object. Each property is declared once in `specs`; from that
/// line come decoding, range errors, keyframes, help, the schema and the reference page.
///
/// `init()` gives every property its default.
public protocol ParameterSet: Sendable {
    init()
    static var specs: [ParameterSpec<Self>] { get }

    /// Looks at the values together once all are read, for what no single parameter can know; `given` holds the keys
    /// that stand in the JSON with a value other than null. Most sets need none.
    func check(given: Set<String>, at pointer: JSONPointer, into reading: inout ParameterReading)
}

extension ParameterSet {
    public func check(given: Set<String>, at pointer: JSONPointer, into reading: inout ParameterReading) {}
}

/// One parameter of a `ParameterSet`.
public struct ParameterSpec<Root: Sendable>: Sendable {
    public let summary: ParameterSummary
    let read: @Sendable (JSONValue, JSONPointer, inout Root, inout ParameterReading) -> Void
    let write: @Sendable (Root) -> JSONValue

    public var name: String { summary.name }

    /// - Parameters:
    ///   - required: whether the key must be there.
    ///   - unit: the unit of the number, such as `seconds` or `degrees`.
    ///   - help: one sentence for the reference: what the parameter does, and what its ends mean.
    public init<Value: Sendable>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ type: ParameterType<Value>,
        required: Bool = false, unit: String? = nil, help: String
    ) where Root: ParameterSet {
        summary = ParameterSummary(
            name: name, type: type.name, range: type.range, isAnimatable: type.isAnimatable, unit: unit,
            // Not `nil`, which would be JSON's null here.
            defaultValue: required ? Optional.none : type.write(Root()[keyPath: keyPath]), help: help,
            schema: type.schema)
        read = { value, pointer, root, reading in
            if let read = type.read(value, pointer, &reading) { root[keyPath: keyPath] = read }
        }
        write = { type.write($0[keyPath: keyPath]) }
    }

    /// The same parameter for a set that holds the parameter's own set at `keyPath`, among its own parameters: several
    /// effects share a group of parameters this way. The default is what `Root` puts there.
    public init<Group: ParameterSet>(
        _ spec: ParameterSpec<Group>, at keyPath: any WritableKeyPath<Root, Group> & Sendable
    ) where Root: ParameterSet {
        var summary = spec.summary
        if summary.defaultValue != nil { summary.defaultValue = spec.write(Root()[keyPath: keyPath]) }
        self.summary = summary
        read = { value, pointer, root, reading in spec.read(value, pointer, &root[keyPath: keyPath], &reading) }
        write = { spec.write($0[keyPath: keyPath]) }
    }
}

/// What people and programs are told about a parameter.
public struct ParameterSummary: Sendable {
    public var name: String
    public var type: String
    public var range: String?
    /// Whether keyframes may stand in place of the value.
    public var isAnimatable: Bool
    public var unit: String?
    /// nil when the parameter must be given.
    public var defaultValue: JSONValue?
    public var help: String
    public var schema: JSONValue

    /// - Parameter defaultValue: nil when it must be given.
    package init(
        name: String, type: String, range: String?, isAnimatable: Bool, unit: String?, defaultValue: JSONValue?,
        help: String, schema: JSONValue
    ) {
        (self.name, self.type, self.range, self.isAnimatable) = (name, type, range, isAnimatable)
        (self.unit, self.defaultValue, self.help, self.schema) = (unit, defaultValue, help, schema)
    }
}

extension ParameterSet {
    /// Reads an object: unknown keys and wrong values become findings, and the properties in question keep their
    /// defaults. Returns nil when `value` is not an object. Keys named in `ignoring` are somebody else's; `specs` may
    /// stand in for the type's own, for a set whose choices differ from place to place.
    public static func read(
        _ value: JSONValue, at pointer: JSONPointer, ignoring: [String] = [], specs: [ParameterSpec<Self>] = Self.specs,
        into reading: inout ParameterReading
    ) -> Self? {
        guard case .object(let members) = value else {
            reading.wrongType(value, at: pointer, wanted: "an object")
            return nil
        }
        var result = Self()
        for spec in specs {
            if let member = members[spec.name] {
                spec.read(member, pointer.appending(spec.name), &result, &reading)
            } else if spec.summary.defaultValue == nil {
                reading.error("config.missing", at: pointer, "\(spec.name) is missing")
            }
        }
        let known = specs.map(\.name) + ignoring
        for key in members.keys.sorted() where !known.contains(key) {
            reading.error(
                "config.unknownKey", at: pointer.appending(key), "unknown key \"\(key)\"",
                hint: Suggestion.hint(for: key, in: known))
        }
        let given = Set(members.filter { $0.value != .null }.keys)
        result.check(given: given, at: pointer, into: &reading)
        return result
    }

    /// The JSON Schema of the object; `adding` gives further properties.
    public static func schema(adding more: [String: JSONValue] = [:]) -> JSONValue {
        ParameterSummary.objectSchema(of: specs.map(\.summary), adding: more)
    }
}

extension ParameterSummary {
    /// The JSON Schema of an object with these parameters.
    public static func objectSchema(of summaries: [ParameterSummary], adding more: [String: JSONValue] = [:])
        -> JSONValue
    {
        var properties = more
        for summary in summaries {
            guard case .object(var schema) = summary.schema else { continue }
            schema["description"] = .string(summary.help + (summary.unit.map { " In \($0)." } ?? ""))
            if let value = summary.defaultValue { schema["default"] = value }
            properties[summary.name] = .object(schema)
        }
        var result: [String: JSONValue] = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = summaries.filter { $0.defaultValue == nil }.map { JSONValue.string($0.name) }
        if !required.isEmpty { result["required"] = .array(required) }
        return .object(result)
    }
}
