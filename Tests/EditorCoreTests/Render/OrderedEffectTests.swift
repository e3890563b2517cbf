import EditorTestSupport
import Synchronization
import Testing

@testable import EditorCore

/// Effects that remember earlier frames, and effects that fail.
@Suite struct OrderedEffectTests {
    /// Adds the number of frames it has seen to luma; throws at one frame of the movie if that is asked for.
    private final class Counting: VideoEffect {
        static let id = "counting"
        static let summary = "Counts."
        private let failing: Int
        private var seen = 0

        init(_ parameters: StageAmount, context: EffectContext) { failing = Int(parameters.amount) }
        init(failing: Int) { self.failing = failing }

        func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
            seen += 1
            let seen = seen
            frame.withMutablePlane(0) { pixels, layout in
                for y in 0..<layout.height {
                    for x in 0..<layout.width { pixels[y * layout.stride + x] &+= UInt8(seen) }
                }
            }
            if time.index == failing { throw ModuleFailure("crashed with signal 11") }
        }
    }

    private static func stage(failing: Int = -1, skips: Bool = false) -> Stage {
        var stage = Stage(["a": .init(number: 1, frameCount: 40)])
        let descriptor = EffectDescriptor(
            id: "counting", kind: .video, summary: "Counts.", version: 1, example: [:], origin: .frei0r, file: "/f.so",
            identity: " 1", isOrdered: true, parameters: []
        ) { _, _, _, _ in
            PreparedEffect(skipsOnFailure: skips) { _ in .video(Counting(failing: failing)) }
        }
        // The name is not taken.
        try! stage.registry.register([descriptor], as: "plugins")
        return stage
    }

    private static let config: JSONValue = ["assetArray": ["a"], "effects": [["type": "counting"]]]

    /// Frames in any order are those of a run from the first to the last, whose effect begins anew with each span.
    @Test func anyOrderGivesTheSamePictures() throws {
        let stage = Self.stage()
        let plan = try stage.plan(Self.config)
        let plain = try stage.plan(["assetArray": ["a"]])
        let forward = Compositor(plan, library: stage.library)
        let frames = try (0..<plan.frameCount).map { try forward.frame($0) }
        for (number, frame) in frames.enumerated() {
            let before = try Compositor(plain, library: stage.library).frame(number)
            let seen = UInt8(number % plan.settings.keyFrameInterval + 1)
            let expected = SyntheticFrames.bytes(of: before, plane: 0).map { $0 &+ seen }
            #expect(SyntheticFrames.bytes(of: frame, plane: 0) == expected, "frame \(number)")
        }
        var random = SplitMix64(5)
        let jumping = Compositor(plan, library: stage.library)
        for number in (0..<plan.frameCount).shuffled(using: &random) {
            #expect(SyntheticFrames.areEqual(try jumping.frame(number), frames[number]), "frame \(number)")
        }
    }

    /// Of something live an effect sees what is made, once each, whatever is left out or stands; going back begins anew.
    @Test func aLiveFrameIsMadeOnce() throws {
        let stage = Self.stage()
        let plan = try stage.plan(Self.config)
        let plain = try stage.plan(["assetArray": ["a"]])
        let compositor = Compositor(plan, library: stage.library)
        for (number, seen) in [(3, 1), (3, 2), (9, 3), (31, 4), (2, 1), (38, 2)] {
            let before = SyntheticFrames.bytes(
                of: try Compositor(plain, library: stage.library).frame(number), plane: 0)
            let now = SyntheticFrames.bytes(of: try compositor.liveFrame(number), plane: 0)
            #expect(now == before.map { $0 &+ UInt8(seen) }, "frame \(number)")
        }
    }

    @Test(arguments: [1, 3])
    func jobsDoNotChangeTheMovie(jobs: Int) throws {
        let stage = Self.stage()
        let plan = try stage.plan(Self.config)
        func movie(_ jobs: Int) throws -> [UInt8]? {
            let movie = MemoryMovie()
            let session = RenderSession(
                plan, library: stage.library, format: movie, store: movie, jobs: jobs, cancellation: Cancellation()
            ) { _ in }
            _ = try session.run(to: "m")
            return movie.movies["m"]
        }
        #expect(try movie(jobs) == movie(2))
    }

    @Test func aFailureEndsTheRenderAndNamesTheFrame() throws {
        let stage = Self.stage(failing: 14)
        let plan = try stage.plan(Self.config)
        let error = try #require(throws: EditorError.self) {
            let compositor = Compositor(plan, library: stage.library)
            for number in 0..<plan.frameCount { _ = try compositor.frame(number) }
        }
        #expect(error.kind == .unavailable)
        #expect(error.message.contains("counting") && error.message.contains("frame 14"), "\(error.message)")
    }

    /// What may be skipped is missing from the failure to the end of its span, and nowhere else; such a span is not kept.
    @Test func aFailureIsSkippedUntilTheSpanEnds() throws {
        let stage = Self.stage(failing: 14, skips: true)
        let plan = try stage.plan(Self.config)
        let plain = try stage.plan(["assetArray": ["a"]])
        let compositor = Compositor(plan, library: stage.library)
        let length = plan.settings.keyFrameInterval
        for number in 0..<plan.frameCount {
            let before = SyntheticFrames.bytes(
                of: try Compositor(plain, library: stage.library).frame(number), plane: 0)
            let isSkipped = number >= 14 && number / length == 14 / length
            let seen = isSkipped ? 0 : UInt8(number % length + 1)
            let now = SyntheticFrames.bytes(of: try compositor.frame(number), plane: 0)
            #expect(now == before.map { $0 &+ seen }, "frame \(number)")
        }
        let findings = compositor.takeFailures()
        #expect(findings.count == 1 && findings[0].message.contains("frame 14"))

        let movie = MemoryMovie()
        let told = Mutex(0)
        let session = RenderSession(
            plan, library: stage.library, format: movie, store: movie, jobs: 2, cancellation: Cancellation()
        ) { event in if case .finding = event { told.withLock { $0 += 1 } } }
        _ = try session.run(to: "m")
        #expect(told.withLock { $0 } == 1)
        for span in plan.spans {
            let name = RenderSession.name(of: span, format: movie)
            #expect(movie.contains(name) == !span.frames.contains(14), "span \(span.index)")
        }
    }
}
