package import EditorCapture
internal import EditorCore

/// Where threads leave messages for one that reads them in order.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State: Sendable {
        var messages: [(message: Message, isHeavy: Bool)] = []
        var heavyCount = 0
        var isClosed = false
        var refusesHeavy = false
    }

    /// Heavy messages that may wait at once.
    private let capacity: Int
    private let monitor = Monitor(State())

    package init(capacity: Int) { self.capacity = capacity }

    /// Leaves a message. A heavy one, such as a picture, waits while there are too many of them.
    package func post(_ message: Message, isHeavy: Bool = false) {
        monitor.wait { state -> Void? in
            if state.isClosed || (isHeavy && state.refusesHeavy) { return () }
            if isHeavy, state.heavyCount >= capacity { return nil }
            state.messages.append((message, isHeavy))
            if isHeavy { state.heavyCount += 1 }
            return ()
        }
    }

    /// Takes the oldest message; nil when there is none by `deadline`, or ever again.
    package func next(until deadline: MonotonicTime) -> Message? {
        let found = monitor.wait(untilNanoseconds: deadline.nanoseconds) { state -> Message?? in
            if state.messages.isEmpty { return state.isClosed ? .some(nil) : nil }
            let (message, isHeavy) = state.messages.removeFirst()
            if isHeavy { state.heavyCount -= 1 }
            return message
        }
        return found ?? nil
    }

    /// Heavy messages are dropped while `body` runs, so that it may wait for a thread that posts them.
    package func refusingHeavy(_ body: () -> Void) {
        monitor.withLock { $0.refusesHeavy = true }
        body()
        monitor.withLock { $0.refusesHeavy = false }
    }

    /// Nothing more is taken in, and whoever waits goes on.
    package func close() {
        monitor.withLock { state in
            state.isClosed = true
            state.messages.removeAll()
        }
    }
}
