import EditorTestSupport
import Glibc
import Synchronization
import Testing

@testable import EditorCore

@Suite struct RenderSessionTests {
    static let stage = Stage([
        "a": .init(number: 1, frameCount: 60, sound: SyntheticSound.noise(amplitude: 0.2, count: 96_000)),
        "b": .init(number: 2, frameCount: 40, rate: Rational(24)),
    ])

    static let config: JSONValue = [
        "assetArray": [["path": "a", "transition": ["type": "mix", "duration": 0.5]], "b"],
        "effects": [["type": "lift", "amount": 5, "timeRange": ["start": 1, "duration": 0.5]]],
    ]

    static func session(
        _ plan: RenderPlan, _ movie: MemoryMovie, jobs: Int = 1, cancellation: Cancellation = Cancellation(),
        report: @escaping @Sendable (RenderEvent) -> Void = { _ in }
    ) -> RenderSession {
        RenderSession(
            plan, library: stage.library, format: movie, store: movie, jobs: jobs, cancellation: cancellation,
            report: report)
    }

    /// The movie that an undisturbed run on one thread makes.
    static func undisturbed(_ plan: RenderPlan) throws -> [UInt8] {
        let movie = MemoryMovie()
        _ = try session(plan, movie).run(to: "m")
        return try #require(movie.movies["m"])
    }

    @Test(arguments: [2, 3, 16])
    func jobsDoNotChangeTheMovie(jobs: Int) throws {
        let plan = try Self.stage.plan(Self.config)
        let movie = MemoryMovie()
        let result = try Self.session(plan, movie, jobs: jobs).run(to: "m")
        #expect(result.spansRendered == plan.spans.count && result.spansCached == 0)
        #expect(movie.encodedFrames == plan.frameCount)
        let expected = try Self.undisturbed(plan)
        #expect(movie.movies["m"] == expected)
        #expect(movie.abandonedCount == 0)
    }

    @Test func keptSpansAreNotRenderedAgain() throws {
        let plan = try Self.stage.plan(Self.config)
        let movie = MemoryMovie()
        _ = try Self.session(plan, movie, jobs: 2).run(to: "first")
        movie.forget([plan.spans[2], plan.spans[5]].map { RenderSession.name(of: $0, format: movie) })
        let before = movie.encodedFrames
        let result = try Self.session(plan, movie, jobs: 2).run(to: "second")
        #expect(result.spansRendered == 2 && result.spansCached == plan.spans.count - 2)
        #expect(movie.encodedFrames - before == plan.spans[2].frames.count + plan.spans[5].frames.count)
        #expect(movie.movies["first"] == movie.movies["second"])
    }

    @Test func aChangeRendersItsSpansAlone() throws {
        let movie = MemoryMovie()
        _ = try Self.session(try Self.stage.plan(Self.config), movie).run(to: "m")
        guard case .object(var members) = Self.config else { return }
        members["effects"] = [["type": "lift", "amount": 6, "timeRange": ["start": 1, "duration": 0.5]]]
        let changed = try Self.stage.plan(.object(members))
        let result = try Self.session(changed, movie).run(to: "m")
        // 1 … 1.5 seconds are spans 3 and 4.
        #expect(result.spansRendered == 2)
        #expect(try movie.movies["m"] == Self.undisturbed(changed))
    }

    @Test(arguments: [1, 3])
    func cancellingStopsWithinAFrameAndKeepsWhatIsFinished(jobs: Int) throws {
        let plan = try Self.stage.plan(Self.config)
        let cancellation = Cancellation()
        let movie = MemoryMovie { if $0 == 45 { cancellation.cancel() } }
        let error = #expect(throws: EditorError.self) {
            try Self.session(plan, movie, jobs: jobs, cancellation: cancellation).run(to: "m")
        }
        #expect(error?.kind == .cancelled)
        // Each worker may finish the frame it is at.
        #expect(movie.encodedFrames < 45 + jobs)
        #expect(movie.movies.isEmpty && movie.abandonedCount == 1)
        let kept = plan.spans.count { movie.contains(RenderSession.name(of: $0, format: movie)) }
        #expect(kept >= 45 / 10 - jobs && kept <= 4)

