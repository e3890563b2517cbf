internal import EditorCapture
internal import EditorCore
internal import EditorRecording
internal import Synchronization

/// What a session's window tells beside the picture. Safe on any thread.
final class RecordingBoard: Sendable {
    struct Content: Sendable {
        var state = RecordingState.idle
        var progress: RecordingEvent.Progress?
        /// Seconds that are still counted down; nil when nothing is.
        var countdown: Int?
        /// What was said last, while it is shown.
        var message: String?
        var showsOnionSkin = false
        /// Raised with every change.
        var version = 0
    }

    private let content = Mutex<(shown: Content, messageEnd: MonotonicTime)>((Content(), .now))

    /// Seconds that a message is shown.
    private static let messageTime = 4.0

    /// What is to be shown now.
    var shown: Content {
        content.withLock { content in
            if content.shown.message != nil, content.messageEnd <= .now {
                content.shown.message = nil
                content.shown.version += 1
            }
            return content.shown
        }
    }

    func toggleOnionSkin() {
        change {
            $0.showsOnionSkin.toggle()
            return "onion skin \($0.showsOnionSkin ? "on" : "off")"
        }
    }

    func take(_ event: RecordingEvent) {
        change { content in
            switch event {
            case .state(let state):
                content.state = state
                return nil
            case .progress(let progress):
                content.progress = progress
                return nil
            case .countdown(let left):
                content.countdown = left > 0 ? left : nil
                return nil
            case .segmentAdded(let segment):
                return "\(RecordingEventText.tenths(segment.duration.seconds)) s recorded"
            case .segmentDeleted: return "segment deleted"
            case .finding(let finding): return finding.message
            case .failure(let error): return error.message
            default: return RecordingEventText.words(event)
            }
        }
    }

    /// - Parameter body: returns a message, if there is one.
    private func change(_ body: (inout Content) -> String?) {
        content.withLock { content in
            if let message = body(&content.shown) {
                content.shown.message = message
                content.messageEnd = .now + Self.messageTime
            }
            content.shown.version += 1
        }
    }
}
