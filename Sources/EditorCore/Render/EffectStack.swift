/// The picture effects of one surroundings (a movie, or a clip) at work on one thread.
final class EffectStack {
    private let effects: [PlannedEffect]
    private let context: EffectContext
    /// Made when first needed.
    private var instances: [EffectInstance?]
    /// The effects that failed in this span and are left out until the next.
    private var leftOut: Set<Int> = []
    private let failures: EffectFailures
    private let renderer: OverlayRenderer
    private let pool: FramePool

    init(_ effects: [PlannedEffect], context: EffectContext, pool: FramePool, failures: EffectFailures) {
        self.failures = failures
        self.effects = effects
        self.context = context
        self.pool = pool
        instances = Array(repeating: nil, count: effects.count)
        renderer = OverlayRenderer(canvas: context.canvas)
    }

    /// Applies the effects that are on at `time` to a picture of the context's size.
    /// - Parameter index: number of the frame on the surroundings' clock.
    func apply(to frame: inout VideoFrame, at time: MediaTime, index: Int) throws {
        for (number, effect) in effects.enumerated() where effect.range.contains(time) && !leftOut.contains(number) {
            let moment = EffectTime(time: time, index: index, activeRange: effect.range)
            // Kept for the case that the effect fails midway; the writer pays with a copy.
            let before = effect.prepared.skipsOnFailure ? frame : nil
            do {
                switch try instance(number) {
                case .video(let video):
                    if !video.isIdentity(at: moment) { try process(&frame, video, moment) }
                case .overlay(let overlay):
                    if overlay.isIdentity(at: moment) { continue }
                    if let several = overlay as? any OverlaysEffect {
                        for picture in try several.overlays(at: moment) { renderer.draw(picture, onto: &frame) }
                    } else if let picture = try overlay.overlay(at: moment) {
                        renderer.draw(picture, onto: &frame)
                    }
                case .audio, .transition: break
                }
            } catch {
                instances[number] = nil
                leftOut.insert(number)
                let place = "at frame \(index) (\(time) s)"
                try failures.take(
                    error, of: effect.id, at: effect.pointer, place: place, isSkipped: effect.prepared.skipsOnFailure)
                if let before { frame = before }
            }
        }
    }

    /// Begins a span: effects with a memory start anew, and those that failed are tried again.
    func beginSpan() {
        leftOut = []
        for (number, effect) in effects.enumerated() where effect.isOrdered { instances[number] = nil }
    }

    private func process<E: VideoEffect>(_ frame: inout VideoFrame, _ effect: E, _ time: EffectTime) throws {
        if E.pixelFormat == .rgba {
            var packed = ColorConversion.rgba(from: frame, pool: pool)
            try effect.process(&packed, at: time)
            frame = ColorConversion.yuv420(from: packed, pool: pool)
        } else if E.pixelFormat == .yuva420, frame.format == .yuv420 {
            var picture = pool.frame(.yuva420, frame.size)
            PictureBlit.copy(frame, into: &picture, x: 0, y: 0)
            try effect.process(&picture, at: time)
            frame = picture
        } else {
            try effect.process(&frame, at: time)
        }
    }

    private func instance(_ number: Int) throws -> EffectInstance {
        if let made = instances[number] { return made }
        var context = context
        context.activeRange = effects[number].range
        context.pointer = effects[number].pointer
        let made = try effects[number].make(context)
        instances[number] = made
        return made
    }
}
