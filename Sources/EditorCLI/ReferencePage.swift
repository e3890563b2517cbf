internal import EditorCore

/// The reference in Markdown, made from the declarations of the parameters themselves.
enum ReferencePage: String, CaseIterable {
    case config, effects

    func text(_ registry: EffectRegistry) -> String {
        switch self {
        case .config: Self.configText
        case .effects: Self.effectsText(registry)
        }
    }

    private static func heading(_ title: String, _ page: ReferencePage, _ words: String) -> [String] {
        [
            "# \(title)", "", "<!-- Written by `editor schema --markdown \(page.rawValue)`; do not edit. -->", "",
            words, "",
        ]
    }

    private static var configText: String {
        var lines = heading(
            "The config", .config,
            "JSON; comments and trailing commas are allowed. All keys but `assetArray` may be left out. Paths are relative to "
                + "the config's folder, positions are fractions of the canvas with `[0, 0]` top left.")
        lines += ["## Keys", ""] + entries(Configuration.specs.map(\.summary))
        lines += [
            "", "## A transition", "", "Further keys are those of its type, which [effects](effects.md) lists.", "",
        ]
        lines.append("- **`type`** – word, required. Which transition it is.")
        lines += entries(TransitionConfiguration.timing)
        return lines.joined(separator: "\n")
    }

    private static func effectsText(_ registry: EffectRegistry) -> String {
        var lines = heading(
            "Effects", .effects,
            "An effect is an object with a `type` in `effects` of the config, over the whole movie, or of a clip, on that clip "
                + "alone. A transition is the `transition` of the clip that it leads out of.")
        for (number, effect) in registry.descriptors.enumerated() {
            if number > 0 { lines.append("") }
            lines += [
                "## \(effect.id)", "", "\(effect.summary) Kind: \(effect.kind.rawValue). Module: `\(effect.module)`.",
                "",
            ]
            lines += entries(effect.parameters)
            lines += ["", "```json", EffectsCommand.example(effect).text(), "```"]
        }
        return lines.joined(separator: "\n")
    }

    private static func entries(_ parameters: [ParameterSummary]) -> [String] {
        parameters.flatMap { parameter -> [String] in
            var facts = [parameter.type]
            if let range = parameter.range { facts.append(range) }
            if let unit = parameter.unit { facts.append("in \(unit)") }
            if parameter.isAnimatable { facts.append("or keyframes") }
            facts.append(parameter.defaultValue.map { "default `\($0.text())`" } ?? "required")
            let line = "- **`\(parameter.name)`** – \(facts.joined(separator: ", ")). \(parameter.help)"
            return [line + words(parameter.schema)] + members(of: parameter.schema).map { "  " + $0 }
        }
    }

    /// The words that a value may be.
    private static func words(_ schema: JSONValue) -> String {
        guard case .array(let choices)? = schema["enum"] else { return "" }
        return " One of " + choices.map { "`\($0.text())`" }.joined(separator: ", ") + "."
    }

    /// A line for each key of an object that a value may be, or that the elements of a list are.
    private static func members(of schema: JSONValue) -> [String] {
        guard let object = object(in: schema), case .object(let properties)? = object["properties"] else { return [] }
        var required: [JSONValue] = []
        if case .array(let names)? = object["required"] { required = names }
        return properties.sorted { $0.key < $1.key }.flatMap { name, schema -> [String] in
            var line = "- `\(name)`"
            if case .string(let text)? = schema["description"] { line += " – \(text)" }
            line += words(schema)
            if let value = schema["default"], value != .null { line += " Default `\(value.text())`." }
            if required.contains(.string(name)) { line += " Required." }
            return [line] + members(of: schema).map { "  " + $0 }
        }
    }

    /// The first object with keys of its own in a schema, keyframes left aside: they are the same everywhere.
    private static func object(in schema: JSONValue) -> JSONValue? {
        if case .object(let properties)? = schema["properties"] {
            return properties.keys.contains("easing") && properties.keys.contains("value") ? nil : schema
        }
        if let items = schema["items"], let found = object(in: items) { return found }
        guard case .array(let choices)? = schema["anyOf"] else { return nil }
        return choices.lazy.compactMap { object(in: $0) }.first
    }
}
