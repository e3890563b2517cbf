internal import EditorCapture
internal import Glibc

/// Where threads leave messages for one that reads them in order.
///
/// `@unchecked Sendable`: every stored property is touched only while `mutex` is held, and the two pthread objects stay
/// where they were allocated from `init` to `deinit`.
final class Mailbox<Message: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Heavy messages that may wait at once.
    private let capacity: Int
    private var messages: [(message: Message, isHeavy: Bool)] = []
    private var heavyCount = 0
    private var isClosed = false
    private var refusesHeavy = false

    init(capacity: Int) {
        self.capacity = capacity
        pthread_mutex_init(mutex, nil)
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

    private func withLock<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Leaves a message. A heavy one, such as a picture, waits while there are too many of them.
    func post(_ message: Message, isHeavy: Bool = false) {
        withLock {
            while isHeavy, heavyCount >= capacity, !isClosed, !refusesHeavy { pthread_cond_wait(changed, mutex) }
            guard !isClosed, !(isHeavy && refusesHeavy) else { return }
            messages.append((message, isHeavy))
            if isHeavy { heavyCount += 1 }
            pthread_cond_broadcast(changed)
        }
    }

    /// Takes the oldest message; nil when there is none by `deadline`.
    func next(until deadline: MonotonicTime) -> Message? {
        withLock {
            var time = timespec(
                tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
            while messages.isEmpty, !isClosed {
                if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT { return nil }
            }
            guard !messages.isEmpty else { return nil }
            let (message, isHeavy) = messages.removeFirst()
            if isHeavy {
                heavyCount -= 1
                pthread_cond_broadcast(changed)
            }
            return message
        }
    }

    /// Heavy messages are dropped while `body` runs, so that it may wait for a thread that posts them.
    func refusingHeavy(_ body: () -> Void) {
        withLock {
            refusesHeavy = true
            pthread_cond_broadcast(changed)
        }
        body()
        withLock { refusesHeavy = false }
    }

    /// Nothing more is taken in, and whoever waits goes on.
    func close() {
        withLock {
            isClosed = true
            messages.removeAll()
            pthread_cond_broadcast(changed)
        }
    }
}
