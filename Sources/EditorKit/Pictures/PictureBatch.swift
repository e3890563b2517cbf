internal import EditorCore
internal import Synchronization

/// Pictures that several threads make together.
///
/// Pictures that are decoded from one key frame make a portion, which one thread reads through; the portions that take
/// longest come first, so that the threads end together. Where the key frames are not known, neighbours make one, in
/// their order.
final class PictureBatch: Sendable {
    typealias Request = (index: Int, time: MediaTime)

    /// What one thread makes in a row.
    private struct Portion {
        var requests: [Request]
        /// Whether all pictures of one key frame are in it, so that nothing follows its last one.
        var isWhole: Bool
    }

    private struct State {
        /// In the reverse of the order they are taken in; nil until somebody has looked into the file.
        var portions: [Portion]?
        var made: [(Int, VideoFrame)] = []
    }

    private let wanted: [Request]
    private let workers: Int
    private let state = Mutex(State())

    /// - Parameter wanted: by time.
    init(_ wanted: [Request], workers: Int) {
        self.wanted = wanted
        self.workers = workers
    }

    /// What was made so far, with the index of its request.
    var made: [(Int, VideoFrame)] { state.withLock { $0.made } }

    /// Makes portions until none is left.
    /// - Parameter check: is asked before each picture, and throws to stop.
    func work(with supply: any PictureSupply, check: () throws -> Void) throws {
        while let portion = next(supply) {
            for (number, (index, time)) in portion.requests.enumerated() {
                try check()
                let readsOn = portion.isWhole ? number + 1 < portion.requests.count : nil
                let picture = try supply.picture(at: time, readsOn: readsOn)
                state.withLock { $0.made.append((index, picture)) }
            }
        }
    }

    private func next(_ supply: any PictureSupply) -> Portion? {
        // The table is in memory: looking into it under the lock costs less than opening a file.
        state.withLock { state in
            if state.portions == nil { state.portions = groups(by: supply.decodingStart) ?? neighbours }
            return state.portions?.popLast()
        }
    }

    /// A portion for each key frame, the shortest way first; nil where the key frames are not known.
    private func groups(by start: (MediaTime) -> MediaTime?) -> [Portion]? {
        var groups: [(start: MediaTime, requests: [Request])] = []
        for request in wanted {
            guard let start = start(request.time) else { return nil }
            if groups.last?.start == start {
                groups[groups.count - 1].requests.append(request)
            } else {
                groups.append((start, [request]))
            }
        }
        func way(_ group: (start: MediaTime, requests: [Request])) -> MediaTime {
            group.requests[group.requests.count - 1].time - group.start
        }
        return groups.sorted { way($0) < way($1) }.map { Portion(requests: $0.requests, isWhole: true) }
    }

    /// Neighbours often come from the same group of pictures, so a thread takes several in a row; those far apart it
    /// takes one by one, so that no thread ends long before the others. One thread alone reads through all.
    private var neighbours: [Portion] {
        guard workers > 1 else { return [Portion(requests: wanted, isWhole: false)] }
        let length = max(1, wanted.count / (workers * 4))
        return wanted.reduce(into: [Portion]()) { portions, request in
            if let previous = portions.last?.requests.last, portions.last!.requests.count < length,
                request.time - previous.time < Self.far
            {
                portions[portions.count - 1].requests.append(request)
            } else {
                portions.append(Portion(requests: [request], isWhole: false))
            }
        }.reversed()
    }

    /// Few files have key frames farther apart.
    private static let far = MediaTime(seconds: 5)
}
