internal import Synchronization

/// Renders a plan to a movie file: lanes render the spans that the store does not have, one thread makes the sound, and
/// the writer puts them together.
///
/// The bytes are the same whatever `jobs` is, and whether spans were rendered or came from the store. The first failure
/// wins: everything stops, the unfinished file is removed, finished spans stay in the store.
public struct RenderSession: Sendable {
    private let plan: RenderPlan
    private let library: any MediaLibrary
    private let format: any MovieFormat
    private let store: any SpanStore
    private let jobs: Int
    private let cancellation: Cancellation
    private let report: @Sendable (RenderEvent) -> Void

    /// - Parameters:
    ///   - jobs: encoder threads that work side by side, at least 1: as many lanes as that gives, and one at least.
    ///   - report: called from the session's threads, one call at a time for progress.
    public init(
        _ plan: RenderPlan, library: any MediaLibrary, format: any MovieFormat, store: any SpanStore, jobs: Int,
        cancellation: Cancellation, report: @escaping @Sendable (RenderEvent) -> Void
    ) {
        self.plan = plan
        self.library = InterruptibleLibrary(library, cancellation: cancellation)
        self.format = format
        self.store = store
        self.jobs = max(1, jobs)
        self.cancellation = cancellation
        self.report = report
    }

    public struct Result: Sendable {
        public var spansRendered: Int
        public var spansCached: Int
        /// Of the movie's sound before its encoding; nil for a movie without sound.
        public var loudness: LoudnessReading?
    }

    /// Name of a span in the store.
    public static func name(of span: RenderSpan, format: any MovieFormat) -> Fingerprint {
        Fingerprint("\(span.content) \(format.pictureIdentity)")
    }

    /// Runs on the calling thread until the file at `path` is complete.
    /// - Parameter replacing: whether a file that has the name already gives way to the finished movie.
    /// - Throws: `EditorError`.
    public func run(to path: String, replacing: Bool = false) throws -> Result {
        let writer = try format.makeWriter(path: path, replacing: replacing, subtitles: plan.subtitles)
        let names = SpanNames(format: format)
        defer { for name in names.passing { store.remove(name) } }
        do {
            let missing = plan.spans.filter { !store.contains(names.name(of: $0)) }
            let kept = plan.spans.count - missing.count
            report(.detail("spans: \(missing.count) to render, \(kept) kept from before"))
            try render(missing, names)
            report(.detail("writing the movie"))
            try write(with: writer, names)
            return Result(
                spansRendered: missing.count, spansCached: plan.spans.count - missing.count,
                loudness: format.audioCodec == nil ? nil : LoudnessReading(store.load(readingName)?.first))
        } catch {
            writer.abandon()
            throw error
        }
    }

    private func render(_ spans: [RenderSpan], _ names: SpanNames) throws {
        let missingFrames = spans.reduce(0) { $0 + $1.frames.count }
        let progress = RenderProgress(frames: plan.frameCount, cached: plan.frameCount - missingFrames, report: report)
        progress.tell()
        let lanes = min(max(1, jobs / format.encoderThreads), spans.count)
        let queue = SpanQueue(spans, workers: max(1, lanes))
        let failure = FirstFailure()
        var threads: [WorkerThread] = []
        failure.catching {
            for number in 0..<lanes {
                let lane = RenderLane(
                    plan: plan, library: library, format: format, store: store, cancellation: cancellation,
                    failure: failure, progress: progress, names: names, report: report)
                threads.append(try WorkerThread { failure.catching { try lane.run { queue.next(for: number) } } })
            }
        }
        let hasSound = store.contains(soundName) && store.contains(readingName)
        if format.audioCodec != nil, !failure.hasFailed, !hasSound {
            // On this thread: the lanes have theirs.
            failure.catching { try renderSound(names, stopping: failure) }
        }
        for thread in threads { thread.join() }
        try failure.rethrow()
    }

    private func write(with writer: any MovieWriter, _ names: SpanNames) throws {
        if format.audioCodec != nil {
            if store.load(names.soundName ?? soundName) == nil { try renderSound(names, stopping: FirstFailure()) }
            guard let sound = store.load(names.soundName ?? soundName) else { throw Self.lost("the sound") }
            try writer.writeSound(sound)
        }
        for span in plan.spans {
            try cancellation.check()
            if let packets = store.load(names.name(of: span)) {
                try writer.writeSpan(packets, firstFrame: span.frames.lowerBound)
                continue
            }
            // Damaged, or put out by another process meanwhile: it is made again.
            try render([span], names)
            guard let packets = store.load(names.name(of: span)) else { throw Self.lost("span \(span.index)") }
            try writer.writeSpan(packets, firstFrame: span.frames.lowerBound)
        }
        try writer.finish()
    }

    private static func lost(_ what: String) -> EditorError {
        EditorError(.ioFailed, "\(what) vanished from the cache or is damaged there; run the command again")
    }

    // MARK: Sound

    private var soundName: Fingerprint { Fingerprint(SoundDescription(plan).text + format.soundIdentity) }
    /// What the meter read is kept beside the sound.
    private var readingName: Fingerprint { Fingerprint("loudness of \(soundName)") }

    private func renderSound(_ names: SpanNames, stopping failure: FirstFailure) throws {
        let shouldStop = {
            try cancellation.check()
            return failure.hasFailed
        }
        let pass = LoudnessPass(plan, library: library, shouldStop: shouldStop)
        guard let level = try pass.level() else { return }
        let mixer = AudioMixer(plan, library: library, level: level)
        let meter = try library.makeLoudnessMeter()
        let encoder = try format.makeSoundEncoder()
        var buffer = AudioBuffer(sampleCount: 0)
        var position = 0
        while position < plan.sampleCount {
            if try shouldStop() { return }
            buffer.clear(sampleCount: min(8192, plan.sampleCount - position))
            try mixer.fill(&buffer)
            try meter.add(buffer)
            try encoder.encode(buffer)
            position += buffer.sampleCount
        }
        try store.save([try meter.reading().packet], as: readingName)
        let skipped = mixer.takeFailures()
        if !skipped.isEmpty { names.markSoundIncomplete(soundName) }
        for finding in skipped { report(.finding(finding)) }
        try store.save(try encoder.finish(), as: names.soundName ?? soundName)
    }
}

/// Keeps the first error of several threads and tells the others to stop.
package final class FirstFailure: Sendable {
    private let error = Mutex<(any Error)?>(nil)
    private let raised = Atomic<Bool>(false)

    package init() {}

    package var hasFailed: Bool { raised.load(ordering: .relaxed) }

    package func catching(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            self.error.withLock { if $0 == nil { $0 = error } }
            raised.store(true, ordering: .relaxed)
        }
    }

    package func rethrow() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
