import EditorCore
import Glibc
import Testing

/// Deadlines are half a minute away where they must not come, so that a lost wake-up fails and does not hang.
@Suite struct MonitorTests {
    private func now(plus seconds: Double = 0) -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) + Int64(seconds * 1e9)
    }

    @Test func aDeadlineEndsTheWaiting() {
        let monitor = Monitor(1)
        let deadline = now(plus: 0.03)
        #expect(monitor.wait(untilNanoseconds: deadline) { $0 == 2 ? true : nil } == nil)
        let end = now()
        #expect(end >= deadline && end < deadline + 10_000_000_000, "\(end - deadline) ns late")
    }

    @Test func whatIsThereIsTakenAfterTheDeadlineToo() {
        let monitor = Monitor(1)
        #expect(monitor.wait(untilNanoseconds: now(plus: -1)) { $0 } == 1)
        #expect(monitor.wait(untilNanoseconds: 0) { $0 == 2 ? 2 : nil } == nil)
    }

    @Test func changesAreSeen() throws {
        let monitor = Monitor(0)
        let counting = try WorkerThread { for _ in 0..<1000 { monitor.withLock { $0 += 1 } } }
        #expect(monitor.wait(untilNanoseconds: now(plus: 30)) { $0 == 1000 ? $0 : nil } == 1000)
        counting.join()
    }

    /// Two that each wait for what the other makes of the value while it stops waiting.
    @Test func whatAWaitChangesWakesTheOthers() throws {
        let monitor = Monitor(0)
        @Sendable func move(from parity: Int) {
            let end = now(plus: 30)
            for _ in 0..<500 {
                _ = monitor.wait(untilNanoseconds: end) { value -> Bool? in
                    guard value % 2 == parity else { return nil }
                    value += 1
                    return true
                }
            }
        }
        let odd = try WorkerThread { move(from: 1) }
        let begin = now()
        move(from: 0)
        odd.join()
        #expect(monitor.withLock { $0 } == 1000)
        #expect(now() - begin < 20_000_000_000, "nobody had to wait for a deadline")
    }
}
