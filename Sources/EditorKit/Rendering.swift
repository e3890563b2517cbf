public import EditorCore
internal import EditorMedia

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
    /// What the finished sound measures before its encoding; nil for a movie without sound.
    public var loudness: LoudnessReading?
    public var warnings: [Finding]
}

extension Composition {
    /// Bytes that files from the web may occupy from one run to the next.
    static let webCacheCapacity = 2 << 30

    /// Where files from the web are kept.
    static var webCache: WebCache { WebCache(folder: StandardFolders.caches + "/web") }

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
        var options = options
        options.onDownload = { [told = options.onDownload] download in
            told(download)
            report(.download(download))
        }
        let location = OutputLocation(configuration, output: options.output, baseDirectory: baseDirectory)
        let plan = try plan(options, output: location, cancellation: cancellation)
        for finding in plan.findings { report(.finding(finding)) }
        try cancellation.check()
        try location.makeFolder()

        report(.state(.exporting))
        let format = try FFmpegMovieBackend().format(for: plan.settings)
        let kept = options.usesCache ? SpanCache.store : nil
        let store: any SpanStore = try kept ?? ScratchSpanStore(in: StandardFolders.temporary)
        let jobs = options.jobs ?? Cores.count
        for line in summary(of: plan, format) { report(.detail(line)) }
        report(.detail(kept == nil ? "spans are not kept" : "spans are kept in \(SpanCache.folder)"))
        let skipped = FindingCollector()
        let session = RenderSession(
            plan, library: library, format: format, store: store, jobs: jobs, cancellation: cancellation
        ) { event in
            if case .finding(let finding) = event { skipped.add(finding) }
            report(event)
        }
        let spans: RenderSession.Result
        do {
            spans = try session.run(to: location.path, replacing: options.overwrites)
        } catch let error as EditorError where error.kind == .ioFailed && !error.message.contains(location.path) {
            throw EditorError(.ioFailed, "\(location.path) could not be made: \(error.message)")
        }
        kept?.trim()
        Self.webCache.trim(to: Self.webCacheCapacity)
        var warnings = plan.findings + skipped.findings
        if let missed = Self.missedTarget(plan.loudness, spans.loudness) {
            warnings.append(missed)
            report(.finding(missed))
        }
        let wall = (ContinuousClock.now - start) / .seconds(1)
        report(.detail("finished in \((wall * 100).rounded() / 100) s"))
        return RenderResult(
            path: location.path, duration: plan.duration.seconds,
            frames: format.videoCodec == nil ? 0 : plan.frameCount,
            size: plan.canvas,
            frameRate: plan.frameRate, videoCodec: format.videoCodec, audioCodec: format.audioCodec,
            spansTotal: plan.spans.count, spansRendered: spans.spansRendered, spansCached: spans.spansCached,
            spansCopied: 0, wallSeconds: wall, loudness: spans.loudness, warnings: warnings)
    }

    /// A warning when the sound did not come to its loudness target.
    private static func missedTarget(_ target: LoudnessTarget?, _ reading: LoudnessReading?) -> Finding? {
        guard let target, let reading else { return nil }
        let wanted = JSONValue.number(target.target).text()
        guard let reached = reading.integrated else {
            return Finding(
                .warning, code: "loudness.silent", at: JSONPointer(["loudness"]),
                "the movie is too short or too silent for a loudness of \(wanted) LUFS; it is as it was mixed",
                hint: "leave loudness out")
        }
        guard abs(reached - target.target) > 0.5 else { return nil }
        return Finding(
            .warning, code: "loudness.missed", at: JSONPointer(["loudness"]),
            "the movie comes to \(MediaTime.text((reached * 10).rounded() / 10)) LUFS instead of \(wanted): its peaks reach "
                + "the ceiling of \(JSONValue.number(target.truePeak).text()) dBTP first",
            hint: "ask for less loudness")
    }
}
