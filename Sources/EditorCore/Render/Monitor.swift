internal import Glibc

/// A value that threads share, change one at a time, and wait on.
///
/// `@unchecked Sendable`: the value is touched only while `mutex` is held, and the two pthread objects stay where they
/// were allocated from `init` to `deinit`.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        // Deadlines do not move when the time of day is set.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the value, and wakes up those who wait.
    package func withLock<R: Sendable>(_ body: (inout State) throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` gives something, and wakes up the others who wait, since it may have changed the value then.
    /// It is asked at once, and again after each change; as long as it gives nothing it changes nothing.
    package func wait<R: Sendable>(_ body: (inout State) -> R?) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) {
                pthread_cond_broadcast(changed)
                return result
            }
            pthread_cond_wait(changed, mutex)
        }
    }

    /// The same for a limited time.
    /// - Parameter nanoseconds: the end of it on `CLOCK_MONOTONIC`. `body` is asked a last time then.
    /// - Returns: nil when it gave nothing.
    package func wait<R: Sendable>(untilNanoseconds nanoseconds: Int64, _ body: (inout State) -> R?) -> R? {
        var deadline = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var isOver = false
        while true {
            if let result = body(&state) {
                pthread_cond_broadcast(changed)
                return result
            }
            if isOver { return nil }
            isOver = pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT
        }
    }
}
