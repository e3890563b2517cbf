public import EditorCore
internal import EditorKit

/// The command line as a library: a program of one's own with further modules is one call.
///
/// ```swift
/// EditorCommand.main(modules: [GlowModule.self])
/// ```
public enum EditorCommand {
    /// Runs the process' command line and exits with its code.
    public static func main(modules: [any EffectModule.Type] = []) -> Never {
        if let code = ForeignWorker.runIfAsked(Array(CommandLine.arguments.dropFirst())) { Process.exit(code) }
        Process.exit(run(Array(CommandLine.arguments.dropFirst()), modules: modules))
    }

    /// Runs one command line.
    /// - Parameter modules: effect modules beside the built-in ones.
    /// - Returns: the exit code.
    public static func run(_ arguments: [String], modules: [any EffectModule.Type] = []) -> Int32 {
        Process.ignoreWriteSignals()
        Libraries.shapeMemory()
        var terminal = Terminal(verbosity: .normal)
        do {
            let parsed = try Arguments(arguments, options: Help.options)
            if parsed.has("quiet") { terminal.verbosity = .quiet }
            if parsed.has("verbose") { terminal.verbosity = .verbose }
            terminal.configName = parsed.value("config")
            terminal.speaksJSON = parsed.value("progress") == ProgressReporter.Style.json.rawValue
            if parsed.has("version") {
                terminal.print(Version.line)
                return ExitCode.done
            }
            let name = parsed.words.first
            if parsed.has("help") || name == "help" {
                terminal.print(try Help.text(for: name == "help" ? parsed.words.dropFirst().first : name))
                return ExitCode.done
            }
            guard let name else {
                terminal.say(Help.overview)
                return ExitCode.usage
            }
            guard let command = commands.first(where: { $0.name == name }) else {
                let known = commands.map(\.name)
                throw EditorError(.usage, "unknown command \"\(name)\"; \(Suggestion.hint(for: name, in: known))")
            }
            for option in Help.options where parsed.has(option.name) {
                if let takers = option.commands, !takers.contains(name) {
                    throw EditorError(
                        .usage,
                        "--\(option.name) does not go with \(name); it belongs to \(takers.joined(separator: ", "))")
                }
            }
            let invocation = Invocation(
                arguments: parsed, words: Array(parsed.words.dropFirst()), terminal: terminal,
                registry: try EffectRegistry.standard(adding: modules))
            terminal.note(Version.line)
            return try command.run(invocation)
        } catch let error as EditorError {
            terminal.tell(error)
            return ExitCode.code(for: error.kind)
        } catch {
            terminal.tell(EditorError(.internalBug, "internal error: \(error)"))
            return ExitCode.internalBug
        }
    }

    static let commands: [Command] = [
        RunCommand.command, CheckCommand.command, PlanCommand.command, PreviewCommand.command, FrameCommand.command,
        ThumbnailsCommand.command, RenderAudioCommand.command, WaveformCommand.command,
        RecordCommand.command,
        ProbeCommand.command, BeatsCommand.command, MusicCommand.command, InitCommand.command,
        SchemaCommand.command, EffectsCommand.command, DoctorCommand.command,
        CacheCommand.command,
    ]
}

/// One word of the command line and what it does.
struct Command: Sendable {
    var name: String
    /// What follows the name.
    var usage: String
    var summary: String
    /// Further help: paragraphs and examples.
    var details: String
    /// - Returns: the exit code.
    var run: @Sendable (Invocation) throws -> Int32
}

/// What a command is given.
struct Invocation {
    var arguments: Arguments
    /// The words after the command's name.
    var words: [String]
    var terminal: Terminal
    /// The effects of this program.
    var registry: EffectRegistry

    /// Those of foreign files too.
    func wholeRegistry() throws -> EffectRegistry {
        try registry.addingForeign { terminal.notice($0) }
    }

    /// The config, with `--set` applied.
    /// - Parameter isCancellable: whether SIGINT and SIGTERM raise `Process.cancellation` from here on.
    func composition(requiresClips: Bool = true, isCancellable: Bool = false) throws -> Composition {
        guard let path = arguments.value("config") else {
            throw EditorError(
                .usage, "name a config: editor --config cfg.json …; editor init CLIP… prints one to start with")
        }
        var document = try ConfigurationDocument(contentsOf: path)
        let assignments = arguments.all("set")
        if !assignments.isEmpty {
            let schema = ConfigurationSchema.schema(
                registry: try registry.adding(neededBy: document, baseDirectory: Composition.folder(of: path)))
            for assignment in assignments { try document.set(assignment, schema: schema) }
        }
        // Only now: reading a config from a terminal is interrupted as usual.
        if isCancellable { Process.cancelOnSignals() }
        let folder = Composition.folder(of: path)
        terminal.note("config \(path), paths relative to \(folder)")
        for assignment in assignments { terminal.note("  set \(assignment)") }
        return Composition(document, baseDirectory: folder, registry: registry, requiresClips: requiresClips)
    }

    /// What the options say about a render.
    func options(for composition: Composition) throws -> Composition.Options {
        let rate = composition.configuration.frameRate
        var options = Composition.Options()
        options.output = arguments.value("output")
        options.overwrites = arguments.has("overwrite")
        options.from = try arguments.time("from", frameRate: rate)
        options.to = try arguments.time("to", frameRate: rate)
        if let from = options.from, let to = options.to, from >= to {
            throw EditorError(.usage, "--from \(from) must lie before --to \(to)")
        }
        options.isDraft = arguments.has("draft")
        options.jobs = try arguments.integer("jobs", in: 1...256)
        options.usesCache = !arguments.has("no-cache")
        options.isStrict = arguments.has("strict")
        // `run` tells of downloads in the manner of its progress.
        try setWeb(of: &options, isTold: arguments.words.first != "run")
        return options
    }

    /// Puts in what the options say about files on the web.
    /// - Parameter isTold: whether downloads are told of on standard error.
    func setWeb(of options: inout Composition.Options, isTold: Bool = true) throws {
        var access = options.web
        access.isOffline = arguments.has("offline")
        access.allowsPrivateAddresses = arguments.has("allow-private-addresses")
        if let seconds = try arguments.integer("download-timeout", in: 1...86_400) {
            access.timeout = Double(seconds)
            access.stallTimeout = min(access.stallTimeout, access.timeout)
        }
        if let megabytes = try arguments.integer("download-limit", in: 1...100_000) {
            access.sizeLimit = megabytes << 20
        }
        options.web = access
        let terminal = terminal
        guard isTold, terminal.verbosity != .quiet else { return }
        options.onDownload = { download in
            if terminal.speaksJSON {
                terminal.sayEvent(ProgressReporter.json(download))
            } else if let words = ProgressReporter.words(download) {
                terminal.say(words)
            }
        }
    }

    /// Refuses words that a command has no use for.
    func expectNoWords() throws {
        if let word = words.first { throw EditorError(.usage, "unexpected \"\(word)\"; see editor --help") }
    }

    var wantsJSON: Bool { arguments.has("json") }

    /// Prints a result: as JSON if that was asked for, else as words.
    func print(_ json: @autoclosure () throws -> JSONValue, words: @autoclosure () -> String) rethrows {
        terminal.print(wantsJSON ? try json().text(indent: 2) : words())
    }
}
