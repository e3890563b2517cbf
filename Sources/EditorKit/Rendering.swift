public import EditorCore
internal import EditorMedia
internal import Glibc

/// What a finished render came to.
public struct RenderResult: Sendable {
    /// The finished movie, as it was asked for.
    public var path: String
    /// Seconds.
    public var duration: Double
    /// Pictures in the movie; 0 when it is sound alone.
    public var frames: Int
    public var size: PixelSize
    public var frameRate: Rational
    /// Names of the codecs; nil in a container without such a stream.
    public var videoCodec: String?
    public var audioCodec: String?
    public var spansTotal: Int
    public var spansRendered: Int
    public var spansCached: Int
    /// Spans taken over from a source untouched.
    public var spansCopied: Int
    public var wallSeconds: Double
    public var warnings: [Finding]
}

extension Composition {
    /// Renders the movie on the calling thread.
    /// - Parameters:
    ///   - cancellation: raise it from anywhere to stop; finished spans are kept.
    ///   - report: called from several threads.
    /// - Throws: `EditorError`. No file stands under the output's name then, or the one that was there before.
    public func render(
        _ options: Options = Options(), cancellation: Cancellation = Cancellation(),
        report: @escaping @Sendable (RenderEvent) -> Void = { _ in }
    ) throws -> RenderResult {
        report(.state(.waiting))
        do {
            let result = try perform(options, cancellation, report)
            report(.state(.completed))
            return result
        } catch {
            let isCancelled = (error as? EditorError)?.kind == .cancelled
            report(.state(isCancelled ? .cancelled : .failed))
            throw error
        }
    }

    /// Renders to `path`, replacing nothing.
    public func render(to path: String, report: @escaping @Sendable (RenderEvent) -> Void = { _ in }) throws
        -> RenderResult
    {
        var options = Options()
        options.output = path
        return try render(options, report: report)
    }

    private func perform(
        _ options: Options, _ cancellation: Cancellation, _ report: @escaping @Sendable (RenderEvent) -> Void
    ) throws -> RenderResult {
        let start = ContinuousClock.now
        let location = OutputLocation(configuration, output: options.output, baseDirectory: baseDirectory)
        let plan = try plan(options, output: location, cancellation: cancellation)
        for finding in plan.findings { report(.finding(finding)) }
        try cancellation.check()
        try location.makeFolder()

        report(.state(.exporting))
        let format = try FFmpegMovieBackend().format(for: plan.settings)
        let kept = options.usesCache ? SpanCache.store : nil
        let store: any SpanStore = try kept ?? ScratchSpanStore(in: StandardFolders.temporary)
        let jobs = options.jobs ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        for line in summary(of: plan, format) { report(.detail(line)) }
        report(.detail(kept == nil ? "spans are not kept" : "spans are kept in \(SpanCache.folder)"))
        let session = RenderSession(
            plan, library: library, format: format, store: store, jobs: jobs, cancellation: cancellation, report: report
        )
        let spans: RenderSession.Result
        do {
            spans = try session.run(to: location.path, replacing: options.overwrites)
        } catch let error as EditorError where error.kind == .ioFailed && !error.message.contains(location.path) {
            throw EditorError(.ioFailed, "\(location.path) could not be made: \(error.message)")
        }
        kept?.trim()
        let wall = (ContinuousClock.now - start) / .seconds(1)
        report(.detail("finished in \((wall * 100).rounded() / 100) s"))
        return RenderResult(
            path: location.path, duration: plan.duration.seconds,
            frames: format.videoCodec == nil ? 0 : plan.frameCount,
            size: plan.canvas,
            frameRate: plan.frameRate, videoCodec: format.videoCodec, audioCodec: format.audioCodec,
            spansTotal: plan.spans.count, spansRendered: spans.spansRendered, spansCached: spans.spansCached,
            spansCopied: 0, wallSeconds: wall, warnings: plan.findings)
    }
}
