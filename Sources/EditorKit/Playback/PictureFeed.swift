internal import EditorCore
internal import EditorMedia

/// Composes pictures ahead of the time they are shown, on a thread of its own.
final class PictureFeed {
    struct Picture: Sendable {
        var number: Int
        /// Which request it belongs to.
        var generation: Int
        var frame: VideoFrame
    }

    /// What is played: replaced when the config changes.
    struct Movie: Sendable {
        var composition: Composition
        var options: Composition.Options
        var plan: RenderPlan
    }

    private struct State: Sendable {
        var movie: Movie
        /// Raised with every request, and with every movie.
        var generation = 0
        var movieNumber = 0
        var start = 0
        /// Whether frames after the first are wanted too.
        var runs = false
        /// Frames before this one come too late.
        var earliest = 0
        /// The frame that is being composed, or was last.
        var composing = 0
        var divisor = 1
        var displaySize: PixelSize?
        var ready: [Picture] = []
        var failure: EditorError?
        var isStopped = false
        /// Seconds that a picture takes: a running mean, and what the slow ones of late took.
        var cost = 0.0
        var slowCost = 0.0
    }

    private struct Job: Sendable {
        var number: Int
        var generation: Int
        var movieNumber: Int
        var movie: Movie
        var divisor: Int
        var displaySize: PixelSize?
    }

    /// Pictures composed ahead.
    private static let ahead = 6

    private let monitor: Monitor<State>
    private let thread: WorkerThread

    init(_ movie: Movie) throws {
        let monitor = Monitor(State(movie: movie))
        self.monitor = monitor
        thread = try WorkerThread { [monitor] in PictureFeed.run(monitor) }
    }

    deinit {
        monitor.withLock { $0.isStopped = true }
        thread.join()
    }

    // MARK: Asking

    /// Asks for the picture of a frame, and for those after it if the feed runs. What was ready is forgotten.
    func request(_ frame: Int, runs: Bool, divisor: Int) -> Int {
        monitor.withLock { state in
            state.generation += 1
            (state.start, state.runs, state.earliest, state.divisor) = (frame, runs, frame, divisor)
            state.composing = frame
            state.ready = []
            return state.generation
        }
    }

    /// Takes another movie; ask for a picture of it.
    func replace(_ movie: Movie) {
        monitor.withLock { state in
            state.movie = movie
            state.movieNumber += 1
            state.generation += 1
            state.ready = []
            state.failure = nil
        }
    }

    func setDisplaySize(_ size: PixelSize?) { monitor.withLock { $0.displaySize = size } }

    /// Makes frames from here on smaller or larger.
    func setDivisor(_ divisor: Int) { monitor.withLock { $0.divisor = divisor } }

    /// Says which frame is due. When even that one is not begun, the next to begin is the one that can be ready in time.
    func catchUp(with due: Int, frameRate: Double) {
        monitor.withLock { state in
            guard state.ready.isEmpty, state.composing < due else { return }
            state.earliest = max(state.earliest, due + Int((state.slowCost * frameRate).rounded(.up)))
        }
    }

    /// Seconds that a picture takes at the moment.
    var cost: Double { monitor.withLock { $0.cost } }

    /// Whether there is a picture of a request.
    func hasPicture(of generation: Int) throws -> Bool {
        try monitor.withLock { state in
            if let failure = state.failure { throw failure }
            return state.ready.contains { $0.generation == generation }
        }
    }

    /// Takes the last ready picture up to `number`; earlier ones are dropped.
    func take(upTo number: Int) throws -> Picture? {
        try monitor.withLock { state in
            if let failure = state.failure { throw failure }
            guard let index = state.ready.lastIndex(where: { $0.number <= number }) else { return nil }
            let picture = state.ready[index]
            state.ready.removeFirst(index + 1)
            return picture
        }
    }

    /// Takes whatever is ready.
    func takeAny() throws -> Picture? { try take(upTo: .max) }

    // MARK: The thread

    private static func run(_ monitor: Monitor<State>) {
        var movie: (number: Int, pictures: PreviewMovie)?
        let scaler = WorkingPictureScaler()
        // Nothing is wanted before the first request.
        var (generation, next) = (0, 0)
        while true {
            let current = (generation, next)
            let job: Job? = monitor.wait { state -> Job?? in
                if state.isStopped { return .some(nil) }
                guard state.failure == nil else { return nil }
                let isNew = state.generation != current.0
                let number = isNew ? state.start : max(current.1, state.earliest)
                guard isNew || state.runs, number < state.movie.plan.frameCount, state.ready.count < ahead else {
                    return nil
                }
                state.composing = number
                return Job(
                    number: number, generation: state.generation, movieNumber: state.movieNumber, movie: state.movie,
                    divisor: state.divisor, displaySize: state.displaySize)
            }
            guard let job else { return }
            (generation, next) = (job.generation, job.number + 1)
            let begin = ContinuousClock.now
            do {
                if movie?.number != job.movieNumber {
                    let made = PreviewMovie(job.movie.composition, job.movie.options, plan: job.movie.plan)
                    movie = (job.movieNumber, made)
                }
                var frame = try movie!.pictures.frame(job.number, divisor: job.divisor)
                if let size = job.displaySize, size.width < frame.width { frame = try scaler.scale(frame, to: size) }
                let seconds = (ContinuousClock.now - begin) / .seconds(1)
                monitor.withLock { state in
                    state.cost = state.cost == 0 ? seconds : state.cost * 0.9 + seconds * 0.1
                    state.slowCost = min(1, max(seconds, state.slowCost * 0.9 + seconds * 0.1))
                    // Late answers to earlier requests are worth showing while the user looks for a place.
                    guard job.movieNumber == state.movieNumber, job.generation == state.generation || !state.runs else {
                        return
                    }
                    state.ready.append(Picture(number: job.number, generation: job.generation, frame: frame))
                }
            } catch {
                let failure = error as? EditorError ?? EditorError(.internalBug, "composing failed: \(error)")
                monitor.withLock { state in
                    if job.movieNumber == state.movieNumber { state.failure = failure }
                }
            }
        }
    }
}
