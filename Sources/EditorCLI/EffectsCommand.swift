internal import EditorCore
internal import EditorKit

/// `effects`: what effects there are, and how they are used.
enum EffectsCommand {
    static let command = Command(
        name: "effects", usage: "list | info ID | new NAME | build DIR | check NAME…",
        summary: "list the effects, explain one, or make and check a module of one's own",
        details: """
            Beside the editor's own effects there are those of frei0r and LADSPA plugins in their standard folders (or
            FREI0R_PATH and LADSPA_PATH), and of Swift modules in ./effects, the folders of EDITOR_EFFECTS_PATH, and
            $XDG_DATA_HOME/editor/effects. check takes ids, modules, and files.

            examples:
              editor effects list
              editor effects info sticker
              editor effects new Glow --kind video
              editor effects build Glow
              editor effects check glow
            """
    ) { invocation in
        let words = invocation.words
        switch words.first {
        case "list" where words.count == 1: try list(invocation)
        case "info":
            guard words.count == 2 else {
                throw EditorError(.usage, "effects info needs one id: editor effects info sticker")
            }
            try info(words[1], invocation)
        case "new":
            guard words.count == 2 else {
                throw EditorError(.usage, "effects new needs one name: editor effects new Glow")
            }
            let kind = invocation.arguments.value("kind") ?? "video"
            guard let kind = EffectKind(rawValue: kind) else {
                throw EditorError(.usage, "--kind \"\(kind)\" is none of video, overlay, audio, transition")
            }
            let paths = try ModuleSkeleton(name: words[1], kind: kind).write()
            invocation.print(.array(paths.map { .string($0) }), words: paths.joined(separator: "\n"))
        case "build":
            guard words.count == 2 else {
                throw EditorError(.usage, "effects build needs one folder: editor effects build Glow")
            }
            let output = invocation.arguments.value("output") ?? "effects"
            let paths = try ModuleBuilder(folder: words[1]).build(into: output)
            invocation.print(.array(paths.map { .string($0) }), words: paths.joined(separator: "\n"))
        case "check":
            guard words.count >= 2 else {
                throw EditorError(.usage, "effects check needs a name or a file: editor effects check frei0r.glow")
            }
            let isWell = try EffectCheck.run(Array(words.dropFirst()), invocation)
            return isWell ? ExitCode.done : ExitCode.code(for: .unavailable)
        case let word?:
            let known = ["list", "info", "new", "build", "check"]
            throw EditorError(.usage, "unknown \"effects \(word)\"; \(Suggestion.hint(for: word, in: known))")
        case nil: throw EditorError(.usage, "effects needs a word: list, info ID, new NAME, build DIR, check NAME")
        }
        return ExitCode.done
    }

    private static func list(_ invocation: Invocation) throws {
        let effects = try invocation.wholeRegistry().descriptors
        if invocation.wantsJSON {
            invocation.terminal.print(
                JSONValue.array(
                    effects.map {
                        [
                            "id": .string($0.id), "kind": .string($0.kind.rawValue), "module": .string($0.module),
                            "origin": .string($0.origin.rawValue), "file": $0.file.map { .string($0) } ?? .null,
                            "trouble": $0.trouble.map { .string($0) } ?? .null,
                            "version": .number(Double($0.version)), "summary": .string($0.summary),
                        ]
                    }
                ).text(indent: 2))
            return
        }
        let rows = effects.map { effect in
            [
                effect.id, effect.kind.rawValue, effect.module, effect.origin.rawValue,
                (effect.trouble.map { "[\($0)] " } ?? "") + effect.summary,
            ]
        }
        invocation.terminal.print(table([["id", "kind", "module", "origin", "summary"]] + rows))
    }

    /// Columns padded to their widest cell; the last one runs free.
    private static func table(_ rows: [[String]]) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func info(_ id: String, _ invocation: Invocation) throws {
        let registry = invocation.registry[id] == nil ? try invocation.wholeRegistry() : invocation.registry
        guard let effect = registry[id] else {
            let known = registry.descriptors.map(\.id)
            throw EditorError(.usage, "there is no effect \"\(id)\"; \(Suggestion.hint(for: id, in: known))")
        }
        if invocation.wantsJSON {
            invocation.terminal.print(json(effect).text(indent: 2))
            return
        }
        var lines = [
            "\(effect.id): \(effect.summary)",
            "kind \(effect.kind.rawValue), module \(effect.module) (\(effect.origin.rawValue)), version \(effect.version)",
        ]
        if let file = effect.file { lines.append("file \(file)") }
        if effect.isOrdered { lines.append("remembers earlier frames; begins anew with each span of the movie") }
        if let trouble = effect.trouble { lines.append("known trouble: \(trouble)") }
        lines.append("")
        for parameter in effect.parameters {
            var facts = [parameter.type]
            if let range = parameter.range { facts.append(range) }
            if let unit = parameter.unit { facts.append(unit) }
            if parameter.isAnimatable { facts.append("keyframes") }
            facts.append(parameter.defaultValue.map { "default \($0.text())" } ?? "required")
            lines.append("  \(parameter.name)  (\(facts.joined(separator: ", ")))")
            lines.append("      \(parameter.help)")
        }
        lines += ["", "example:", "  " + example(effect).text()]
        invocation.terminal.print(lines.joined(separator: "\n"))
    }

    /// A config entry that shows the effect off.
    static func example(_ effect: EffectDescriptor) -> JSONValue {
        guard case .object(var members) = effect.example else { return ["type": .string(effect.id)] }
        members["type"] = .string(effect.id)
        return .object(members)
    }

    private static func json(_ effect: EffectDescriptor) -> JSONValue {
        [
            "id": .string(effect.id), "kind": .string(effect.kind.rawValue), "module": .string(effect.module),
            "origin": .string(effect.origin.rawValue), "file": effect.file.map { .string($0) } ?? .null,
            "ordered": .bool(effect.isOrdered), "trouble": effect.trouble.map { .string($0) } ?? .null,
            "version": .number(Double(effect.version)), "summary": .string(effect.summary),
            "parameters": .array(
                effect.parameters.map { parameter in
                    [
                        "name": .string(parameter.name), "type": .string(parameter.type),
                        "range": parameter.range.map { .string($0) } ?? .null,
                        "unit": parameter.unit.map { .string($0) } ?? .null,
                        "keyframes": .bool(parameter.isAnimatable), "required": .bool(parameter.defaultValue == nil),
                        "default": parameter.defaultValue ?? .null, "help": .string(parameter.help),
                    ]
                }),
            "example": example(effect), "schema": effect.schema,
        ]
    }
}
