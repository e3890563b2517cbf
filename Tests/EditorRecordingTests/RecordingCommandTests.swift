import EditorCore
import EditorRecording
import Testing

/// Lines on standard input.
@Suite struct RecordingCommandTests {
    @Test(arguments: [
        ("start", RecordingCommand.start(nil)), ("start 2.5", .start(MediaTime(value: 5, timescale: 2))),
        ("pause", .pause), ("delete-last", .deleteLast), ("delete-all", .deleteAll), (" flip ", .flip),
        ("torch on", .torch(.on)), ("torch auto", .torch(.auto)), ("flash off", .flash(.off)), ("zoom 2.0", .zoom(2)),
        ("countdown 3", .countdown(3)), ("focus lock", .focusLock(true)), ("exposure auto", .exposureLock(false)),
        ("stabilisation on", .stabilisation(true)), ("speed 0.5", .speed(Rational(1, 2))),
        ("photo a b.png", .photo("a b.png")), ("wait", .wait(nil)), ("wait 0.5", .wait(0.5)), ("finish", .finish),
        ("quit", .quit),
    ]) func linesAreCommands(line: String, command: RecordingCommand) throws {
        #expect(try RecordingCommand(line: line) == command)
    }

    @Test(arguments: ["", "   ", "# a word to the reader"]) func nothingIsNothing(line: String) throws {
        #expect(try RecordingCommand(line: line) == nil)
    }

    @Test(arguments: [
        "zoom", "zoom nan", "zoom 0.5", "torch", "torch maybe", "countdown -1", "countdown 1e9", "speed 0", "speed 100",
        "photo", "start -3", "start 1 2", "focus on", "wait x", "strat", "flip now then",
    ]) func othersAreRefusedWithTheLine(line: String) throws {
        let error = #expect(throws: EditorError.self) { try RecordingCommand(line: line) }
        #expect(error?.kind == .usage && error?.message.contains("\"\(line)\"") ?? false)
    }

    @Test func anUnknownWordHasAHint() throws {
        let error = #expect(throws: EditorError.self) { try RecordingCommand(line: "strat") }
        #expect(error?.message.contains("start") ?? false)
    }
}
