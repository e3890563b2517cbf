public import EditorCore

/// Plays a composition straight from its plan: pictures with all effects, and sound; no file is written.
///
/// ```swift
/// let player = try CompositionPlayer(try Composition(contentsOf: "cfg.json"))
/// player.play()
/// while player.isPlaying {
///     if let picture = try player.update() { /* show it */ player.didShow() }
///     /* wait player.secondsToNext */
/// }
/// ```
///
/// The sound is the clock. Pictures are composed ahead on another thread; when that is too slow, frames are left out and
/// then the pictures become smaller, never late. While it is paused pictures have their full size.
///
/// Belongs to one thread, which calls `update` often.
public final class CompositionPlayer {
    public private(set) var frameCount: Int
    public private(set) var frameRate: Rational
    /// Size of the movie.
    public private(set) var canvas: PixelSize
    public private(set) var isPlaying = false
    /// Whether it begins anew at the end.
    public var isLooping = false
    public var isMuted = false { didSet { sounds.setMuted(isMuted) } }
    /// The frame that shows, or will as soon as it is composed.
    public private(set) var frame: Int
    /// By how much the pictures' sides are divided while it plays: 1, 2 or 4.
    public private(set) var divisor = 1
    public private(set) var statistics = PlaybackStatistics()

    private let pictures: PictureFeed
    private let sounds: SoundFeed
    private let output: any SoundOutput
    private var movie: PictureFeed.Movie
    private var clock = PlaybackClock()
    /// Whether it waits for the first picture and sound after a jump.
    private var isStarting = false
    private var generation = 0
    private var shown: (number: Int, generation: Int)?
    private var notices: [String] = []
    private var lastShown = ContinuousClock.now
    /// Seconds after its time that a picture is still shown.
    private static let mostLate = 0.02
    /// Frames that were due and left out since this instant.
    private var watch: (since: ContinuousClock.Instant, due: Int, dropped: Int) = (.now, 0, 0)

    /// - Parameters:
    ///   - start: the time that is shown first.
    ///   - output: where the sound goes; nil is nowhere, in its time.
    /// - Throws: `EditorError` with all findings of the config when there is an error.
    public init(
        _ composition: Composition, options: Composition.Options = .init(), startingAt start: MediaTime = .zero,
        output: (any SoundOutput)? = nil
    ) throws {
        let plan = try composition.picturePlan(options)
        let output = output ?? SilentOutput()
        movie = PictureFeed.Movie(composition: composition, options: options, plan: plan)
        (frameCount, frameRate, canvas) = (plan.frameCount, plan.frameRate, plan.canvas)
        frame = Self.frame(at: start, in: plan)
        pictures = try PictureFeed(movie)
        sounds = try SoundFeed(plan, library: composition.library(.exact), output: output)
        self.output = output
        clock.latency = output.latency
        generation = pictures.request(frame, runs: false, divisor: 1)
    }

    private static func frame(at time: MediaTime, in plan: RenderPlan) -> Int {
        let tolerance = MediaTime(value: 1, timescale: 2000)
        return max(0, min(plan.frameCount - 1, Int((time + tolerance).ticksRoundedDown(per: plan.frameRate))))
    }

    /// Length of the movie.
    public var duration: MediaTime { frameRate.duration(ofTicks: Int64(frameCount)) }
    /// Time of the frame that shows.
    public var time: MediaTime { frameRate.duration(ofTicks: Int64(frame)) }

    /// The size that pictures are wanted in, even; larger ones are scaled to it. nil leaves them as they are.
    public var displaySize: PixelSize? {
        didSet {
            guard displaySize != oldValue else { return }
            pictures.setDisplaySize(displaySize)
            divisor = smallestDivisor
            if isPlaying { pictures.setDivisor(divisor) } else { refresh() }
        }
    }

    /// There is no use in pictures more than half as large again as they are shown.
    private var smallestDivisor: Int {
        guard let displaySize else { return 1 }
        return PreviewMovie.divisors.last { canvas.width / $0 >= displaySize.width } ?? 1
    }

    // MARK: Moving

    public func play() {
        guard !isPlaying else { return }
        if frame >= frameCount - 1 { frame = 0 }
        isPlaying = true
        start()
    }

    public func pause() {
        guard isPlaying else { return }
        isPlaying = false
        isStarting = false
        sounds.stop()
        refresh()
    }

    /// Goes to a frame; playing goes on from there. Frames beyond the ends are taken for those.
    public func seek(toFrame number: Int) {
        frame = max(0, min(number, frameCount - 1))
        if isPlaying { start() } else { refresh() }
    }

    public func seek(to time: MediaTime) { seek(toFrame: Self.frame(at: max(.zero, time), in: movie.plan)) }

