internal import Glibc
internal import Synchronization

/// A thread of its own for work that blocks and burns, away from any shared pool.
package final class WorkerThread: Sendable {
    /// Codecs need more stack than secondary threads get by default.
    private static let stackSize = 8 << 20

    private final class Job {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private let handle: pthread_t

    /// Starts `body` on a new thread.
    package init(_ body: sending @escaping () -> Void) throws {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        defer { pthread_attr_destroy(&attributes) }
        let job = Unmanaged.passRetained(Job(body))
        var handle = pthread_t()
        let result = pthread_create(
            &handle, &attributes,
            { context in
                Unmanaged<Job>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, job.toOpaque())
        guard result == 0 else {
            job.release()
            throw EditorError(.ioFailed, "no further thread could be started: \(String(cString: strerror(result)))")
        }
        self.handle = handle
    }

    /// Waits until the body has returned. To be called once.
    package func join() { pthread_join(handle, nil) }
}
