internal import EditorCapture

/// Commands that wait their turn, in their order: until a segment is closed, or for what a command said.
struct DeferredCommands {
    /// What the commands wait for.
    enum Event {
        /// Nothing is recorded, counted down or photographed any more.
        case end
        case photo
        case until(MonotonicTime)
    }

    private var commands: [RecordingCommand] = []
    private var awaited: Event?

    /// Whether a new command may be performed at once.
    var isEmpty: Bool { awaited == nil && commands.isEmpty }

    mutating func append(_ command: RecordingCommand) { commands.append(command) }

    /// The command comes round again, before all others.
    mutating func putBack(_ command: RecordingCommand) { commands.insert(command, at: 0) }

    mutating func wait(for event: Event) { awaited = event }

    /// Goes on when what was waited for has come.
    mutating func stopWaiting(_ now: MonotonicTime, isRecording: Bool, takesPhoto: Bool) {
        switch awaited {
        case .end? where !isRecording && !takesPhoto: awaited = nil
        case .photo? where !takesPhoto: awaited = nil
        case .until(let time)? where now >= time: awaited = nil
        default: break
        }
    }

    /// Takes the oldest command; nil while something is waited for.
    mutating func next() -> RecordingCommand? {
        awaited == nil && !commands.isEmpty ? commands.removeFirst() : nil
    }
}
