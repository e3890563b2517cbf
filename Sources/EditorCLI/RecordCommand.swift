internal import EditorCapture
internal import EditorCore
internal import EditorKit
internal import EditorRecording
internal import Glibc

/// `record`: segments from camera and microphone, merged at the end.
enum RecordCommand {
    static let command = Command(
        name: "record", usage: "[--resume [SESSION] | --list | --photo FILE]",
        summary: "record segments from camera and microphone, and merge them",
        details: """
            Keys: space begins and pauses a segment, d deletes the last one, D all, f flips to the other camera, t torch,
            c counts down, + and - zoom, e and p lock exposure and focus, 0 1 2 are speed 0.5, 1 and 2, return merges, q
            leaves and keeps the session. Where there is a display, a window shows the camera under the config's effects,
            which are not recorded, and takes the same keys; o lets the last segment's end show through (--no-window goes
            without). Where standard input is no terminal, lines say the same: start [SECONDS], pause, delete-last,
            delete-all, flip, torch on|off|auto, flash on|off|auto, zoom 2.0, countdown 3, focus lock|auto, exposure
            lock|auto, stabilisation on|off, speed 2, photo FILE, wait [SECONDS], finish, quit.

            Without --config everything has its default. The movie's path is printed when it is merged.

            examples:
              editor --config cfg.json record --output movie.mp4
              printf 'start 3\\nwait\\nflip\\nstart 2\\nwait\\nfinish\\n' | editor record --output movie.mp4
              editor record --list
              editor record --resume
              editor record --photo me.jpg --device "Front"
            """
    ) { invocation in
        let store = RecordedComposition.sessionStore
        if invocation.arguments.has("list") {
            try invocation.expectNoWords()
            list(store, invocation)
            return ExitCode.done
        }
        var record: SessionRecord?
        if invocation.arguments.has("resume") {
            guard invocation.words.count <= 1 else { throw EditorError(.usage, "--resume takes one session") }
            record = try store.load(invocation.words.first)
        } else {
            try invocation.expectNoWords()
        }
        let base = try base(invocation, record)
        var options = Composition.Options()
        try invocation.setWeb(of: &options)
        var settings = try RecordedComposition.settings(
            base.configuration, baseDirectory: base.folder, options: options)
        settings.configPath = base.path
        try apply(invocation.arguments, to: &settings)
        if record?.limit != nil { record?.limit = settings.limit }

        let style = try RunCommand.progressStyle(invocation)
        let reporter = RecordingReporter(
            style, terminal: invocation.terminal, configuration: base.configuration)
        for finding in base.findings { reporter.report(.finding(finding)) }
        if record != nil { for finding in store.recover(&record!) { reporter.report(.finding(finding)) } }
        Process.cancelOnSignals()

        if let path = invocation.arguments.value("photo") {
            return try takePhoto(path, settings, store, invocation, reporter)
        }
        let window =
            invocation.arguments.has("no-window")
            ? nil : RecordingWindow.open(base.configuration) { reporter.report(.finding($0)) }
        let (console, session, outcome) = try run(
            settings, store, resuming: record, window, reporter
        ) { [options] session, cancellation, warn in
            try live(base, session, invocation.registry, options, cancellation, warn: warn)
        }
        reporter.end()
        let recorded = session.record
        if outcome != .finished, recorded.segments.isEmpty { unlink(store.path(of: recorded.id)) }
        switch outcome {
        case .interrupted:
            throw EditorError(
                .cancelled,
                recorded.segments.isEmpty
                    ? "cancelled" : "cancelled; the session is kept: editor record --resume \(recorded.id)")
        case .left:
            if console.wantsToFinish, let failure = reporter.lastFailure { throw failure }
            if !recorded.segments.isEmpty, invocation.terminal.verbosity != .quiet, style != .json {
                invocation.terminal.say("the session is kept: editor record --resume \(recorded.id)")
            }
            if invocation.wantsJSON { invocation.terminal.print(recorded.json.text(indent: 2)) }
            return ExitCode.done
        case .finished: return try merge(recorded, base, store, invocation, style)
        }
    }

