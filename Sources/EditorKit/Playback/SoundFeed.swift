internal import EditorCore
internal import Glibc

/// Mixes sound a little ahead of its time and queues it on a sound output, on a thread of its own.
final class SoundFeed {
    private struct State: Sendable {
        var plan: RenderPlan
        var library: any MediaLibrary
        /// Factor on the mix, 1 until what the loudness target takes is known.
        var level = 1.0
        /// Raised with every jump and every plan.
        var generation = 0
        var start = 0
        var runs = false
        var isMuted = false
        /// Samples queued since the jump.
        var written = 0
        var failure: EditorError?
        var isStopped = false
    }

    /// Samples kept in the output's queue: what a busy machine may be late by.
    private static let ahead = AudioFormat.sampleRate / 5
    private static let block = 1024

    private let monitor: Monitor<State>
    private let output: any SoundOutput
    private let thread: WorkerThread
    private var search: LevelSearch?

    init(_ plan: RenderPlan, library: any MediaLibrary, output: any SoundOutput) throws {
        let monitor = Monitor(State(plan: plan, library: library))
        self.monitor = monitor
        self.output = output
        thread = try WorkerThread { [monitor, output] in SoundFeed.run(monitor, output) }
        search = try Self.search(plan, library, monitor)
    }

    private static func search(_ plan: RenderPlan, _ library: any MediaLibrary, _ monitor: Monitor<State>) throws
        -> LevelSearch?
    {
        guard plan.loudness != nil else { return nil }
        return try LevelSearch(plan, library: library) { level in monitor.withLock { $0.level = level } }
    }

    deinit {
        monitor.withLock { $0.isStopped = true }
        thread.join()
        output.setPlaying(false)
        output.clear()
    }

    /// Holds the output, forgets what it has, and begins to queue from a sample on.
    func start(at sample: Int) {
        output.setPlaying(false)
        monitor.withLock { state in
            output.clear()
            state.generation += 1
            (state.start, state.written, state.runs) = (sample, 0, true)
        }
    }

    /// Holds the output and forgets what it has.
    func stop() {
        output.setPlaying(false)
        monitor.withLock { state in
            output.clear()
            state.generation += 1
            state.runs = false
        }
    }

    func replace(_ plan: RenderPlan, library: any MediaLibrary) throws {
        stop()
        search = nil
        monitor.withLock { state in
            (state.plan, state.library, state.failure, state.level) = (plan, library, nil, 1)
        }
        search = try Self.search(plan, library, monitor)
    }

    func setMuted(_ isMuted: Bool) { monitor.withLock { $0.isMuted = isMuted } }

    /// Whether enough is queued to begin.
    var isPrimed: Bool { monitor.withLock { $0.written >= Self.ahead / 2 || $0.failure != nil } }

    /// The first sample that the output has not taken yet, on the movie's clock.
    var position: Int { monitor.withLock { $0.start + $0.written - output.queuedSamples } }

    func check() throws { if let failure = monitor.withLock({ $0.failure }) { throw failure } }

    private static func run(_ monitor: Monitor<State>, _ output: any SoundOutput) {
        var generation = -1
        var mixer: AudioMixer?
        var level = 1.0
        var buffer = AudioBuffer(sampleCount: 0)
        while true {
            let state: State? = monitor.wait { state -> State?? in
                if state.isStopped { return .some(nil) }
                guard state.runs, state.failure == nil else { return nil }
                return state
            }
            guard let state else { return }
            do {
                if generation != state.generation || mixer == nil || level != state.level {
                    mixer = try AudioMixer(
                        state.plan, library: state.library, startingAt: state.start + state.written, level: state.level)
                    (generation, level) = (state.generation, state.level)
                }
                guard output.queuedSamples < ahead else {
                    usleep(4_000)
                    continue
                }
                buffer.clear(sampleCount: block)
                try mixer!.fill(&buffer)
                if state.isMuted { buffer.clear(sampleCount: block) }
                monitor.withLock { [buffer] state in
                    guard state.generation == generation, state.runs else { return }
                    output.queue(buffer)
                    state.written += block
                }
            } catch {
                let failure = error as? EditorError ?? EditorError(.internalBug, "mixing failed: \(error)")
                monitor.withLock { if $0.generation == generation { $0.failure = failure } }
                generation = -1
                mixer = nil
            }
        }
    }
}
