/// Checks a config against its media and turns it into a plan.
public struct RenderPlanner: Sendable {
    private let registry: EffectRegistry
    private let library: any MediaLibrary
    private let cancellation: Cancellation

    /// - Parameter cancellation: stops planning, which may read whole files, with `.cancelled`.
    public init(registry: EffectRegistry, library: any MediaLibrary, cancellation: Cancellation = Cancellation()) {
        self.registry = registry
        self.library = InterruptibleLibrary(library, cancellation: cancellation)
        self.cancellation = cancellation
    }

    /// What was found out about a config: everything but the spans.
    private struct Draft {
        /// nil when the config has no clip.
        var timeline: Timeline?
        var selection: TimeRange
        var frameCount: Int
        var effects: [PlannedEffect]
        /// Warnings only.
        var findings: [Finding]
    }

    /// Checks a config as `plan` does; it need not have clips.
    /// - Returns: warnings.
    /// - Throws: `EditorError` with every finding when there is an error.
    public func check(
        _ configuration: Configuration, findings earlier: [Finding] = [], settings: ExportSettings,
        range: (from: MediaTime?, to: MediaTime?)? = nil
    ) throws -> [Finding] {
        try draft(configuration, earlier, settings, range).findings
    }

    /// - Parameters:
    ///   - findings: what reading the config found; errors there are thrown together with those found here.
    ///   - range: in place of the config's `selectTimeRange`; nil ends are open.
    /// - Throws: `EditorError` with every finding when there is an error.
    public func plan(
        _ configuration: Configuration, findings earlier: [Finding] = [], settings: ExportSettings,
        range: (from: MediaTime?, to: MediaTime?)? = nil
    ) throws -> RenderPlan {
        let draft = try draft(configuration, earlier, settings, range)
        guard let timeline = draft.timeline else { throw EditorError(.invalidData, "there is no clip to render") }
        var plan = RenderPlan(
            settings: settings, background: configuration.backgroundColor, timeline: timeline,
            selection: draft.selection, frameCount: draft.frameCount,
            pictureEffects: draft.effects.filter { $0.kind != .audio },
            soundEffects: draft.effects.filter { $0.kind == .audio }, originalVolume: configuration.originalVolume,
            loudness: configuration.loudness, spans: [], findings: draft.findings)
        // Without a picture there is nothing to render but the sound.
        if settings.videoCodec != nil { plan.spans = SpanLayout(plan).spans }
        return plan
    }

    private func draft(
        _ configuration: Configuration, _ earlier: [Finding], _ settings: ExportSettings,
        _ range: (from: MediaTime?, to: MediaTime?)?
    ) throws -> Draft {
        var configuration = configuration
        configuration.renderSize = settings.canvas
        let planner = EffectPlanner(
            registry: registry, library: library, defaults: configuration.effectDefaults, cancellation: cancellation)
        var findings = earlier
        let cuts = try beatCuts(
            configuration, selectionStart: (range == nil ? configuration.selectTimeRange?.start : range?.from) ?? .zero,
            cancellation, &findings)
        var builder = TimelineBuilder(configuration, library: library, effects: planner, cuts: cuts)
        let timeline = builder.build()
        findings += builder.findings
        var effects = builder.effects

        // Effects are checked even without a timeline, so that all problems come at once.
        let whole = TimeRange(start: .zero, duration: timeline?.duration ?? MediaTime(seconds: 1_000_000))
        let selection = timeline == nil ? whole : select(configuration, whole, range, &findings)
        let count = max(1, Int(selection.duration.ticksRounded(per: settings.frameRate)))
        let duration = settings.frameRate.duration(ofTicks: Int64(count))
        var planned: [PlannedEffect] = []
        for effect in configuration.effectiveEffects {
            if let effect = effects.plan(
                effect, canvas: settings.canvas, frameRate: settings.frameRate, duration: duration,
                allowed: [.video, .overlay, .audio])
            {
                planned.append(effect)
            }
        }
        findings += effects.findings
        checkSubtitles(of: planned, clips: timeline?.clips ?? [], in: settings, &findings)
        // What could not be read because of it is among the findings.
        try cancellation.check()
        if let error = EditorError(findings) { throw error }
        return Draft(
            timeline: timeline, selection: selection, frameCount: count, effects: planned, findings: findings)
    }

