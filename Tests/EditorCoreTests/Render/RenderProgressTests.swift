import EditorTestSupport
import Synchronization
import Testing

@testable import EditorCore

@Suite struct RenderProgressTests {
    @Test func fractionsNeverFallAndEndAtOne() throws {
        let events = Mutex<[RenderEvent.Progress]>([])
        let progress = RenderProgress(frames: 5000, cached: 1000) { event in
            if case .progress(let progress) = event { events.withLock { $0.append(progress) } }
        }
        let threads = try (0..<4).map { _ in try WorkerThread { for _ in 0..<1000 { progress.add(1) } } }
        for thread in threads { thread.join() }
        let told = events.withLock { $0 }
        #expect(told.count >= 2)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.fraction <= $1.fraction && $0.frame <= $1.frame })
        // What was there already counts from the start.
        #expect(told.first?.frame == 1001)
        #expect(told.last?.fraction == 1)
        #expect(told.last?.frame == 5000 && told.last?.frames == 5000)
        #expect(told.last?.secondsLeft == 0)
    }

    /// Ten calls in no time are two reports: the first, and the end.
    @Test func reportsAreFew() {
        let count = Mutex(0)
        let progress = RenderProgress(frames: 10, cached: 0) { _ in count.withLock { $0 += 1 } }
        let start = ContinuousClock.now
        for _ in 0..<10 { progress.add(1) }
        let most = 2 + Int((ContinuousClock.now - start) / .milliseconds(100))
        #expect((2...most).contains(count.withLock { $0 }))
    }
}
