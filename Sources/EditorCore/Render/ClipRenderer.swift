/// The pictures of one placed clip: source, clip effects, and its place on the canvas. Belongs to one thread.
final class ClipRenderer {
    private let clip: Clip
    private let canvas: PixelSize
    private let frameRate: Rational
    private let source: any VideoSource
    private let library: any MediaLibrary
    private let pool: FramePool
    private let failures: EffectFailures
    private var effects: (stack: EffectStack, size: PixelSize)?
    /// The slow move over the picture, and what draws it.
    private let path: KenBurnsPath?
    private lazy var resampler = PictureResampler()
    private var backdrop: BlurredBackdrop?
    /// The last backdrop, and the picture it was made of: a still that moves over it needs one for all.
    private var backed: (source: VideoFrame, picture: VideoFrame)?
    /// The last canvas, and what it was made of: while a source holds its picture there is nothing to do again.
    private var made: (source: VideoFrame, canvas: VideoFrame)?

    init(
        _ clip: Clip, canvas: PixelSize, frameRate: Rational, library: any MediaLibrary, pool: FramePool,
        failures: EffectFailures
    ) throws {
        self.failures = failures
        self.clip = clip
        self.canvas = canvas
        self.frameRate = frameRate
        self.library = library
        self.pool = pool
        var request = PictureRequest(
            canvas: clip.placementCanvas(canvas), gravity: clip.gravity, isCropped: clip.effects.isEmpty)
        path = clip.path(over: request.canvas)
        if let path {
            func enlarged(_ length: Int) -> Int { Int((Double(length) * path.enlargement / 2).rounded()) * 2 }
            request.canvas = PixelSize(width: enlarged(request.canvas.width), height: enlarged(request.canvas.height))
            request.isCropped = false
        }
        source =
            clip.media.isGenerated
            ? ClearGround(clip.media, request: request, pool: pool)
            : try library.openVideo(clip.media, request: request)
    }

    /// Begins a span of the movie.
    func beginSpan() { effects?.stack.beginSpan() }

    /// The clip alone on the canvas.
    func canvas(over blank: VideoFrame, at time: MediaTime) throws -> VideoFrame {
        var placed = try sourcePicture(at: time)
        let isPlain = clip.effects.isEmpty && path == nil
        // What is not shown again is nobody else's, and is drawn on without a copy.
        let isShownAgain = try keepsPicture(after: time)
        let last = made
        if !isShownAgain { made = nil }
        if isPlain, let last, last.source.isSamePicture(as: placed.frame) { return last.canvas }
        let held = isPlain && isShownAgain ? placed.frame : nil
        try applyEffects(to: &placed, at: time)
        let whole = placed.frame
        move(&placed, at: time)
        let covers = path == nil ? placed.covers(canvas) : placed.frame.format == .yuv420
        var result: VideoFrame
        if covers, placed.frame.size == canvas, placed.frame.format == .yuv420 {
            result = placed.frame
        } else {
            var ground = blank
            if clip.gravity == .resizeAspectBlur, !covers {
                ground = backdropPicture(of: whole, keeps: isShownAgain)
            }
            if placed.frame.format == .yuva420 {
                PictureBlit.composite(placed.frame, over: &ground, x: placed.x, y: placed.y)
                result = ground
            } else {
                result = PictureBlit.picture(placed.frame, on: ground, x: placed.x, y: placed.y, pool: pool)
            }
        }
        made = held.map { ($0, result) }
        return result
    }

    /// - Parameter keeps: whether the same picture will be asked for again.
    private func backdropPicture(of whole: VideoFrame, keeps: Bool) -> VideoFrame {
        let known = backed.flatMap { $0.source.isSamePicture(as: whole) ? $0.picture : nil }
        if backdrop == nil { backdrop = BlurredBackdrop(canvas: canvas) }
        let picture = known ?? backdrop!.picture(of: whole, pool: pool)
        backed = keeps ? (whole, picture) : nil
        return picture
    }

    /// Draws the clip over what is there, at its placement.
    func draw(onto frame: inout VideoFrame, at time: MediaTime) throws {
        var placed = try sourcePicture(at: time)
        try applyEffects(to: &placed, at: time)
        move(&placed, at: time)
        place(&placed, at: time)
        put(placed, onto: &frame)
    }

