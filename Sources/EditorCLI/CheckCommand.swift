internal import EditorCore
internal import EditorKit

/// `check`: every problem of a config at once.
enum CheckCommand {
    static let command = Command(
        name: "check", usage: "", summary: "validate the config: every problem at once, with its place and a hint",
        details: """
            Reads the config, looks into every file it names, and makes every effect once. Nothing is rendered.

            examples:
              editor --config cfg.json check
              editor --config cfg.json check --json --strict
            """
    ) { invocation in
        try invocation.expectNoWords()
        let terminal = invocation.terminal
        do {
            let composition = try invocation.composition(requiresClips: false, isCancellable: true)
            for clip in composition.configuration.assetArray { terminal.note("clip \(clip.name)") }
            for effect in composition.configuration.effectiveEffects {
                terminal.note("effect \(effect.type) at \(effect.pointer)")
            }
            let findings = try composition.check(
                try invocation.options(for: composition), cancellation: Process.cancellation)
            if invocation.wantsJSON {
                terminal.print(JSONValue.array(findings.map(json)).text(indent: 2))
            } else {
                for finding in findings { terminal.tell(finding) }
                if terminal.verbosity != .quiet { terminal.say(findings.isEmpty ? "no problems" : "no errors") }
            }
            return ExitCode.done
        } catch let error as EditorError where invocation.wantsJSON && !error.findings.isEmpty {
            terminal.print(JSONValue.array(error.findings.map(json)).text(indent: 2))
            return ExitCode.code(for: error.kind)
        }
    }

    static func json(_ finding: Finding) -> JSONValue {
        [
            "severity": .string(finding.severity.rawValue), "code": .string(finding.code),
            "pointer": .string(finding.pointer.description), "message": .string(finding.message),
            "hint": finding.hint.map { .string($0) } ?? .null,
        ]
    }
}
