internal import EditorCore
internal import Glibc

/// Where words go: standard output carries what was asked for, standard error the talk.
struct Terminal: Sendable {
    enum Verbosity: Sendable { case quiet, normal, verbose }

    var verbosity: Verbosity
    /// Name of the config, which stands before places in it.
    var configName: String?

    /// What was asked for.
    func print(_ text: String) { Self.write(text + "\n", to: STDOUT_FILENO) }

    /// Talk.
    func say(_ text: String) { Self.write(text + "\n", to: STDERR_FILENO) }

    /// Talk for the curious, who asked for more.
    func note(_ text: @autoclosure () -> String) { if verbosity == .verbose { say(text()) } }

    /// Talk without a line's end.
    func sayRaw(_ text: String) { Self.write(text, to: STDERR_FILENO) }

    /// An error and everything that was found.
    func tell(_ error: EditorError) {
        let errors = error.findings.filter { $0.severity == .error }
        if errors.isEmpty {
            say("editor: \(error.message)")
        } else {
            for finding in errors { say("error: " + sentence(finding)) }
            if errors.count > 1 { say("\(errors.count) problems; nothing was written") }
        }
        if verbosity != .quiet {
            for finding in error.findings where finding.severity == .warning { tell(finding) }
        }
    }

    func tell(_ finding: Finding) {
        guard verbosity != .quiet || finding.severity == .error else { return }
        say("\(finding.severity.rawValue): " + sentence(finding))
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