        let again = try Self.session(plan, movie, jobs: jobs).run(to: "m")
        #expect(again.spansCached == kept && again.spansRendered == plan.spans.count - kept)
        #expect(try movie.movies["m"] == Self.undisturbed(plan))
    }

    @Test(arguments: [1, 3])
    func theFirstFailureWins(jobs: Int) throws {
        let plan = try Self.stage.plan(Self.config)
        // What comes after the failure takes its time, as real frames do: the others get to hear of it.
        let movie = MemoryMovie {
            if $0 == 33 { throw EditorError(.ioFailed, "the disk is full") }
            if $0 > 33 { usleep(50_000) }
        }
        let error = #expect(throws: EditorError.self) { try Self.session(plan, movie, jobs: jobs).run(to: "m") }
        #expect(error?.message == "the disk is full", "not that the others were stopped")
        #expect(movie.movies.isEmpty && movie.abandonedCount == 1)
        #expect(movie.encodedFrames < plan.frameCount)
    }

    @Test func whatASourceOrAnEffectThrowsIsPassedOn() throws {
        let plan = try Self.stage.plan(Self.config)
        let other = FakeMediaLibrary(["a": .init(number: 1, frameCount: 60)])
        let movie = MemoryMovie(hasSound: false)
        let session = RenderSession(
            plan, library: other, format: movie, store: movie, jobs: 2, cancellation: Cancellation(), report: { _ in })
        let error = #expect(throws: EditorError.self) { try session.run(to: "m") }
        #expect(error?.message == "there is no b")
        #expect(movie.abandonedCount == 1)
    }

    /// A store that loses what it was given is no silent success.
    @Test func aVanishedSpanIsAnError() throws {
        let plan = try Self.stage.plan(Self.config)
        let movie = MemoryMovie()
        let session = RenderSession(
            plan, library: Self.stage.library, format: movie, store: Forgetful(), jobs: 1, cancellation: Cancellation(),
            report: { _ in })
        let error = #expect(throws: EditorError.self) { try session.run(to: "m") }
        #expect(error?.kind == .ioFailed)
        #expect(movie.movies.isEmpty && movie.abandonedCount == 1)
    }

    private struct Forgetful: SpanStore {
        func contains(_ name: Fingerprint) -> Bool { false }
        func load(_ name: Fingerprint) -> [EncodedPacket]? { nil }
        func save(_ packets: [EncodedPacket], as name: Fingerprint) throws {}
        func remove(_ name: Fingerprint) {}
    }

    @Test func namesHoldTheEncoder() throws {
        let span = try Self.stage.plan(Self.config).spans[0]
        let (one, other) = (MemoryMovie(), MemoryMovie(pictureIdentity: "crf 20"))
        #expect(RenderSession.name(of: span, format: one) != RenderSession.name(of: span, format: other))
    }

    @Test func progressCountsKeptFramesAndEndsAtOne() throws {
        let plan = try Self.stage.plan(Self.config)
        let movie = MemoryMovie()
        _ = try Self.session(plan, movie).run(to: "m")
        movie.forget([RenderSession.name(of: plan.spans[3], format: movie)])
        let told = Mutex<[RenderEvent.Progress]>([])
        let session = Self.session(plan, movie) { event in
            if case .progress(let progress) = event { told.withLock { $0.append(progress) } }
        }
        _ = try session.run(to: "m")
        let progress = told.withLock { $0 }
        #expect(progress.first?.frame == plan.frameCount - plan.spans[3].frames.count)
        #expect(progress.last?.fraction == 1 && progress.last?.frame == plan.frameCount)
    }
}