    /// Brings an overlay's picture to its place: to whole pixels where it stands still, so that it stays sharp, and to
    /// fractions of them where it moves.
    private func place(_ placed: inout PlacedPicture, at time: MediaTime) {
        let placement = clip.placement ?? ClipPlacement(center: Animated(Point(0.5, 0.5)), width: nil)
        let seconds = (time - clip.range.start).seconds
        let center = placement.center.value(at: seconds)
        let size = placed.frame.size
        guard !placement.isConstant else {
            func corner(_ fraction: Double, _ whole: Int, _ size: Int) -> Int {
                Int(((fraction * Double(whole) - Double(size) / 2) / 2).rounded()) * 2
            }
            placed.x = corner(center.x, canvas.width, size.width)
            placed.y = corner(center.y, canvas.height, size.height)
            return
        }
        // A movement may overshoot its keyframes.
        let width = placement.width.map { max(0.001, $0.value(at: seconds).pixels(onWidth: canvas.width)) }
        let scale = (width ?? Double(size.width)) / Double(size.width)
        var rect = PictureRect(x: 0, y: 0, width: Double(size.width) * scale, height: Double(size.height) * scale)
        rect.x = center.x * Double(canvas.width) - rect.width / 2
        rect.y = center.y * Double(canvas.height) - rect.height / 2
        // Only the part of the canvas around it is drawn; its size does not change from picture to picture.
        func part(_ start: Double, _ length: Double, _ usual: Int, _ whole: Int) -> (start: Int, length: Int) {
            let room = min(whole, max(usual, Int(length.rounded(.up)) + 1 & ~1) + 4)
            let wanted = Int(min(max(start, -1e6), 1e6) / 2 - 0.5) * 2
            return (min(max(wanted, 0), whole - room), room)
        }
        let (x, y) = (
            part(rect.x, rect.width, size.width, canvas.width), part(rect.y, rect.height, size.height, canvas.height)
        )
        rect.x -= Double(x.start)
        rect.y -= Double(y.start)
        let drawn = resampler.draw(
            placed.frame, at: rect, canvas: PixelSize(width: x.length, height: y.length), pool: pool)
        placed = PlacedPicture(frame: drawn, x: x.start, y: y.start)
    }

    private func put(_ placed: PlacedPicture, onto frame: inout VideoFrame) {
        if placed.frame.format == .yuva420 {
            PictureBlit.composite(placed.frame, over: &frame, x: placed.x, y: placed.y)
        } else {
            PictureBlit.copy(placed.frame, into: &frame, x: placed.x, y: placed.y)
        }
    }

    /// Whether the next frame shows the same picture of the source.
    private func keepsPicture(after time: MediaTime) throws -> Bool {
        let next = clip.sourceTime(at: time + MediaTime(seconds: 1) / frameRate)
        return try clip.isReversed || next >= clip.sourceRange.end || source.keepsPicture(for: next)
    }

    private func sourcePicture(at time: MediaTime) throws -> PlacedPicture {
        let moment = clip.sourceTime(at: time)
        let part = clip.sourceRange
        // At a part's end its own last picture stands on, not the one that follows in the source.
        if clip.isReversed {
            return moment <= part.start ? try source.picture(at: part.start) : try source.pictureReversed(at: moment)
        }
        return moment >= part.end ? try source.pictureReversed(at: part.end) : try source.picture(at: moment)
    }

    /// Draws the picture where the clip's slow move has brought it.
    private func move(_ placed: inout PlacedPicture, at time: MediaTime) {
        guard let path else { return }
        let fraction = (time - clip.range.start).seconds / clip.range.duration.seconds
        let frame = resampler.draw(
            placed.frame, at: path.rect(at: fraction), canvas: clip.placementCanvas(canvas), pool: pool)
        placed = PlacedPicture(frame: frame, x: 0, y: 0)
    }

    private func applyEffects(to placed: inout PlacedPicture, at time: MediaTime) throws {
        guard !clip.effects.isEmpty else { return }
        let local = max(.zero, time - clip.range.start)
        // A stream may change its size midway.
        if effects?.size != placed.frame.size {
            let context = EffectContext(
                canvas: placed.frame.size, frameRate: frameRate, duration: clip.range.duration,
                activeRange: TimeRange(start: .zero, duration: clip.range.duration), assets: library.assets)
            effects = (EffectStack(clip.effects, context: context, pool: pool, failures: failures), placed.frame.size)
        }
        try effects!.stack.apply(to: &placed.frame, at: local, index: Int(local.ticksRounded(per: frameRate)))
    }
}

extension PlacedPicture {
    fileprivate func covers(_ canvas: PixelSize) -> Bool {
        x <= 0 && y <= 0 && x + frame.width >= canvas.width && y + frame.height >= canvas.height
    }
}

extension Clip {
    /// Its slow move, over the rectangle that it is fitted to.
    fileprivate func path(over canvas: PixelSize) -> KenBurnsPath? {
        guard let kenBurns, let video = media.video else { return nil }
        return KenBurnsPath(kenBurns, displayed: video.displayedSize, canvas: canvas, gravity: gravity)
    }

    /// The rectangle that the clip is fitted to: the canvas, or as wide as its placement says at most.
    func placementCanvas(_ canvas: PixelSize) -> PixelSize {
        guard let width = placement?.width, let size = media.video?.displayedSize else { return canvas }
        // As wide as it ever becomes, so that it is never drawn larger than it was decoded.
        let pixels = width.keyframes.reduce(0) { max($0, $1.value.pixels(onWidth: canvas.width)) }
        let wide = max(2, Int((pixels / 2).rounded()) * 2)
        let high = max(2, Int((Double(wide) * Double(size.height) / Double(size.width) / 2).rounded()) * 2)
        return PixelSize(width: wide, height: high)
    }
}
