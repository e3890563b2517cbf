import EditorCore
import Glibc
import Synchronization
import Testing

@Suite struct BoundedQueueTests {
    private final class Count: Sendable {
        let value = Atomic<Int>(0)
        var now: Int { value.load(ordering: .sequentiallyConsistent) }
        func add(_ number: Int) { value.add(number, ordering: .sequentiallyConsistent) }

        /// False when it is not there after half a minute.
        func reaches(_ number: Int) -> Bool {
            for _ in 0..<30_000 where now < number { usleep(1000) }
            return now >= number
        }
    }

    @Test(arguments: [1, 3, 14]) func elementsComeInOrder(capacity: Int) throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        let pushing = try WorkerThread {
            for number in 0..<5000 { _ = queue.push(number) }
            queue.close()
        }
        var taken: [Int] = []
        while let number = queue.pop() { taken.append(number) }
        pushing.join()
        #expect(taken == Array(0..<5000))
    }

    @Test func everyElementComesOnceToOneOfMany() throws {
        let queue = BoundedQueue<Int>(capacity: 2)
        let (sum, count) = (Count(), Count())
        let taking = try (0..<3).map { _ in
            try WorkerThread {
                while let number = queue.pop() {
                    sum.add(number)
                    count.add(1)
                }
            }
        }
        let pushing = try (0..<3).map { first in
            try WorkerThread { for number in 0..<1000 { _ = queue.push(number * 3 + first) } }
        }
        for thread in pushing { thread.join() }
        queue.close()
        for thread in taking { thread.join() }
        #expect(count.now == 3000 && sum.now == 2999 * 3000 / 2)
    }

    @Test func aFullQueueMakesItsWriterWait() throws {
        let queue = BoundedQueue<Int>(capacity: 3)
        let pushed = Count()
        let pushing = try WorkerThread { for number in 0..<5 where queue.push(number) { pushed.add(1) } }
        #expect(pushed.reaches(3))
        usleep(20_000)
        #expect(pushed.now == 3)
        #expect(queue.pop() == 0)
        #expect(pushed.reaches(4))
        usleep(20_000)
        #expect(pushed.now == 4)
        // The one that waits gives up, and what is inside may still be taken.
        queue.close()
        pushing.join()
        #expect(pushed.now == 4)
        #expect((0..<4).map { _ in queue.pop() } == [1, 2, 3, nil])
        #expect(!queue.push(9) && queue.pop() == nil)
    }

    @Test func closingEndsTheWaitForAnElement() throws {
        let queue = BoundedQueue<Int>(capacity: 3)
        let taken = Count()
        let taking = try WorkerThread { while queue.pop() != nil { taken.add(1) } }
        #expect(queue.push(1))
        #expect(taken.reaches(1))
        queue.close()
        taking.join()
        #expect(taken.now == 1)
    }
}