    private func checkSubtitles(
        of effects: [PlannedEffect], clips: [Clip], in settings: ExportSettings, _ findings: inout [Finding]
    ) {
        let holdsNone = !settings.container.holdsSubtitles || settings.videoCodec == nil
        for effect in effects where effect.subtitles != nil && holdsNone {
            findings.append(
                Finding(
                    .error, code: "export.subtitles", at: effect.pointer.appending("soft"),
                    "a \(settings.container.rawValue) file has no subtitle track",
                    hint: "mp4, mov, mkv and webm have one; or leave soft out, and the captions are burnt in"))
        }
        for clip in clips {
            for effect in clip.effects where effect.subtitles != nil {
                findings.append(
                    Finding(
                        .warning, code: "export.subtitles", at: effect.pointer.appending("soft"),
                        "the captions of a clip's own effects do not become a subtitle track",
                        hint: "move the text to the effects of the whole movie"))
            }
        }
    }

    /// The beats that joints are moved to; nil when they stay where they are.
    private func beatCuts(
        _ configuration: Configuration, selectionStart: MediaTime, _ cancellation: Cancellation,
        _ findings: inout [Finding]
    ) throws -> BeatCuts? {
        guard configuration.cutTo == .beats else { return nil }
        let place = JSONPointer(["cutTo"])
        let music = configuration.effectiveEffects.first { $0.type == Configuration.musicEffect }
        let source: String? =
            switch music?.value["source"] {
            case .string(let text)?: text
            case .number(let number)?: JSONValue.number(number).text()
            default: music == nil ? nil : configuration.chosenMusic
            }
        guard let music, let source else {
            findings.append(
                Finding(
                    .warning, code: "cut.noMusic", at: place, "cutTo is beats, but there is no music; the cuts stay",
                    hint: "add a music effect"))
            return nil
        }
        do {
            let track = try library.beats(of: AssetReference(path: source, kind: .audio), cancellation: cancellation)
            if track.times.isEmpty {
                findings.append(
                    Finding(.warning, code: "cut.noBeats", at: place, "\(source) has no beats; the cuts stay"))
            }
            return BeatCuts(
                track, music: music, selectionStart: selectionStart, limit: configuration.cutLimit)
        } catch let error as EditorError {
            if error.kind == .cancelled { throw error }
            // What is wrong with the music itself is found by the effect that plays it.
            if error.kind == .unavailable { findings.append(Finding(asError: error, at: place, code: "cut.unusable")) }
            return nil
        }
    }

    private func select(
        _ configuration: Configuration, _ whole: TimeRange, _ range: (from: MediaTime?, to: MediaTime?)?,
        _ findings: inout [Finding]
    ) -> TimeRange {
        let name: String
        let wanted: TimeRange
        if let range {
            name = "--from/--to"
            wanted = TimeRange(start: range.from ?? .zero, end: range.to ?? whole.end)
        } else if let selected = configuration.selectTimeRange {
            name = "selectTimeRange"
            wanted = selected
        } else {
            return whole
        }
        // A range that ends a little behind the last picture ends with it.
        if let selection = wanted.intersection(whole), wanted.duration > .zero { return selection }
        findings.append(
            Finding(
                .error, code: "config.range", at: range == nil ? JSONPointer(["selectTimeRange"]) : JSONPointer(),
                "\(name) \(wanted.start)…\(wanted.end) s holds nothing of the composition, which is \(whole.duration) s long"
            ))
        return whole
    }
}
