/// Makes the finished pictures of a plan, one by one. Belongs to one thread; several may work on one plan.
///
/// Any order of frames gives the same pictures; going forward is fast.
package final class Compositor {
    private let plan: RenderPlan
    private let library: any MediaLibrary
    private let schedule: ClipSchedule
    private let pool = FramePool.shared
    private let movieEffects: EffectStack
    /// The clips that are open, by index on the main track, and by index among the overlays.
    private var clips: [Int: ClipRenderer] = [:]
    private var overlays: [Int: ClipRenderer] = [:]
    private var transition: (clip: Int, effect: any TransitionEffect)?
    /// The canvas without anything on it.
    private let blank: VideoFrame
    private let failures = EffectFailures()
    /// Whether some effect remembers the frames before.
    private let isOrdered: Bool
    /// The frame that was made last, and whether its span goes on without some transition.
    private var last: Int?
    private var leavesOutTransition = false

    package init(_ plan: RenderPlan, library: any MediaLibrary) {
        self.plan = plan
        self.library = library
        schedule = ClipSchedule(plan.timeline)
        movieEffects = EffectStack(
            plan.pictureEffects,
            context: EffectContext(
                canvas: plan.canvas, frameRate: plan.frameRate, duration: plan.duration,
                activeRange: TimeRange(start: .zero, duration: plan.duration), assets: library.assets), pool: pool,
            failures: failures)
        isOrdered =
            plan.pictureEffects.contains(where: \.isOrdered)
            || (plan.timeline.clips + plan.timeline.overlays).contains { clip in
                clip.transition?.isOrdered == true || clip.effects.contains(where: \.isOrdered)
            }
        var blank = pool.frame(.yuv420, plan.canvas)
        PictureBlit.fill(&blank, with: plan.background)
        self.blank = blank
    }

    /// The finished picture of a frame of the movie.
    ///
    /// With effects that remember the frames before, those of the frame's span that were not made yet are made first,
    /// so that a frame looks the same however one came to it.
    package func frame(_ number: Int) throws -> VideoFrame {
        let length = max(1, plan.settings.keyFrameInterval)
        let first = number / length * length
        let goesOn = last.map { $0 / length == number / length } ?? false
        defer { last = number }
        if number == first || !goesOn || (isOrdered && last! >= number) { beginSpan() }
        if isOrdered, number > first {
            let next = goesOn && last! < number ? last! + 1 : first
            for earlier in next..<number { _ = try compose(earlier) }
        }
        return try compose(number)
    }

    /// The picture of a frame of something live, whose pictures cannot be had again: effects that remember the frames
    /// before remember those that were made here, whatever was left out between them.
    package func liveFrame(_ number: Int) throws -> VideoFrame {
        if number < last ?? Int.max { beginSpan() }
        last = number
        return try compose(number)
    }

    /// What effects that may be skipped failed at since the last call.
    package func takeFailures() -> [Finding] { failures.drain() }

    private func beginSpan() {
        movieEffects.beginSpan()
        for renderer in clips.values { renderer.beginSpan() }
        for renderer in overlays.values { renderer.beginSpan() }
        leavesOutTransition = false
        if let (clip, _) = transition, plan.timeline.clips[clip].transition?.isOrdered == true { transition = nil }
    }

    private func compose(_ number: Int) throws -> VideoFrame {
        let time = plan.time(ofFrame: number)
        let onTimeline = time + plan.selection.start
        let moment = schedule.moment(at: onTimeline)
        let lowest = moment.outgoing?.clip ?? moment.clip
        clips = clips.filter { $0.key >= lowest && $0.key <= moment.clip }

        var canvas = try picture(ofClip: moment.clip, at: onTimeline)
        if let (outgoing, progress) = moment.outgoing {
            var from = try picture(ofClip: outgoing, at: onTimeline)
            try blend(&from, to: canvas, into: moment.clip, progress: progress, number)
            canvas = from
        }
        let shown = schedule.overlays(at: onTimeline)
        overlays = overlays.filter { shown.contains($0.key) }
        for index in shown {
            let clip = plan.timeline.overlays[index]
            if overlays[index] == nil { overlays[index] = try makeRenderer(clip) }
            try overlays[index]!.draw(onto: &canvas, at: onTimeline)
        }
        try movieEffects.apply(to: &canvas, at: time, index: number)
        if canvas.format == .yuva420 {
            // An effect has made parts of the finished picture transparent.
            var opaque = blank
            PictureBlit.composite(canvas, over: &opaque, x: 0, y: 0)
            canvas = opaque
        }
        return canvas
    }

    private func picture(ofClip index: Int, at time: MediaTime) throws -> VideoFrame {
        if clips[index] == nil { clips[index] = try makeRenderer(plan.timeline.clips[index]) }
        return try clips[index]!.canvas(over: blank, at: time)
    }

    private func makeRenderer(_ clip: Clip) throws -> ClipRenderer {
        try ClipRenderer(
            clip, canvas: plan.canvas, frameRate: plan.frameRate, library: library, pool: pool,
            failures: failures)
    }

    private func blend(
        _ from: inout VideoFrame, to: VideoFrame, into clip: Int, progress: Double, _ number: Int
    ) throws {
        guard let planned = plan.timeline.clips[clip].transition else { return }
        let before = planned.prepared.skipsOnFailure ? from : nil
        do {
            if !leavesOutTransition {
                try instance(of: planned, into: clip)?.blend(
                    &from, to: to, progress: planned.easing.value(at: progress))
                return
            }
        } catch {
            transition = nil
            leavesOutTransition = true
            try failures.take(
                error, of: planned.id, at: planned.pointer,
                place: "at frame \(number) (\(plan.time(ofFrame: number)) s)",
                isSkipped: planned.prepared.skipsOnFailure)
        }
        // A cut in the middle takes its place.
        from = progress < 0.5 ? before ?? from : to
    }

    private func instance(of planned: PlannedTransition, into clip: Int) throws -> (any TransitionEffect)? {
        if let transition, transition.clip == clip { return transition.effect }
        let context = EffectContext(
            canvas: plan.canvas, frameRate: plan.frameRate, duration: planned.duration,
            activeRange: TimeRange(start: .zero, duration: planned.duration), assets: library.assets,
            pointer: planned.pointer)
        guard case .transition(let effect) = try planned.prepared.make(context) else { return nil }
        transition = (clip, effect)
        return effect
    }
}
