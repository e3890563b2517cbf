/// Makes the finished pictures of a plan, one by one. Belongs to one thread; several may work on one plan.
///
/// Any order of frames gives the same pictures; going forward is fast.
package final class Compositor {
    private let plan: RenderPlan
    private let library: any MediaLibrary
    private let schedule: ClipSchedule
    private let pool = FramePool()
    private let movieEffects: EffectStack
    /// The clips that are open, by index on the main track, and by index among the overlays.
    private var clips: [Int: ClipRenderer] = [:]
    private var overlays: [Int: ClipRenderer] = [:]
    private var transition: (clip: Int, effect: any TransitionEffect)?
    /// The canvas without anything on it.
    private let blank: VideoFrame

    package init(_ plan: RenderPlan, library: any MediaLibrary) {
        self.plan = plan
        self.library = library
        schedule = ClipSchedule(plan.timeline)
        movieEffects = EffectStack(
            plan.pictureEffects,
            context: EffectContext(
                canvas: plan.canvas, frameRate: plan.frameRate, duration: plan.duration,
                activeRange: TimeRange(start: .zero, duration: plan.duration), assets: library.assets), pool: pool)
        var blank = pool.frame(.yuv420, plan.canvas)
        PictureBlit.fill(&blank, with: plan.background)
        self.blank = blank
    }

    /// The finished picture of a frame of the movie.
    package func frame(_ number: Int) throws -> VideoFrame {
        let time = plan.time(ofFrame: number)
        let onTimeline = time + plan.selection.start
        let moment = schedule.moment(at: onTimeline)
        let lowest = moment.outgoing?.clip ?? moment.clip
        clips = clips.filter { $0.key >= lowest && $0.key <= moment.clip }

        var canvas = try picture(ofClip: moment.clip, at: onTimeline)
        if let (outgoing, progress) = moment.outgoing {
            var from = try picture(ofClip: outgoing, at: onTimeline)
            try blend(&from, to: canvas, into: moment.clip, progress: progress)
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
        try ClipRenderer(clip, canvas: plan.canvas, frameRate: plan.frameRate, library: library, pool: pool)
    }

    private func blend(_ from: inout VideoFrame, to: VideoFrame, into clip: Int, progress: Double) throws {
        guard let planned = plan.timeline.clips[clip].transition else { return }
        if transition?.clip != clip {
            let context = EffectContext(
                canvas: plan.canvas, frameRate: plan.frameRate, duration: planned.duration,
                activeRange: TimeRange(start: .zero, duration: planned.duration), assets: library.assets)
            guard case .transition(let effect) = try planned.prepared.make(context) else { return }
            transition = (clip, effect)
        }
        try transition!.effect.blend(&from, to: to, progress: planned.easing.value(at: progress))
    }
}
