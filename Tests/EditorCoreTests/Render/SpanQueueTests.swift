import EditorTestSupport
import Synchronization
import Testing

@testable import EditorCore

@Suite struct SpanQueueTests {
    private func spans(_ count: Int) -> [RenderSpan] {
        (0..<count).map { RenderSpan(index: $0, frames: $0..<$0 + 1, content: Fingerprint("\($0)")) }
    }

    @Test(arguments: [0, 1, 2, 7, 100], [1, 2, 3, 8])
    func everySpanComesOnce(count: Int, workers: Int) {
        var random = SplitMix64(UInt64(count * 10 + workers))
        let queue = SpanQueue(spans(count), workers: workers)
        var taken: [Int] = []
        var idle: Set<Int> = []
        while idle.count < workers {
            let worker = Int(random.next() % UInt64(workers))
            if let span = queue.next(for: worker) { taken.append(span.index) } else { idle.insert(worker) }
        }
        #expect(taken.sorted() == Array(0..<count))
    }

    @Test func workersGetRunsOfNeighbours() {
        let queue = SpanQueue(spans(30), workers: 3)
        for i in 0..<10 {
            for worker in 0..<3 { #expect(queue.next(for: worker)?.index == worker * 10 + i) }
        }
        #expect(queue.next(for: 0) == nil)
    }

    /// Who has finished takes the rear half of what another has left, and goes on in order from there.
    @Test func theRearHalfIsTaken() {
        let queue = SpanQueue(spans(20), workers: 2)
        for i in 0..<10 { #expect(queue.next(for: 0)?.index == i) }
        #expect((0..<5).map { _ in queue.next(for: 0)?.index } == [15, 16, 17, 18, 19])
        #expect((0..<3).map { _ in queue.next(for: 1)?.index } == [10, 11, 12])
    }

    private final class Numbers: Sendable {
        private let numbers = Mutex<[Int]>([])
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
        var sorted: [Int] { numbers.withLock { $0.sorted() } }
    }

    @Test func everySpanComesOnceUnderThreads() throws {
        let (count, workers) = (2000, 4)
        let queue = SpanQueue(spans(count), workers: workers)
        let taken = Numbers()
        let threads = try (0..<workers).map { worker in
            try WorkerThread {
                while let span = queue.next(for: worker) { taken.add(span.index) }
            }
        }
        for thread in threads { thread.join() }
        #expect(taken.sorted == Array(0..<count))
    }
}
