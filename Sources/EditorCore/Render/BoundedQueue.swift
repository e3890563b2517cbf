/// Hands values from one thread to another; the first waits while the queue is full, the second while it is empty.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        var isClosed = false
    }

    private let capacity: Int
    private let monitor: Monitor<State>

    package init(capacity: Int) {
        self.capacity = capacity
        var state = State()
        state.elements.reserveCapacity(capacity)
        monitor = Monitor(state)
    }

    /// Appends an element. Returns false, without appending, once the queue is closed.
    package func push(_ element: Element) -> Bool {
        monitor.wait { state -> Bool? in
            if state.isClosed { return false }
            guard state.elements.count < capacity else { return nil }
            state.elements.append(element)
            return true
        }
    }

    /// Takes the oldest element. Returns nil once the queue is closed and empty.
    package func pop() -> Element? {
        monitor.wait { state -> Element?? in
            // The queue is short, so that moving the others up costs less than keeping a ring would.
            if !state.elements.isEmpty { return state.elements.removeFirst() }
            return state.isClosed ? .some(nil) : nil
        }
    }

    /// Wakes everybody up: nothing more goes in, what is inside may be taken.
    package func close() { monitor.withLock { $0.isClosed = true } }
}
