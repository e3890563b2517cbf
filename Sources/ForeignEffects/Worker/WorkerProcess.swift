internal import CForeign
internal import EditorCore
internal import Glibc
internal import Synchronization

/// What a worker may use.
struct WorkerLimits: Sendable {
    /// Seconds that one answer may take.
    var seconds = 10.0
    /// MiB beyond what a worker needs by itself.
    var mebibytes = 1024
}

/// A process of its own that runs foreign code: this executable, started with a hidden argument. Belongs to one thread.
///
/// It shares one piece of memory with the editor and a socket, has no network, starts no programs, and ends when the
/// editor does.
final class WorkerProcess {
    private let channel: WorkerChannel
    private let process: pid_t
    private let limits: WorkerLimits
    /// What the worker writes to its standard output and error goes here, to be quoted when it dies.
    private let log: Int32
    private var hasEnded = false

    /// Starting takes longer than an answer: libraries are looked up and loaded.
    private static let patienceAtStart = 60.0

    /// - Parameter memory: what the worker shall share; nil for nothing.
    /// - Throws: `EditorError` when no process can be started.
    init(sharing memory: SharedPictures?, limits: WorkerLimits) throws {
        self.limits = limits
        let program = try WorkerProgram.path()
        var ends: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) {
            socketpair(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0,
                $0.baseAddress!.assumingMemoryBound(to: Int32.self))
        }
        guard made == 0 else { throw Self.failed("socketpair", errno) }
        log = editor_memory_file("editor-effect-log")
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer {
            close(ends.1)
            close(nothing)
        }
        // The worker finds the socket as 3 and the memory as 4. Both are moved out of the way first, so that moving one
        // to its place does not close the other.
        let high = (fcntl(ends.1, F_DUPFD_CLOEXEC, 16), fcntl(memory?.file ?? nothing, F_DUPFD_CLOEXEC, 16))
        defer {
            close(high.0)
            close(high.1)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let output = log >= 0 ? log : nothing
        for (from, to) in [(nothing, 0), (output, 1), (output, 2), (high.0, 3), (high.1, 4)] {
            posix_spawn_file_actions_adddup2(&actions, from, Int32(to))
        }
        editor_close_from(&actions, 5)
        let shared = memory.map { SharedPictures.fileSize($0.sizes) } ?? 0
        let arguments = [
            "editor", EffectWorker.argument, String(limits.mebibytes), String(shared),
        ]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = Self.environment.map { strdup($0) } + [nil]
        defer { for word in words + settings { free(word) } }
        var process = pid_t()
        let result = posix_spawn(&process, program, &actions, nil, &words, &settings)
        self.process = process
        channel = WorkerChannel(socket: ends.0)
        guard result == 0 else {
            hasEnded = true
            throw Self.failed(program, result)
        }
        var payload: [UInt8] = []
        do throws(WorkerChannel.Trouble) {
            guard try channel.receive(into: &payload, within: Self.patienceAtStart) == .ready else {
                throw .garbage
            }
        } catch {
            throw EditorError(
                .unavailable,
                "\(program) cannot run effects in a process of their own: the worker \(end(after: error))")
        }
    }

    /// Ours without what would make the Swift runtime print when it crashes.
    private static var environment: [String] {
        var result: [String] = ["SWIFT_BACKTRACE=enable=no"]
        var entry = environ
        while let text = entry.pointee {
            let setting = String(cString: text)
            if !setting.hasPrefix("SWIFT_BACKTRACE=") { result.append(setting) }
            entry += 1
        }
        return result
    }

    private static func failed(_ what: String, _ code: Int32) -> EditorError {
        EditorError(
            .unavailable,
            "no process for an effect can be started (\(what)): \(String(cString: strerror(code)))")
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        if log >= 0 { close(log) }
    }

    /// Asks and waits for the answer, which replaces `answer`.
    /// - Parameter seconds: in place of the limit.
    /// - Throws: `ModuleFailure` when the worker dies, takes too long, sends garbage or says that it failed.
    func call(
        _ message: WorkerMessage, _ payload: [UInt8], answer: inout [UInt8], within seconds: Double? = nil
    ) throws {
        guard !hasEnded else { throw ModuleFailure("has ended before") }
        let kind: WorkerMessage
        do throws(WorkerChannel.Trouble) {
            try channel.send(message, payload)
            kind = try channel.receive(into: &answer, within: seconds ?? limits.seconds)
        } catch {
            throw ModuleFailure(end(after: error))
        }
        switch kind {
        case .done: return
        case .failed: throw ModuleFailure(String(decoding: answer, as: UTF8.self))
        default: throw ModuleFailure(end(after: .garbage))
        }
    }

    /// Ends the worker and says what became of it.
    private func end(after trouble: WorkerChannel.Trouble) -> String {
        guard !hasEnded else { return "has ended before" }
        // A closed socket comes a moment before the end of the process.
        var status: Int32 = 0
        var gone = false
        if case .closed = trouble {
            for _ in 0..<200 where !gone {
                gone = waitpid(process, &status, WNOHANG) == process
                if !gone { usleep(5000) }
            }
        }
        if !gone {
            kill(process, SIGKILL)
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        hasEnded = true
        switch trouble {
        case .timedOut: return "gave no answer within \(JSONValue.number(limits.seconds).text()) s and was stopped"
        case .garbage: return "sent garbage and was stopped"
        case .closed:
            let signal = status & 0x7f
            let how =
                signal == 0
                ? "ended its process with status \(status >> 8 & 0xff)"
                : "crashed with signal \(signal) (\(Self.names[signal] ?? String(cString: strsignal(signal))))"
            return how + (lastWords.map { ", saying \"\($0)\"," } ?? "")
        }
    }

    private static let names: [Int32: String] = [
        SIGSEGV: "it used memory that is not its own", SIGBUS: "it used memory that is not its own",
        SIGABRT: "it gave up", SIGILL: "a failed check", SIGTRAP: "a failed check", SIGFPE: "a division by zero",
        SIGKILL: "it was killed", SIGSYS: "a forbidden call",
    ]

    /// The last line that the worker wrote.
    private var lastWords: String? {
        guard log >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let size = lseek(log, 0, SEEK_END)
        let count = pread(log, &bytes, bytes.count, max(0, size - bytes.count))
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last.map { String($0.prefix(200).filter { !$0.isNewline && $0 != "\"" }) }
    }
}

/// Which executable the workers are.
enum WorkerProgram {
    /// Set when this program has shown that it knows the hidden argument.
    private static let isSelf = Atomic<Bool>(false)

    static func useThisProgram() { isSelf.store(true, ordering: .relaxed) }

    /// - Throws: `EditorError` when there is none.
    static func path() throws -> String {
        if let named = getenv("EDITOR_WORKER") { return String(cString: named) }
        if isSelf.load(ordering: .relaxed) { return "/proc/self/exe" }
        for folder in (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":") {
            let path = "\(folder)/editor"
            if access(path, X_OK) == 0 { return path }
        }
        throw EditorError(
            .unavailable,
            "effects from foreign files run in a worker process, which this program does not offer: call EffectWorker.runIfAsked() first thing in it, set EDITOR_WORKER to the editor's path, or switch \"isolate\" off"
        )
    }
}
