internal import EditorCore

/// A parsed command line: options may stand before or after the command.
struct Arguments {
    /// An option of the program.
    struct Option {
        var name: String
        /// What its value is called in the help; nil for a flag.
        var value: String?
        var help: String
        /// Commands that take it; nil is every command.
        var commands: [String]?

        init(_ name: String, _ value: String? = nil, _ help: String, for commands: [String]? = nil) {
            (self.name, self.value, self.help, self.commands) = (name, value, help, commands)
        }
    }

    private(set) var words: [String] = []
    private var values: [String: [String]] = [:]

    /// - Throws: `EditorError` `.usage` for options that are not known or lack their value.
    init(_ arguments: [String], options: [Option]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument.count > 1, Double(argument) == nil else {
                words.append(argument)
                continue
            }
            let long = ["-v": "--verbose", "-h": "--help", "-o": "--output"][argument] ?? argument
            guard long.hasPrefix("--") else {
                throw EditorError(.usage, "unknown option \(argument); see editor --help")
            }
            let parts = long.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let option = options.first(where: { $0.name == name }) else {
                let near = Suggestion.nearest(to: name, in: options.map(\.name)).map { "; did you mean --\($0)?" }
                throw EditorError(.usage, "unknown option --\(name)\(near ?? "; see editor --help")")
            }
            if option.value == nil {
                guard parts.count == 1 else { throw EditorError(.usage, "--\(name) takes no value") }
                values[name, default: []].append("")
            } else if parts.count == 2 {
                values[name, default: []].append(String(parts[1]))
            } else {
                // A value may begin with a dash only as a number or as "-" itself.
                guard let value = rest.first,
                    !value.hasPrefix("-") || value == "-" || Double(value) != nil || name == "output"
                else {
                    throw EditorError(.usage, "--\(name) needs a value: --\(name) \(option.value!)")
                }
                rest.removeFirst()
                values[name, default: []].append(value)
            }
        }
    }

    /// Whether a flag was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// An option's value; the last one counts.
    func value(_ name: String) -> String? { values[name]?.last }

    /// All values of an option that may be repeated.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// An option's whole number within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw EditorError(
                .usage,
                "--\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// An option's time: `2.5` seconds, `mm:ss.s`, `hh:mm:ss`, or `75f` frames.
    func time(_ name: String, frameRate: Rational) throws -> MediaTime? {
        try value(name).map { try Self.parseTime($0, name: "--\(name)", frameRate: frameRate) }
    }

    static func parseTime(_ text: String, name: String, frameRate: Rational) throws -> MediaTime {
        func refuse() -> EditorError {
            EditorError(.usage, "\(name) \"\(text)\" is no time; write seconds (2.5), mm:ss.s, or frames (75f)")
        }
        if text.hasSuffix("f"), let frames = Int64(text.dropLast()), frames >= 0, frames < 1 << 40 {
            return frameRate.duration(ofTicks: frames)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { throw refuse() }
        var total = MediaTime.zero
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard let number = Double(part), number >= 0, number.isFinite, isLast || number == number.rounded(),
                parts.count == 1 || index == 0 || number < 60, let time = MediaTime(decimal: number)
            else { throw refuse() }
            total = total * Rational(60) + time
        }
        return total
    }
}
