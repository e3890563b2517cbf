internal import EditorCapture
public import EditorCore
internal import Synchronization

/// How a session was left.
public enum RecordingOutcome: Sendable, Hashable {
    /// The segments are to be merged.
    case finished
    /// To go on with later.
    case left
    /// By a signal.
    case interrupted
}

/// A session of recorded segments: camera, microphone, and what is done with them. Safe on any thread.
///
/// ```swift
/// let session = try RecordingSession(settings, store: store) { event in print(event) }
/// session.send(.start(nil))
/// …
/// session.send(.finish)
/// if session.waitUntilEnded() == .finished { print(session.record.segments) }
/// ```
public final class RecordingSession: Sendable {
    private let mailbox: Mailbox<RecordingMessage>
    private let thread: WorkerThread
    private let state: SessionState
    private let isJoined = Atomic<Bool>(false)

    /// Opens the devices and starts.
    /// - Parameters:
    ///   - settings: what is recorded with.
    ///   - store: where the session's file lies.
    ///   - record: a session to go on with, after `SessionStore.recover`; nil begins one.
    ///   - preview: called with each picture on the session's thread; nil wants none. Must be quick: `LivePicture.put` is.
    ///   - report: called on the session's thread, at first on the caller's. Must be quick.
    /// - Throws: `EditorError` that names the device or file.
    public init(
        _ settings: RecordingSettings, store: SessionStore, resuming record: SessionRecord? = nil,
        preview: (@Sendable (VideoFrame) -> Void)? = nil, report: @escaping @Sendable (RecordingEvent) -> Void
    ) throws {
        // A second's worth of pictures may wait while the disk is slow.
        let mailbox = Mailbox<RecordingMessage>(capacity: 30)
        let state = SessionState()
        self.mailbox = mailbox
        self.state = state
        let engine = try RecordingEngine(
            settings, store: store, record: record, mailbox: mailbox, publish: { state.record = $0 }, preview: preview,
            report: report)
        thread = try WorkerThread {
            state.outcome = engine.run()
            mailbox.close()
        }
    }

    deinit {
        interrupt()
        join()
    }

    /// The session as it is now.
    public var record: SessionRecord { state.record! }

    /// Has something done. Returns at once.
    public func send(_ command: RecordingCommand) { mailbox.post(.command(command)) }

    /// Ends the session at once; what was recorded is kept.
    public func interrupt() { mailbox.post(.interrupt) }

    /// Waits until the session is over and the devices are closed.
    public func waitUntilEnded() -> RecordingOutcome {
        join()
        return state.outcome ?? .interrupted
    }

    /// Whether the session is over.
    public var hasEnded: Bool { state.outcome != nil }

    private func join() {
        guard !isJoined.exchange(true, ordering: .acquiringAndReleasing) else { return }
        thread.join()
    }
}

/// What a session's thread tells the others. Safe on any thread.
private final class SessionState: Sendable {
    private let content = Mutex<(record: SessionRecord?, outcome: RecordingOutcome?)>((nil, nil))

    var record: SessionRecord? {
        get { content.withLock { $0.record } }
        set { content.withLock { $0.record = newValue } }
    }

    var outcome: RecordingOutcome? {
        get { content.withLock { $0.outcome } }
        set { content.withLock { $0.outcome = newValue } }
    }
}
