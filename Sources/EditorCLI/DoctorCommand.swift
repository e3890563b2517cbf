internal import EditorCore
internal import EditorKit

/// `doctor`: whether everything is there that the editor needs.
enum DoctorCommand {
    static let command = Command(
        name: "doctor", usage: "",
        summary: "check codecs, fonts, cache, disk, cameras and microphones: one line each, with the fix",
        details: """
            Exits with 69 when something is missing that every movie needs.
            """
    ) { invocation in
        try invocation.expectNoWords()
        let results = Doctor.examine()
        if invocation.wantsJSON {
            invocation.terminal.print(
                JSONValue.array(
                    results.map {
                        [
                            "subject": .string($0.subject), "verdict": .string($0.verdict.rawValue),
                            "message": .string($0.message), "fix": $0.fix.map { .string($0) } ?? .null,
                        ]
                    }
                ).text(indent: 2))
        } else {
            for result in results {
                let verdict = result.verdict.rawValue
                let padding = String(repeating: " ", count: 5 - verdict.count)
                invocation.terminal.print(
                    "\(verdict)\(padding)\(result.subject): \(result.message)" + (result.fix.map { " - \($0)" } ?? ""))
            }
        }
        return results.contains { $0.verdict == .fail } ? ExitCode.code(for: .unavailable) : ExitCode.done
    }
}

/// `cache`: the rendered spans and pictures that are kept.
enum CacheCommand {
    static let command = Command(
        name: "cache", usage: "list | clear",
        summary: "list or clear the cache of rendered spans and pictures, and of files from the web",
        details: """
            The cache keeps to its size by itself, least recently used out first. Clearing it costs nothing but time
            (and, for music from the web, a download).
            """
    ) { invocation in
        guard invocation.words.count == 1 else { throw EditorError(.usage, "cache needs one word: list or clear") }
        switch invocation.words[0] {
        case "list":
            let entries = SpanCache.entries() + PictureCache.entries()
            if invocation.wantsJSON {
                invocation.terminal.print(
                    JSONValue.array(
                        entries.map {
                            [
                                "name": .string($0.name), "bytes": .number(Double($0.bytes)),
                                "lastUse": .number($0.lastUse),
                            ]
                        }
                    ).text(indent: 2))
            } else {
                for entry in entries { invocation.terminal.print("\(entry.name)  \(entry.bytes) bytes") }
                invocation.terminal.print(
                    "\(entries.count) entries, \(entries.reduce(0) { $0 + $1.bytes } >> 10) KiB in \(SpanCache.folder) and \(PictureCache.folder)"
                )
            }
        case "clear":
            let count = SpanCache.entries().count + PictureCache.entries().count
            let freed = SpanCache.clear() + PictureCache.clear()
            if invocation.wantsJSON {
                invocation.terminal.print(
                    (["removed": .number(Double(count)), "freedBytes": .number(Double(freed))] as JSONValue)
                        .text(indent: 2))
            } else if invocation.terminal.verbosity != .quiet {
                invocation.terminal.say("freed \(freed >> 10) KiB")
            }
        case let word:
            throw EditorError(.usage, "unknown \"cache \(word)\"; \(Suggestion.hint(for: word, in: ["list", "clear"]))")
        }
        return ExitCode.done
    }
}
