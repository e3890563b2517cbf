internal import EditorCore
internal import Glibc
internal import Synchronization

/// The process: signals, exit, other programs.
enum Process {
    /// Raised by SIGINT and SIGTERM.
    static let cancellation = Cancellation()

    /// Lets SIGINT and SIGTERM cancel instead of kill; the second one kills.
    static func cancelOnSignals() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in Process.cancellation.cancel() }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
        // Whoever started this process may have left them blocked, as thread pools do.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// A file that may not grow, or a reader that went away, is an error of the call and not the end of the process.
    static func ignoreWriteSignals() {
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
    }

    static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

    /// Runs a program without a shell and waits for it. Its standard output goes to standard error.
    /// - Returns: its exit status.
    static func run(_ arguments: [String]) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let result = posix_spawnp(&child, arguments[0], &actions, nil, &words, environ)
        guard result == 0 else {
            throw EditorError(
                .ioFailed,
                "returnBlock's command \"\(arguments[0])\" cannot be run: \(String(cString: strerror(result)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
    }

    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Columns of the terminal that standard error goes to.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
