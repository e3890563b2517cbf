import EditorCore
import Testing

@testable import EditorKit

/// In which order the pictures of a strip are made.
@Suite struct PictureBatchTests {
    /// A file with key frames at some seconds; notes what it is asked for.
    private final class Supply: PictureSupply {
        let keys: [Int]?
        var asked: [(second: Int, readsOn: Bool?)] = []

        init(keys: [Int]?) { self.keys = keys }

        func picture(at time: MediaTime, readsOn: Bool?) throws -> VideoFrame {
            asked.append((Int(time.seconds), readsOn))
            return FramePool().frame(.yuv420, PixelSize(width: 2, height: 2))
        }

        func decodingStart(for time: MediaTime) -> MediaTime? {
            keys?.last { Double($0) <= time.seconds }.map { MediaTime(seconds: $0) }
        }
    }

    private func order(_ seconds: [Int], keys: [Int]?, workers: Int = 2) throws -> Supply {
        let supply = Supply(keys: keys)
        let requests = seconds.enumerated().map { (index: $0.offset, time: MediaTime(seconds: $0.element)) }
        let batch = PictureBatch(requests, workers: workers)
        try batch.work(with: supply) {}
        #expect(batch.made.map(\.0).sorted() == Array(seconds.indices))
        return supply
    }

    @Test func theLongestWayComesFirstAndAKeyFrameIsDecodedOnce() throws {
        let supply = try order([1, 12, 14, 19, 21, 45, 47], keys: [0, 10, 20, 30])
        // Ways of 17, 9, 1 and 1 s.
        #expect(supply.asked.prefix(5).map(\.second) == [45, 47, 12, 14, 19])
        #expect(supply.asked.prefix(5).map(\.readsOn) == [true, false, true, true, false])
        #expect(Set(supply.asked.suffix(2).map(\.second)) == [1, 21])
        #expect(supply.asked.suffix(2).allSatisfy { $0.readsOn == false })
    }

    @Test func withoutATableTheyComeInTheirOrder() throws {
        let supply = try order([1, 2, 3, 20, 40, 41], keys: nil, workers: 1)
        #expect(supply.asked.map(\.second) == [1, 2, 3, 20, 40, 41])
        #expect(supply.asked.allSatisfy { $0.readsOn == nil }, "nobody knows what comes from one key frame")
    }

    @Test func severalWorkersMakeEachPictureOnce() throws {
        let seconds = Array(0..<40)
        let requests = seconds.map { (index: $0, time: MediaTime(seconds: $0)) }
        let batch = PictureBatch(requests, workers: 4)
        let failure = FirstFailure()
        let threads = try (0..<4).map { _ in
            try WorkerThread { failure.catching { try batch.work(with: Supply(keys: [0, 7, 19, 20, 33])) {} } }
        }
        for thread in threads { thread.join() }
        try failure.rethrow()
        #expect(batch.made.map(\.0).sorted() == seconds)
    }

    @Test func workStopsWhenItIsToldTo() throws {
        let batch = PictureBatch([(index: 0, time: .zero)], workers: 1)
        #expect(throws: EditorError.self) { try batch.work(with: Supply(keys: nil)) { throw EditorError.cancelled } }
        #expect(batch.made.isEmpty)
    }
}
