/// The config's JSON Schema.
public enum ConfigurationSchema {
    /// A JSON Schema (2020-12) of the whole config: its own keys, and the parameters of every effect and transition that
    /// is registered.
    public static func schema(registry: EffectRegistry) -> JSONValue {
        guard case .object(var root) = Configuration.schema() else { return [:] }
        root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        root["title"] = "editor config"
        root["$defs"] = [
            "effect": choice(
                of: EffectKind.allCases.filter { $0 != .transition }.flatMap(registry.descriptors(of:)), adding: []),
            "transition": choice(
                of: registry.descriptors(of: .transition), adding: TransitionConfiguration.Timing.specs.map(\.summary)),
        ]
        return .object(root)
    }

    /// One of several effects, told apart by their `type`. Nothing is allowed when there is none.
    private static func choice(of descriptors: [EffectDescriptor], adding more: [ParameterSummary]) -> JSONValue {
        guard !descriptors.isEmpty else { return ["not": [:]] }
        return [
            "oneOf": .array(
                descriptors.map { descriptor in
                    let own = descriptor.parameters
                    let common = more.filter { summary in !own.contains { $0.name == summary.name } }
                    guard
                        case .object(var schema) = ParameterSummary.objectSchema(
                            of: own + common, adding: ["type": ["const": .string(descriptor.id)]])
                    else { return [:] }
                    schema["title"] = .string(descriptor.id)
                    schema["description"] = .string(descriptor.summary)
                    var required: [JSONValue] = ["type"]
                    if case .array(let names)? = schema["required"] { required += names }
                    schema["required"] = .array(required)
                    return .object(schema)
                })
        ]
    }
}
