/// What the sound of a plan depends on, as text, the encoder aside.
struct SoundDescription {
    let text: String

    init(_ plan: RenderPlan) {
        let loudness = plan.loudness.map { " loudness \($0.target) \($0.truePeak)" } ?? ""
        var lines = [
            "engine \(SpanLayout.engineVersion)", "samples \(plan.sampleCount) \(plan.originalVolume)\(loudness)",
        ]
        for clip in plan.timeline.clips + plan.timeline.overlays {
            lines.append(
                "\(clip.media.path) \(clip.media.identity) \(clip.audioStream ?? -1) "
                    + "\((clip.range.start - plan.selection.start).exact) \(clip.range.duration.exact) "
                    + "\(clip.sourceRange.start.exact) \(clip.sourceRange.duration.exact) \(clip.speed) \(clip.isReversed) "
                    + "\(clip.treatment.pitch) \(clip.treatment.voice?.rawValue ?? "-") \(clip.treatment.denoise) "
                    + "\(clip.volume.keyframes) \(clip.transition?.duration.exact ?? "")")
        }
        for effect in plan.soundEffects {
            lines.append("\(effect.range.start.exact) \(effect.range.end.exact) \(effect.fingerprint)")
        }
        text = lines.joined(separator: "\n")
    }
}
