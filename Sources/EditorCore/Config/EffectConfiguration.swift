/// An effect as it stands in the config: an object with a `type`. Its parameters are decoded by the effect itself.
public struct EffectConfiguration: Sendable, Hashable {
    /// The effect's id.
    public var type: String
    /// The whole object, `type` included.
    public var value: JSONValue
    /// Where it stands in the config.
    public var pointer: JSONPointer

    public init(type: String, value: JSONValue, pointer: JSONPointer = JSONPointer()) {
        self.type = type
        self.value = value
        self.pointer = pointer
    }
}

extension ParameterType where Value == EffectConfiguration {
    /// An object with a `type`; nothing else in it is looked at.
    static var effect: Self {
        ParameterType(
            name: "effect", schema: ["$ref": "#/$defs/effect"],
            read: { value, pointer, reading in
                reading.readType(of: "an effect", in: value, at: pointer, example: "sticker").map {
                    EffectConfiguration(type: $0, value: value, pointer: pointer)
                }
            },
            write: { $0.value })
    }
}

extension ParameterReading {
    /// The `type` of an object that is told by its type; says what is wrong when there is none.
    mutating func readType(
        of noun: String, in value: JSONValue, at pointer: JSONPointer, example: String
    ) -> String? {
        guard case .object(let members) = value else {
            wrongType(value, at: pointer, wanted: "\(noun) such as {\"type\": \"\(example)\"}")
            return nil
        }
        guard let member = members["type"] else {
            let near = members.keys.sorted().first { Suggestion.nearest(to: $0, in: ["type"]) != nil }
            error(
                "config.missing", at: pointer, "\(noun) needs a type",
                hint: near.map { "\"\($0)\" may be meant to be \"type\"" } ?? "such as \"type\": \"\(example)\"")
            return nil
        }
        guard let type = ParameterType<String>.string.read(member, pointer.appending("type"), &self) else { return nil }
        guard !type.isEmpty else {
            error("config.choice", at: pointer.appending("type"), "type is empty", hint: "such as \"\(example)\"")
            return nil
        }
        return type
    }
}
