/// Renders spans one after another: each frame is decoded, composed and encoded in turn. Belongs to one thread.
final class SpanRenderer {
    private let format: any MovieFormat
    private let cancellation: Cancellation
    private let compositor: Compositor

    init(_ plan: RenderPlan, library: any MediaLibrary, format: any MovieFormat, cancellation: Cancellation) {
        self.format = format
        self.cancellation = cancellation
        compositor = Compositor(plan, library: library)
    }

    func render(_ span: RenderSpan, stopping failure: FirstFailure, progress: RenderProgress) throws -> [EncodedPacket] {
        let encoder = try format.makeSpanEncoder()
        for frame in span.frames {
            try cancellation.check()
            if failure.hasFailed { throw EditorError.cancelled }
            try encoder.encode(try compositor.frame(frame))
            progress.add(1)
        }
        return try encoder.finish()
    }
}
