/// Renders spans one after another on two threads: one composes frames, the other encodes them.
///
/// While the encoder finishes a span, the frames of the next one are already being composed, so that neither side
/// waits for long.
struct RenderLane: Sendable {
    let plan: RenderPlan
    let library: any MediaLibrary
    let format: any MovieFormat
    let store: any SpanStore
    let cancellation: Cancellation
    let failure: FirstFailure
    let progress: RenderProgress
    let names: SpanNames
    let report: @Sendable (RenderEvent) -> Void

    private enum Item: Sendable {
        case frame(VideoFrame)
        /// All frames of the span were handed over.
        case end(RenderSpan)
    }

    /// Frames composed ahead of the encoder, so that neither side waits for the other's slow ones, and most of what an
    /// encoder that looks ahead wants of the next span is there when it has ended one. More take memory and no time off.
    private static let ahead = 10

    /// Works on the calling thread and one more until `next` gives no span.
    func run(_ next: @escaping @Sendable () -> RenderSpan?) throws {
        let queue = BoundedQueue<Item>(capacity: Self.ahead)
        let composing = try WorkerThread { [self] in
            failure.catching { try compose(next, into: queue) }
            queue.close()
        }
        failure.catching { try encode(from: queue) }
        queue.close()
        composing.join()
    }

    private func compose(_ next: () -> RenderSpan?, into queue: BoundedQueue<Item>) throws {
        let compositor = Compositor(plan, library: library)
        while !failure.hasFailed, let span = next() {
            for number in span.frames {
                try cancellation.check()
                guard !failure.hasFailed, queue.push(.frame(try compositor.frame(number))) else { return }
            }
            let skipped = compositor.takeFailures()
            if !skipped.isEmpty { names.markIncomplete(span) }
            for finding in skipped { report(.finding(finding)) }
            guard queue.push(.end(span)) else { return }
        }
    }

    private func encode(from queue: BoundedQueue<Item>) throws {
        var encoder: (any SpanEncoder)?
        while let item = queue.pop() {
            try cancellation.check()
            if failure.hasFailed { return }
            switch item {
            case .frame(let frame):
                if encoder == nil { encoder = try format.makeSpanEncoder() }
                try encoder?.encode(frame)
                progress.add(1)
            case .end(let span):
                guard let packets = try encoder?.finish() else { continue }
                encoder = nil
                try store.save(packets, as: names.name(of: span))
            }
        }
    }
}
