internal import Synchronization

/// Lets the capture thread reach a feed that is made after the thread was started. Safe on any thread.
final class FeedDoor: Sendable {
    private let content = Mutex<PictureFeed?>(nil)

    var feed: PictureFeed? { content.withLock { $0 } }

    func open(_ feed: PictureFeed) { content.withLock { $0 = feed } }
}
