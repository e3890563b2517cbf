public import EditorCore
internal import EditorMedia

/// A plan in words and as JSON.
public struct PlanDescription: Sendable {
    public let text: String
    public let json: JSONValue
}

/// What a run will do with a span, and why.
private enum SpanState: String {
    case kept = "the cache holds pictures made of the same"
    case missing = "the cache holds no pictures made of the same"
    case uncached = "the cache is not used"

    var word: String { self == .kept ? "cached" : "render" }
}

extension Composition {
    /// What a render with these options would do.
    public func describe(_ options: Options = Options(), cancellation: Cancellation = Cancellation()) throws
        -> PlanDescription
    {
        let plan = try plan(options, cancellation: cancellation)
        let format = try FFmpegMovieBackend().format(for: plan.settings)
        let store = SpanCache.store
        let states = plan.spans.map { span in
            !options.usesCache
                ? SpanState.uncached : store.contains(RenderSession.name(of: span, format: format)) ? .kept : .missing
        }
        return PlanDescription(text: words(plan, format, states), json: json(plan, format, states))
    }

    /// The movie and its encoding, in a few lines.
    func summary(of plan: RenderPlan, _ format: any MovieFormat) -> [String] {
        let settings = plan.settings
        let quality =
            settings.crf.map { "crf \(JSONValue.number($0).text())" } ?? "\(settings.videoBitRate ?? 0) bit/s"
        var lines = [
            "movie: \(plan.canvas), \(plan.frameRate) frames/s, \(plan.frameCount) frames, \(plan.duration) s",
            "export: \(settings.container.rawValue)"
                + (format.videoCodec.map { ", \($0) preset \(settings.preset) \(quality)" } ?? ", no picture")
                + (format.audioCodec.map { ", \($0) \(settings.audioBitRate) bit/s \(settings.sampleRate) Hz" }
                    ?? ", no sound"),
        ]
        if let note = format.note { lines.append("  that is, for this encoder: \(note)") }
        return lines
    }

    private func words(_ plan: RenderPlan, _ format: any MovieFormat, _ states: [SpanState]) -> String {
        var lines = summary(of: plan, format)
        if plan.selection.start > .zero || plan.selection.duration < plan.timeline.duration {
            lines.append("selection: \(plan.selection.start)…\(plan.selection.end) s of \(plan.timeline.duration) s")
        }
        lines.append("clips:")
        for (index, clip) in (plan.timeline.clips + plan.timeline.overlays).enumerated() {
            let frames = frames(of: clip, in: plan)
            lines.append(
                "  \(index). \(clip.media.path)\(clip.placement == nil ? "" : " (over the others)"): \(clip.range.start)…\(clip.range.end) s, "
                    + "frames \(frames.lowerBound)…\(frames.upperBound) (\(frames.count))")
            var facts = ["source \(clip.sourceRange.start)…\(clip.sourceRange.end) s", clip.gravity.rawValue]
            if clip.placement == nil, let size = clip.media.video?.displayedSize {
                let fit = PictureFit(displayed: size, canvas: plan.canvas, gravity: clip.gravity)
                facts[1] += " \(size) to \(fit.size) at \(fit.x), \(fit.y)"
            }
            if clip.speed != .one { facts.append("speed \(clip.speed)") }
            if clip.isReversed { facts.append("reversed") }
            if clip.audioStream == nil { facts.append("silence") }
            if let transition = clip.transition { facts.append("after \(transition.id) of \(transition.duration) s") }
            lines.append("     " + facts.joined(separator: ", "))
            for finding in clip.media.normalisations { lines.append("     put right: \(finding.message)") }
            for effect in clip.effects { lines.append("     \(effect.id) \(effect.range.start)…\(effect.range.end) s") }
        }
        lines.append("effects:")
        for effect in plan.pictureEffects + plan.soundEffects {
            lines.append("  \(effect.id) (\(effect.kind.rawValue)) \(effect.range.start)…\(effect.range.end) s")
        }
        lines.append("spans:")
        for (span, state) in zip(plan.spans, states) {
            lines.append(
                "  \(span.index). frames \(span.frames.lowerBound)…\(span.frames.upperBound): \(state.word), \(state.rawValue)"
            )
        }
        for finding in plan.findings { lines.append("\(finding.severity.rawValue): \(finding.sentence)") }
        return lines.joined(separator: "\n")
    }

    private func frames(of clip: Clip, in plan: RenderPlan) -> Range<Int> {
        plan.frames(in: TimeRange(start: clip.range.start - plan.selection.start, duration: clip.range.duration))
    }

    private func json(_ plan: RenderPlan, _ format: any MovieFormat, _ states: [SpanState]) -> JSONValue {
        func effect(_ effect: PlannedEffect) -> JSONValue {
            [
                "id": .string(effect.id), "kind": .string(effect.kind.rawValue),
                "start": .number(effect.range.start.seconds),
                "end": .number(effect.range.end.seconds), "pointer": .string(effect.pointer.description),
            ]
        }
        let clips = (plan.timeline.clips + plan.timeline.overlays).map { clip -> JSONValue in
            let frames = frames(of: clip, in: plan)
            return [
                "path": clip.media.isGenerated ? .null : .string(clip.media.path),
                "generator": clip.media.isGenerated ? .string(clip.media.path) : .null,
                "start": .number(clip.range.start.seconds),
                "end": .number(clip.range.end.seconds), "firstFrame": .number(Double(frames.lowerBound)),
                "frames": .number(Double(frames.count)), "sourceStart": .number(clip.sourceRange.start.seconds),
                "sourceEnd": .number(clip.sourceRange.end.seconds), "speed": .number(clip.speed.doubleValue),
                "reverse": .bool(clip.isReversed), "videoGravity": .string(clip.gravity.rawValue),
                "silent": .bool(clip.audioStream == nil), "overlay": .bool(clip.placement != nil),
                "transition": clip.transition.map {
                    ["type": .string($0.id), "duration": .number($0.duration.seconds)]
                } ?? .null,
                "normalisations": .array(clip.media.normalisations.map { .string($0.code) }),
                "effects": .array(clip.effects.map(effect)),
            ]
        }
        let spans = zip(plan.spans, states).map { span, state -> JSONValue in
            [
                "index": .number(Double(span.index)), "firstFrame": .number(Double(span.frames.lowerBound)),
                "frames": .number(Double(span.frames.count)), "state": .string(state.word),
                "reason": .string(state.rawValue),
            ]
        }
        return [
            "width": .number(Double(plan.canvas.width)), "height": .number(Double(plan.canvas.height)),
            "frameRate": .string(plan.frameRate.description), "frames": .number(Double(plan.frameCount)),
            "duration": .number(plan.duration.seconds), "container": .string(plan.settings.container.rawValue),
            "videoCodec": format.videoCodec.map { .string($0) } ?? .null,
            "audioCodec": format.audioCodec.map { .string($0) } ?? .null,
            "clips": .array(clips), "effects": .array((plan.pictureEffects + plan.soundEffects).map(effect)),
            "spans": .array(spans),
            "warnings": .array(
                plan.findings.map {
                    [
                        "code": .string($0.code), "message": .string($0.message),
                        "pointer": .string($0.pointer.description),
                    ]
                }),
        ]
    }
}
