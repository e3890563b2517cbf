import EditorCapture
import EditorCore
import EditorRecording
import Glibc
import Synchronization
import Testing

@Suite struct MailboxTests {
    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
        func set() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    private func next(_ mailbox: Mailbox<Int>) -> Int? { mailbox.next(until: .now + 30) }

    @Test func lightMessagesNeverWaitAndComeInOrder() {
        let mailbox = Mailbox<Int>(capacity: 2)
        for number in 0..<100 { mailbox.post(number) }
        for number in 0..<100 { #expect(next(mailbox) == number) }
        let begin = MonotonicTime.now
        #expect(mailbox.next(until: begin + 0.02) == nil)
        #expect(MonotonicTime.now >= begin + 0.02)
    }

    /// At most two of its heavy messages are there at once, and light ones pass by.
    @Test func heavyMessagesWaitForRoom() throws {
        let mailbox = Mailbox<Int>(capacity: 2)
        for number in 0..<2 { mailbox.post(number, isHeavy: true) }
        let isDone = Flag()
        let late = try WorkerThread {
            mailbox.post(2, isHeavy: true)
            isDone.set()
        }
        mailbox.post(-1)
        usleep(30_000)
        #expect(!isDone.isSet)
        #expect((0..<4).map { _ in next(mailbox) } == [0, 1, -1, 2])
        late.join()
        #expect(isDone.isSet)
    }

    /// A thread that waits to post is let go, so that it can be joined; its message is dropped.
    @Test func heavyMessagesAreRefusedForAWhile() throws {
        let mailbox = Mailbox<Int>(capacity: 1)
        mailbox.post(0, isHeavy: true)
        let posting = try WorkerThread { mailbox.post(1, isHeavy: true) }
        mailbox.refusingHeavy {
            posting.join()
            mailbox.post(2)
        }
        #expect(next(mailbox) == 0)
        mailbox.post(3, isHeavy: true)
        #expect(next(mailbox) == 2)
        #expect(next(mailbox) == 3)
    }

    @Test func closingLetsEverybodyGo() throws {
        let mailbox = Mailbox<Int>(capacity: 1)
        mailbox.post(0, isHeavy: true)
        let posting = try WorkerThread { mailbox.post(1, isHeavy: true) }
        mailbox.close()
        posting.join()
        #expect(next(mailbox) == nil)
        mailbox.post(2)
        #expect(next(mailbox) == nil)
    }
}