    /// Asks for the whole picture of the frame that shows.
    private func refresh() { generation = pictures.request(frame, runs: false, divisor: 1) }

    private func start() {
        isStarting = true
        generation = pictures.request(frame, runs: true, divisor: divisor)
        sounds.start(at: Int(time.ticksRounded(per: Rational(Int64(AudioFormat.sampleRate)))))
        watch = (.now, 0, 0)
    }

    /// Plays another composition from the same time on, as when its config was changed.
    /// - Throws: `EditorError` when that has errors; then everything stays as it was.
    public func replace(_ composition: Composition, options: Composition.Options = .init()) throws {
        let plan = try composition.picturePlan(options)
        let time = time
        movie = PictureFeed.Movie(composition: composition, options: options, plan: plan)
        (frameCount, frameRate, canvas) = (plan.frameCount, plan.frameRate, plan.canvas)
        frame = Self.frame(at: time, in: plan)
        divisor = smallestDivisor
        shown = nil
        pictures.replace(movie)
        try sounds.replace(plan, library: composition.library(.exact))
        if isPlaying { start() } else { refresh() }
    }

    // MARK: Showing

    /// What should be shown now, if that is another picture than before.
    /// - Throws: `EditorError` when composing or mixing fails.
    public func update() throws -> VideoFrame? {
        guard isPlaying else {
            guard let picture = try pictures.takeAny(), shown == nil || shown! != (picture.number, picture.generation)
            else { return nil }
            shown = (picture.number, picture.generation)
            return picture.frame
        }
        try sounds.check()
        if isStarting {
            guard try pictures.hasPicture(of: generation), sounds.isPrimed else { return nil }
            isStarting = false
            output.setPlaying(true)
        }
        let now = clock.seconds(at: sounds.position)
        let due = Int((now * frameRate.doubleValue + 1e-6).rounded(.down))
        if due >= frameCount { return try end() }
        pictures.catchUp(with: due, frameRate: frameRate.doubleValue)
        guard let picture = try pictures.take(upTo: max(due, frame)), picture.generation == generation else {
            return nil
        }
        // One that comes too late is left out as well, unless nothing else was to be seen for a while.
        let lateness = now - Double(picture.number) / frameRate.doubleValue
        if lateness > Self.mostLate + 1 / frameRate.doubleValue, ContinuousClock.now - lastShown < .seconds(2) {
            return nil
        }
        lastShown = .now
        if let shown, shown.generation == generation, picture.number > shown.number {
            let left = picture.number - shown.number - 1
            statistics.dropped += left
            watch.dropped += left
            watch.due += left
        }
        watch.due += 1
        shown = (picture.number, generation)
        frame = picture.number
        adapt()
        return picture.frame
    }

    /// Says that the picture that `update` gave was handed to the screen: the clock is compared with its time.
    public func didShow() {
        guard isPlaying, !isStarting, let shown, shown.generation == generation else { return }
        let now = clock.seconds(at: sounds.position)
        statistics.add(milliseconds: (now - Double(shown.number) / frameRate.doubleValue) * 1000)
    }

    /// Seconds until something new may be there.
    public var secondsToNext: Double {
        guard isPlaying, !isStarting else { return shown?.generation == generation ? 0.05 : 0.005 }
        let now = clock.seconds(at: sounds.position)
        return max(0.001, min(0.05, Double(frame + 1) / frameRate.doubleValue - now))
    }

    private func end() throws -> VideoFrame? {
        if isLooping {
            seek(toFrame: 0)
        } else {
            isPlaying = false
            sounds.stop()
            frame = frameCount - 1
            refresh()
        }
        return nil
    }

    /// Makes pictures smaller when more than a tenth of them was left out for two seconds.
    private func adapt() {
        guard ContinuousClock.now - watch.since > .seconds(2) else { return }
        let isSlow = watch.dropped * 10 > watch.due && pictures.cost * frameRate.doubleValue > 0.8
        watch = (.now, 0, 0)
        guard isSlow, let next = PreviewMovie.divisors.first(where: { $0 > divisor }) else { return }
        divisor = next
        pictures.setDivisor(next)
        notices.append(
            "this machine is too slow for the preview's size; pictures are composed at \(next == 2 ? "half" : "a quarter of") the movie's size while it plays"
        )
    }

    /// What the user should be told since the last call.
    public func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    /// Writes the frame that shows, whole and exact, as PNG, JPEG or WebP by the name's ending. An existing file
    /// is replaced.
    public func writeFrame(to path: String) throws {
        try FrameGenerator(movie.plan, of: movie.composition).writePicture(at: time, to: path, replacing: true)
    }
}