    /// The config that a session works with.
    private struct Base: Sendable {
        var configuration = Configuration()
        var value: JSONValue = [:]
        var path: String?
        var findings: [Finding] = []

        /// What its relative paths are relative to.
        var folder: String { path.map(Composition.folder) ?? "." }
    }

    private static func base(_ invocation: Invocation, _ record: SessionRecord?) throws -> Base {
        var base = Base()
        if let path = invocation.arguments.value("config") ?? record?.configPath {
            guard path != "-" else {
                throw EditorError(.usage, "record reads its commands from standard input; give the config as a file")
            }
            base.path = absolute(path)
            base.value = try ConfigurationDocument(contentsOf: path).value
        }
        var document = ConfigurationDocument(base.value, name: base.path ?? "the command line")
        let assignments = invocation.arguments.all("set")
        if !assignments.isEmpty {
            let schema = ConfigurationSchema.schema(registry: invocation.registry)
            for assignment in assignments { try document.set(assignment, schema: schema) }
        }
        base.value = document.value
        let read = Configuration.read(document, requiresClips: false)
        if let error = EditorError(read.findings) { throw error }
        (base.configuration, base.findings) = (read.configuration, read.findings)
        return base
    }

    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func apply(_ arguments: Arguments, to settings: inout RecordingSettings) throws {
        settings.device = arguments.value("device")
        if let text = arguments.value("size") {
            let sides = text.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ (16...16384).contains($0) }) else {
                throw EditorError(.usage, "--size \"\(text)\" must be a width and a height, such as 1280x720")
            }
            settings.wish.size = PixelSize(width: sides[0], height: sides[1])
        }
        if let text = arguments.value("rate") {
            guard let rate = Rational(text) ?? Double(text).flatMap({ Rational(decimal: $0) }), rate.numerator > 0,
                rate.doubleValue <= 1000
            else { throw EditorError(.usage, "--rate \"\(text)\" must be pictures a second, such as 30 or 30000/1001") }
            settings.wish.rate = rate
        }
        if let text = arguments.value("camera-format") {
            guard let format = CameraPixelFormat(rawValue: text) else {
                let known = CameraPixelFormat.allCases.map(\.rawValue)
                throw EditorError(.usage, "--camera-format \"\(text)\" is none of \(known.joined(separator: ", "))")
            }
            settings.wish.pixelFormat = format
        }
        if let name = arguments.value("microphone") { settings.microphone = name == "none" ? nil : name }
        if let name = arguments.value("speaker") { settings.speaker = name == "none" ? nil : name }
    }

    /// Runs a session until it is over.
    /// - Parameter live: makes what the window shows; its second argument is raised when nothing is shown any more, the third takes what
    ///   should be known.
    private static func run(
        _ settings: RecordingSettings, _ store: SessionStore, resuming record: SessionRecord?,
        _ window: RecordingWindow?, _ reporter: RecordingReporter,
        live: @escaping @Sendable (SessionRecord, Cancellation, (Finding) -> Void) throws -> LiveComposition
    ) throws -> (RecordingConsole, RecordingSession, RecordingOutcome) {
        let board = window?.board
        let session = try RecordingSession(
            settings, store: store, resuming: record, preview: (window?.newest).map { newest in { newest.put($0) } }
        ) {
            reporter.report($0)
            board?.take($0)
        }
        let console = try RecordingConsole(session, reporter, board: board)
        defer { console.close() }
        if let window {
            let record = session.record
            let isOver = Cancellation()
            let composer = try LiveComposer(session, newest: window.newest, board: window.board) {
                try live(record, isOver) { finding in
                    reporter.report(.finding(finding))
                    board?.take(.finding(finding))
                }
            }
            defer {
                isOver.cancel()
                composer.stop()
            }
            window.run(session, composer, press: console.send)
            // At once: what is being fetched for the window may take its time to give up.
            if Process.cancellation.isCancelled { session.interrupt() }
        }
        return (console, session, wait(for: session))
    }

    /// The camera under the config's effects, or as it is when those cannot be made.
    private static func live(
        _ base: Base, _ record: SessionRecord, _ registry: EffectRegistry, _ options: Composition.Options,
        _ cancellation: Cancellation, warn: (Finding) -> Void
    ) throws -> LiveComposition {
        do {
            return try LiveComposition(
                base.value, baseDirectory: base.folder, registry: registry, record: record, options: options,
                cancellation: cancellation)
        } catch let error as EditorError {
            warn(
                Finding(
                    .warning, code: "window.effects", "the effects cannot be shown while recording: \(error.message)"))
            var plain: [String: JSONValue] = [:]
            for key in ["renderSize", "videoGravity"] { plain[key] = base.value[key] }
            return try LiveComposition(.object(plain), baseDirectory: base.folder, registry: registry, record: record)
        }
    }

    /// The main thread's part while the session runs on its own.
    private static func wait(for session: RecordingSession) -> RecordingOutcome {
        while !session.hasEnded {
            if Process.cancellation.isCancelled {
                session.interrupt()
                break
            }
            usleep(20_000)
        }
        return session.waitUntilEnded()
    }

    private static func takePhoto(
        _ path: String, _ settings: RecordingSettings, _ store: SessionStore, _ invocation: Invocation,
        _ reporter: RecordingReporter
    ) throws -> Int32 {
        var settings = settings
        settings.microphone = nil
        let word = invocation.arguments.value("flash") ?? "off"
        guard let flash = RecordingCommand.LightMode(rawValue: word) else {
            throw EditorError(.usage, "--flash \"\(word)\" is none of off, on, auto")
        }
        let session = try RecordingSession(settings, store: store, report: reporter.report)
        for command in [RecordingCommand.flash(flash), .photo(path), .wait(nil), .quit] { session.send(command) }
        let outcome = wait(for: session)
        reporter.end()
        unlink(store.path(of: session.record.id))
        if outcome == .interrupted { throw EditorError.cancelled }
        if let failure = reporter.lastFailure { throw failure }
        invocation.terminal.print(path)
        return ExitCode.done
    }

    private static func merge(
        _ record: SessionRecord, _ base: Base, _ store: SessionStore, _ invocation: Invocation,
        _ style: ProgressReporter.Style
    ) throws -> Int32 {
        let (path, document) = try RecordedComposition.write(record, over: base.value, store: store)
        let composition = Composition(
            document, baseDirectory: Composition.folder(of: path), registry: invocation.registry, requiresClips: false)
        let progress = ProgressReporter(
            style, terminal: invocation.terminal, color: base.configuration.progressColor)
        do {
            let result = try composition.render(
                try invocation.options(for: composition), cancellation: Process.cancellation, report: progress.report)
            return try RunCommand.deliver(result, of: composition, invocation)
        } catch let error as EditorError {
            var error = error
            error.message +=
                "; the session is kept: editor record --resume \(record.id), or editor --config \(path) run"
            throw error
        }
    }

    private static func list(_ store: SessionStore, _ invocation: Invocation) {
        let sessions = store.list()
        if invocation.wantsJSON {
            return invocation.terminal.print(JSONValue.array(sessions.map(\.json)).text(indent: 2))
        }
        for session in sessions {
            let limit = session.limit.map { " of \($0)" } ?? ""
            invocation.terminal.print(
                "\(session.id)  \(session.state.rawValue)  \(session.segments.count) segments, \(session.duration)\(limit) s"
                    + (session.configPath.map { "  \($0)" } ?? ""))
        }
        if sessions.isEmpty { invocation.terminal.notice("no sessions in \(store.folder)") }
    }
}
