internal import Synchronization

/// Where one thread leaves its newest picture for another, which takes what it can: a picture that is not taken in time
/// makes room for the next one, and nobody waits. Safe on any thread.
public final class LivePicture: Sendable {
    private let content = Mutex<VideoFrame?>(nil)

    public init() {}

    /// Leaves a picture.
    public func put(_ frame: VideoFrame) { content.withLock { $0 = frame } }

    /// The newest picture, which is not given again; nil when there is none since the last call.
    public func take() -> VideoFrame? {
        content.withLock { content in
            defer { content = nil }
            return content
        }
    }
}
