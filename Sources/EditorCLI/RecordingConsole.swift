internal import EditorCore
internal import EditorRecording
internal import Glibc
internal import Synchronization

/// Reads what a session is told to do: keys where standard input is a terminal, lines where it is not. Safe on any
/// thread.
final class RecordingConsole: Sendable {
    private let session: RecordingSession
    private let reporter: RecordingReporter
    /// The window's; nil without one.
    private let board: RecordingBoard?
    private let asked = Atomic<Bool>(false)
    /// How the terminal was before; nil where there is none.
    private let settings: termios?

    /// Whether merging was asked for.
    var wantsToFinish: Bool { asked.load(ordering: .relaxed) }

    /// Starts reading, on a thread that is left alone when the program ends.
    init(_ session: RecordingSession, _ reporter: RecordingReporter, board: RecordingBoard?) throws {
        (self.session, self.reporter, self.board) = (session, reporter, board)
        var before = termios()
        if isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 {
            settings = before
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        } else {
            settings = nil
        }
        _ = try WorkerThread { [self] in
            if settings != nil { readKeys() } else { readLines() }
        }
    }

    /// Gives the terminal back as it was.
    func close() {
        guard var settings else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    func send(_ command: RecordingCommand) {
        if command == .finish { asked.store(true, ordering: .relaxed) }
        session.send(command)
    }

    // MARK: Keys

    private func readKeys() {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return session.send(.quit) }
            let key = Character(UnicodeScalar(byte))
            if key == "o" { board?.toggleOnionSkin() }
            if let command = RecordingKeys.command(for: key) { send(command) }
        }
    }

    // MARK: Lines

    /// Longer lines are no commands.
    private static let longestLine = 4096

    private func readLines() {
        var line: [UInt8] = []
        var hasRead = false
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                take(line)
                // A program that was started without a terminal is worked in its window; else nobody is left who could
                // say more.
                if hasRead || board == nil { session.send(.quit) }
                return
            }
            hasRead = true
            for byte in chunk[..<count] {
                if byte == UInt8(ascii: "\n") {
                    take(line)
                    line.removeAll(keepingCapacity: true)
                } else if line.count < Self.longestLine {
                    line.append(byte)
                }
            }
        }
    }

    private func take(_ line: [UInt8]) {
        do {
            if let command = try RecordingCommand(line: String(decoding: line, as: UTF8.self)) { send(command) }
        } catch let error as EditorError {
            reporter.report(.failure(error))
        } catch {}
    }
}
