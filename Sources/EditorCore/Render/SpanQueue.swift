internal import Synchronization

/// Hands spans out to workers: each gets a run of neighbours, so that its decoders move forward, and one that has
/// finished takes the rear half of the longest run that is left. The last span of a run stays with its worker: another
/// one would have to decode up to it from the key frame before.
final class SpanQueue: Sendable {
    private let runs: Mutex<[ArraySlice<RenderSpan>]>

    /// - Parameter spans: what is to be rendered, in order.
    init(_ spans: [RenderSpan], workers: Int) {
        var runs: [ArraySlice<RenderSpan>] = []
        var start = 0
        for worker in 0..<workers {
            // Earlier runs take what cannot be parted evenly.
            let left = spans.count - start
            let length = (left + workers - worker - 1) / (workers - worker)
            runs.append(spans[start..<start + length])
            start += length
        }
        self.runs = Mutex(runs)
    }

    /// The next span for a worker, or nil when none is left.
    func next(for worker: Int) -> RenderSpan? {
        runs.withLock { runs in
            if let span = runs[worker].popFirst() { return span }
            guard let longest = runs.indices.max(by: { runs[$0].count < runs[$1].count }), runs[longest].count > 1
            else {
                return nil
            }
            let kept = runs[longest].count / 2
            let taken = runs[longest].dropFirst(kept)
            runs[longest] = runs[longest].prefix(kept)
            runs[worker] = taken
            return runs[worker].popFirst()
        }
    }
}
