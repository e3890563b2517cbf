/// Cuts a plan into spans and names what each depends on.
struct SpanLayout {
    /// Raised whenever the same plan gives other pixels or samples.
    static let engineVersion = 3

    private let plan: RenderPlan

    init(_ plan: RenderPlan) { self.plan = plan }

    var spans: [RenderSpan] {
        let length = plan.settings.keyFrameInterval
        return stride(from: 0, to: plan.frameCount, by: length).enumerated().map { index, first in
            let frames = first..<min(first + length, plan.frameCount)
            return RenderSpan(index: index, frames: frames, content: Fingerprint(description(of: frames)))
        }
    }

    /// What the pictures of some frames depend on, as text. Times are relative to the first of them where that is
    /// enough, so that a span keeps its name when only what lies before it changes length.
    fileprivate func description(of frames: Range<Int>) -> String {
        let range = TimeRange(start: plan.time(ofFrame: frames.lowerBound), end: plan.time(ofFrame: frames.upperBound))
        let start = range.start + plan.selection.start
        let last = plan.time(ofFrame: frames.upperBound - 1) + plan.selection.start
        var lines = [
            "engine \(Self.engineVersion)", "canvas \(plan.canvas) \(plan.frameRate) \(plan.background)",
            "frames \(frames.count)",
        ]
        for clip in ClipSchedule(plan.timeline).clips(from: start, through: last) {
            lines.append(description(of: clip, from: start))
        }
        let effects = plan.pictureEffects.filter { $0.range.overlaps(range) }
        if !effects.isEmpty { lines.append("at \(range.start) of \(plan.duration)") }
        for effect in effects { lines.append("\(effect.range.start) \(effect.range.end) \(effect.fingerprint)") }
        return lines.joined(separator: "\n")
    }

    private func description(of clip: Clip, from start: MediaTime) -> String {
        var parts = [
            "clip \(clip.media.path) \(clip.media.identity)",
            "at \((clip.range.start - start).exact) for \(clip.range.duration.exact)",
            "shows \(clip.sourceRange.start.exact) \(clip.sourceRange.duration.exact) \(clip.speed) \(clip.isReversed)",
            clip.gravity.rawValue,
        ]
        if let kenBurns = clip.kenBurns { parts.append("\(kenBurns)") }
        if let placement = clip.placement { parts.append("\(placement)") }
        if let transition = clip.transition { parts.append("transition " + transition.fingerprint) }
        for effect in clip.effects {
            parts.append("effect \(effect.range.start) \(effect.range.end) \(effect.fingerprint)")
        }
        return parts.joined(separator: " ")
    }
}

extension RenderPlan {
    /// Raised whenever the same plan gives other pixels or samples.
    package static var engineVersion: Int { SpanLayout.engineVersion }

    /// What the finished picture of a frame depends on.
    package func content(ofFrame number: Int) -> Fingerprint {
        Fingerprint(SpanLayout(self).description(of: number..<number + 1))
    }
}

extension MediaTime {
    /// The fraction itself; decimals could be equal for times that are not.
    var exact: String { "\(value)/\(timescale)" }
}
