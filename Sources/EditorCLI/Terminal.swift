internal import EditorCore
internal import Glibc

/// Where words go: standard output carries what was asked for, standard error the talk.
struct Terminal: Sendable {
    enum Verbosity: Sendable { case quiet, normal, verbose }

    var verbosity: Verbosity
    /// Name of the config, which stands before places in it.
    var configName: String?
    /// Whether talk is one JSON object a line, for programs: `--progress json`.
    var speaksJSON = false

    /// What was asked for.
    func print(_ text: String) { Self.write(text + "\n", to: STDOUT_FILENO) }

    /// Talk.
    func say(_ text: String) { Self.write(text + "\n", to: STDERR_FILENO) }

    /// Talk for the curious, who asked for more.
    func note(_ text: @autoclosure () -> String) {
        guard verbosity == .verbose else { return }
        if speaksJSON { sayEvent(["event": "detail", "message": .string(text())]) } else { say(text()) }
    }

    /// Something that is neither a problem nor progress, and should be known all the same.
    func notice(_ text: String) {
        if speaksJSON { sayEvent(["event": "notice", "message": .string(text)]) } else { say("editor: \(text)") }
    }

    /// Talk for programs.
    func sayEvent(_ event: JSONValue) { say(event.text()) }

    /// Talk without a line's end.
    func sayRaw(_ text: String) { Self.write(text, to: STDERR_FILENO) }

    /// An error and everything that was found.
    func tell(_ error: EditorError) {
        let errors = error.findings.filter { $0.severity == .error }
        if speaksJSON {
            if errors.isEmpty { sayEvent(Self.event("error", code: error.kind.word, error.message)) }
            for finding in errors { tell(finding) }
        } else if errors.isEmpty {
            say("editor: \(error.message)")
        } else {
            for finding in errors { say("error: " + sentence(finding)) }
            if errors.count > 1 { say("\(errors.count) problems; nothing was written") }
        }
        for finding in error.findings where finding.severity == .warning { tell(finding) }
    }

    /// A warning or an error. Programs that asked for events get all of them, `--quiet` or not.
    func tell(_ finding: Finding) {
        if speaksJSON {
            return sayEvent(
                Self.event(
                    finding.severity.rawValue, code: finding.code, finding.message,
                    pointer: finding.pointer.description, hint: finding.hint))
        }
        guard verbosity != .quiet || finding.severity == .error else { return }
        say("\(finding.severity.rawValue): " + sentence(finding))
    }

    private static func event(
        _ event: String, code: String, _ message: String, pointer: String = "", hint: String? = nil
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "event": .string(event), "code": .string(code), "message": .string(message), "pointer": .string(pointer),
        ]
        if let hint { members["hint"] = .string(hint) }
        return .object(members)
    }

    private func sentence(_ finding: Finding) -> String {
        guard let configName, !finding.pointer.isRoot else { return finding.sentence }
        return "\(configName): \(finding.sentence)"
    }

    private static func write(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
