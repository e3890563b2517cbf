internal import EditorCore
internal import EditorKit
internal import EditorTestSupport

/// `effects check`: the contract of effects, over any effect.
enum EffectCheck {
    /// - Parameter words: ids of effects, names of modules, or files; a module stands for all its effects.
    /// - Returns: whether all keep the contract.
    static func run(_ words: [String], _ invocation: Invocation) throws -> Bool {
        let effects = try words.flatMap { try descriptors($0, invocation) }
        var isWell = true
        let isTable = !invocation.wantsJSON
        let width = effects.map(\.id.count).max() ?? 0
        var results: [JSONValue] = []
        for effect in effects {
            let failures = EffectContract.failures(of: effect)
            isWell = isWell && failures.isEmpty
            let words = failures.map { $0.hasPrefix("\(effect.id): ") ? String($0.dropFirst(effect.id.count + 2)) : $0 }
            results.append([
                "id": .string(effect.id), "kind": .string(effect.kind.rawValue),
                "origin": .string(effect.origin.rawValue),
                "ordered": .bool(effect.isOrdered), "failures": .array(words.map { .string($0) }),
                "trouble": effect.trouble.map { .string($0) } ?? .null,
            ])
            guard isTable else { continue }
            func column(_ text: String, _ width: Int) -> String {
                text + String(repeating: " ", count: max(0, width - text.count))
            }
            let verdict = failures.isEmpty ? "ok" : words[0] + (words.count > 1 ? " (and \(words.count - 1) more)" : "")
            let notes = [effect.isOrdered ? "remembers frames" : nil, effect.trouble].compactMap { $0 }
            invocation.terminal.print(
                "\(column(effect.id, width))  \(column(effect.kind.rawValue, 10))  \(verdict)"
                    + (notes.isEmpty ? "" : " [\(notes.joined(separator: "; "))]"))
        }
        if !isTable { invocation.terminal.print(JSONValue.array(results).text(indent: 2)) }
        return isWell
    }

    private static func descriptors(_ word: String, _ invocation: Invocation) throws -> [EffectDescriptor] {
        if word.contains("/") || word.hasSuffix(".so") { return try ForeignModules.effects(inFile: word) }
        let registry = try invocation.wholeRegistry()
        if let effect = registry[word] { return [effect] }
        let ofModule = registry.descriptors.filter { $0.module == word }
        guard !ofModule.isEmpty else {
            let known = registry.descriptors.map(\.id) + registry.modules
            throw EditorError(
                .usage, "there is no effect or module \"\(word)\"; \(Suggestion.hint(for: word, in: known))")
        }
        return ofModule
    }
}
