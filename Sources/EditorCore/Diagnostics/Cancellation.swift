internal import Synchronization

/// A flag that asks running work to stop; polled once a frame. Any thread, or a signal handler, may raise it.
public final class Cancellation: Sendable {
    private let raised = Atomic<Bool>(false)

    public init() {}

    public func cancel() { raised.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { raised.load(ordering: .relaxed) }

    /// Throws `EditorError.cancelled` once the flag is raised.
    public func check() throws {
        if isCancelled { throw EditorError.cancelled }
    }
}
