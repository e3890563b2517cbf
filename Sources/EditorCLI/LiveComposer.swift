internal import EditorCapture
internal import EditorCore
internal import EditorKit
internal import EditorRecording
internal import Glibc
internal import Synchronization

/// Composes a session's newest pictures for its window. Safe on any thread.
///
/// Its thread gives way to those that record: it has a lower priority, rests as long as it worked, and leaves out the
/// pictures that it has no time for. Keys are not kept waiting either.
final class LiveComposer: Sendable {
    private let composed = LivePicture()
    private let isStopped = Atomic<Bool>(false)
    private let thread: Mutex<WorkerThread?> = Mutex(nil)

    /// Of `nice`: half way to what runs only when nothing else does.
    private static let niceness: Int32 = 10
    /// Microseconds between two looks for a picture.
    private static let pause: UInt32 = 5000

    /// Starts.
    /// - Parameters:
    ///   - newest: where the session leaves its pictures.
    ///   - board: says whether an onion skin is wanted, and is told what cannot be shown.
    ///   - make: called on the composing thread; when it throws, pictures are shown as they come.
    init(
        _ session: RecordingSession, newest: LivePicture, board: RecordingBoard,
        make: @escaping @Sendable () throws -> LiveComposition
    ) throws {
        let worker = try WorkerThread { [self] in
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            var live: LiveComposition?
            do { live = try make() } catch { Self.tell(error, board) }
            while !isStopped.load(ordering: .relaxed) {
                guard let frame = newest.take() else {
                    usleep(Self.pause)
                    continue
                }
                let begin = MonotonicTime.now
                do {
                    composed.put(try live.map { try Self.picture(of: frame, $0, board, session.record) } ?? frame)
                } catch {
                    Self.tell(error, board)
                    live = nil
                }
                usleep(UInt32(max(0, min(1, MonotonicTime.now - begin)) * 1e6))
            }
        }
        thread.withLock { $0 = worker }
    }

    /// The newest composed picture, once.
    func take() -> VideoFrame? { composed.take() }

    /// Ends the thread and waits for it.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private static func picture(
        of frame: VideoFrame, _ live: LiveComposition, _ board: RecordingBoard, _ record: SessionRecord
    ) throws -> VideoFrame {
        let content = board.shown
        // While it records the picture is what counts.
        let showsSkin = content.showsOnionSkin && content.state != .inProgress
        live.showOnionSkin(of: showsSkin ? record.segments.last : nil)
        return try live.picture(of: frame, at: content.progress?.duration ?? record.duration.seconds)
    }

    private static func tell(_ error: any Error, _ board: RecordingBoard) {
        let reason = (error as? EditorError)?.message ?? "\(error)"
        board.take(.finding(Finding(.warning, code: "window.effects", "the effects cannot be shown: \(reason)")))
    }
}
