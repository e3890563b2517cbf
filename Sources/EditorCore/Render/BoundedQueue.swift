internal import Glibc

/// Hands values from one thread to another; the first waits while the queue is full, the second while it is empty.
///
/// `@unchecked Sendable`: every stored property is touched only while `mutex` is held, and the two pthread objects stay
/// where they were allocated from `init` to `deinit`.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let capacity: Int
    private var elements: [Element] = []
    private var isClosed = false

    package init(capacity: Int) {
        self.capacity = capacity
        elements.reserveCapacity(capacity)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private func withLock<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Appends an element. Returns false, without appending, once the queue is closed.
    package func push(_ element: Element) -> Bool {
        withLock {
            while elements.count >= capacity, !isClosed { pthread_cond_wait(changed, mutex) }
            if isClosed { return false }
            elements.append(element)
            pthread_cond_broadcast(changed)
            return true
        }
    }

    /// Takes the oldest element. Returns nil once the queue is closed and empty.
    package func pop() -> Element? {
        withLock {
            while elements.isEmpty, !isClosed { pthread_cond_wait(changed, mutex) }
            guard !elements.isEmpty else { return nil }
            pthread_cond_broadcast(changed)
            return elements.removeFirst()
        }
    }

    /// Wakes everybody up: nothing more goes in, what is inside may be taken.
    package func close() {
        withLock {
            isClosed = true
            pthread_cond_broadcast(changed)
        }
    }
}
