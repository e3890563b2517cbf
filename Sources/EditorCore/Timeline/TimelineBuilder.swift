/// Lays the config's clips out on a timeline. Collects every problem instead of stopping at the first.
struct TimelineBuilder {
    private let configuration: Configuration
    private let library: any MediaLibrary
    private(set) var effects: EffectPlanner
    private(set) var findings: [Finding] = []
    /// Normalisations that stand among the findings.
    private var told: Set<Finding> = []
    /// Where joints are moved to; nil leaves them.
    private let cuts: BeatCuts?

    /// Seconds that a still shows when nothing says how long.
    private static let stillDuration = MediaTime(seconds: 3)
    /// How far a range may reach beyond its source: the length of a picture at the slowest usual rates.
    private static let endSlack = MediaTime(value: 1, timescale: 10)

    /// A clip that is cut to a beat stays at least this long, and longer than its transitions.
    private static let shortestCut = MediaTime(value: 1, timescale: 5)

    init(
        _ configuration: Configuration, library: any MediaLibrary, effects: EffectPlanner, cuts: BeatCuts? = nil
    ) {
        self.configuration = configuration
        self.library = library
        self.effects = effects
        self.cuts = cuts
    }

    /// nil when no clip could be used.
    mutating func build() -> Timeline? {
        var clips: [Clip] = []
        var overlays: [Clip] = []
        var pending: (PlannedTransition, JSONPointer)?
        let last = configuration.assetArray.lastIndex { !$0.overlay }
        for (index, asset) in configuration.assetArray.enumerated() {
            let lead = pending?.0.duration ?? .zero
            let isJoint = !asset.overlay && index != last
            guard
                var clip = makeClip(
                    asset, cutFrom: isJoint ? (clips.last?.range.end ?? lead) - lead : nil, after: lead)
            else {
                // What it says besides is checked all the same.
                checkEffects(of: asset)
                pending = nil
                continue
            }
            warnOfIdleKeys(asset)
            if asset.overlay {
                let start = asset.timeRange?.start ?? clips.last?.range.start ?? .zero
                clip.range = TimeRange(start: start, duration: clip.range.duration)
                clip.placement = ClipPlacement(center: asset.center, width: asset.width)
                overlays.append(clip)
                continue
            }
            clip.range = TimeRange(start: clips.last?.range.end ?? .zero, duration: clip.range.duration)
            if let (transition, pointer) = pending, let previous = clips.last,
                fits(transition, from: previous, to: clip, at: pointer)
            {
                clip.range.start = clip.range.start - transition.duration
                clip.transition = transition
            }
            pending = asset.transition.flatMap { transition in
                effects.plan(transition, canvas: configuration.renderSize, frameRate: configuration.frameRate).map {
                    ($0, transition.pointer)
                }
            }
            clips.append(clip)
        }
        if let pending, !clips.isEmpty {
            findings.append(
                Finding(
                    .warning, code: "transition.last", at: pending.1,
                    "the last clip has a transition, but no clip comes after it; it is left out"))
        }
        for overlay in overlays where !clips.isEmpty && overlay.range.start >= clips[clips.count - 1].range.end {
            findings.append(
                Finding(
                    .warning, code: "clip.neverOn", at: overlay.pointer,
                    "\(overlay.media.path) is never seen: it comes on at \(overlay.range.start) s, and the clips end at "
                        + "\(clips[clips.count - 1].range.end) s"))
        }
        if clips.isEmpty, let overlay = overlays.first {
            findings.append(
                Finding(
                    .error, code: "clip.onlyOverlays", at: overlay.pointer,
                    "\(overlay.media.path) is to lie over other clips, but there is none under it",
                    hint: "leave \"overlay\" out of one clip"))
        }
        return clips.isEmpty ? nil : Timeline(clips: clips, overlays: overlays)
    }

    /// A transition takes its length from both clips, and two may not take the same part of one.
    private mutating func fits(_ transition: PlannedTransition, from: Clip, to: Clip, at pointer: JSONPointer) -> Bool {
        let taken = from.transition?.duration ?? .zero
        let largest = min(from.range.duration - taken, to.range.duration)
        if transition.duration <= largest { return true }
        findings.append(
            Finding(
                .error, code: "transition.tooLong", at: pointer.appending("duration"),
                "the transition takes \(transition.duration) s, but its clips leave \(largest) s for it",
                hint: largest > .zero ? "the largest that fits is \(largest)" : "leave it out"))
        return false
    }

    /// Tells of keys that have no meaning for this kind of clip.
    private mutating func warnOfIdleKeys(_ asset: ClipConfiguration) {
        func warn(_ key: String, _ message: String) {
            findings.append(
                Finding(.warning, code: "config.noMeaning", at: asset.pointer.appending(key), message))
        }
        if asset.overlay, asset.transition != nil {
            warn("transition", "a clip that lies over the others has no transition; it is left out")
        }
        if asset.overlay, asset.timeRange != nil {
            let message = "timeRange says already how long the overlay clip shows; this is left out"
            if asset.duration != nil { warn("duration", message) }
            if asset.hold != nil { warn("hold", message) }
        }
        if !asset.overlay, asset.width != nil { warn("width", "width has a meaning for overlay clips only") }
        if !asset.overlay, asset.center != Animated(Point(0.5, 0.5)) {
            warn("center", "center has a meaning for overlay clips only")
        }
    }

    /// Checks the effects and the transition of a clip that cannot be used itself.
    private mutating func checkEffects(of asset: ClipConfiguration) {
        for effect in asset.effects {
            _ = effects.plan(
                effect, canvas: configuration.renderSize, frameRate: configuration.frameRate,
                duration: MediaTime(seconds: 86_400), allowed: [.video, .overlay])
        }
        if let transition = asset.transition {
            _ = effects.plan(transition, canvas: configuration.renderSize, frameRate: configuration.frameRate)
        }
    }

    /// - Parameters:
    ///   - start: where it begins on the timeline, for a clip whose end is moved to a beat.
    ///   - lead: length of the transition into it.
    private mutating func makeClip(_ asset: ClipConfiguration, cutFrom start: MediaTime?, after lead: MediaTime)
        -> Clip?
    {
        let pointer = asset.pointer
        // A clip without either has been told of.
        guard !asset.name.isEmpty else { return nil }
        let media: MediaInfo
        do {
            media =
                try asset.generator.map { .ground(of: $0.type, canvas: configuration.renderSize) }
                ?? library.probe(asset.path)
        } catch {
            findings.append(Finding(asError: error, at: pointer, code: "clip.unreadable"))
            return nil
        }
        guard let video = media.video else {
            findings.append(
                Finding(
                    .error, code: "clip.noVideo", at: pointer,
                    "\(asset.path) has no video, so it cannot be a clip", hint: "play it with a music effect"))
            return nil
        }
        // Once a file, at the first clip that uses it.
        for var normalisation in media.normalisations where told.insert(normalisation).inserted {
            normalisation.pointer = pointer
            findings.append(normalisation)
        }
        guard var source = sourceRange(asset, video: video) else { return nil }
        var length = asset.duration ?? source.duration / asset.speed
        if asset.duration == nil, video.isStill, asset.timeRange == nil { length = Self.stillDuration }
        if let hold = asset.hold { length += hold }
        if asset.overlay, let shown = asset.timeRange { length = shown.duration }
        if let start {
            let cut = cutToBeat(
                ClipLength(source: source, length: length), asset, from: start, after: lead,
                available: Self.available(video))
            (source, length) = (cut.source, cut.length)
        }

        var stream: Int? = media.audio.firstIndex { !$0.isEmpty }
        if let wanted = asset.audioStream {
            if media.audio.indices.contains(wanted) {
                stream = wanted
            } else {
                findings.append(
                    Finding(
                        .error, code: "clip.audioStream", at: pointer.appending("audioStream"),
                        "\(asset.name) has no sound stream \(wanted)",
                        hint: media.audio.isEmpty ? "it has none" : "its streams are 0 to \(media.audio.count - 1)"))
            }
        }
        let gravity = asset.videoGravity ?? configuration.videoGravity
        let request = PictureRequest(canvas: configuration.renderSize, gravity: gravity, isCropped: false)
        let size = request.fit(displayed: video.displayedSize).size
        func plan(_ effect: EffectConfiguration, _ allowed: [EffectKind]) -> PlannedEffect? {
            effects.plan(
                effect, canvas: size, frameRate: configuration.frameRate, duration: length, allowed: allowed)
        }
        // A generator is the first effect on a clear ground.
        let generator = asset.generator.flatMap { plan($0, [.overlay]) }
        let planned = [generator].compactMap(\.self) + asset.effects.compactMap { plan($0, [.video, .overlay]) }
        return Clip(
            media: media, sourceRange: source, range: TimeRange(start: .zero, duration: length), speed: asset.speed,
            isReversed: asset.reverse, gravity: gravity, volume: asset.volume, audioStream: asset.mute ? nil : stream,
            treatment: SoundTreatment(pitch: asset.pitch, voice: asset.voice, denoise: asset.denoise),
            effects: planned, transition: nil, kenBurns: asset.kenBurns, placement: nil, pointer: pointer)
    }

    /// Moves the end of a clip so that the middle of its joint lies on the nearest beat that it can be moved to.
    private func cutToBeat(
        _ clip: ClipLength, _ asset: ClipConfiguration, from start: MediaTime, after lead: MediaTime,
        available: TimeRange
    ) -> ClipLength {
        guard let cuts else { return clip }
        let trail = asset.transition?.duration ?? .zero
        let joint = start + clip.length - trail * Rational(1, 2)
        for beat in cuts.candidates(around: joint) {
            if let changed = clip.changed(
                by: beat - joint, available: available, speed: asset.speed, isReversed: asset.reverse,
                least: max(Self.shortestCut, lead + trail))
            {
                return changed
            }
        }
        return clip
    }

    /// All that a source has.
    private static func available(_ video: VideoStreamInfo) -> TimeRange {
        TimeRange(start: .zero, duration: video.isStill ? MediaTime(seconds: 86_400) : video.duration)
    }

    /// The part of the source, cut to what is there; nil when there is nothing.
    private mutating func sourceRange(_ asset: ClipConfiguration, video: VideoStreamInfo) -> TimeRange? {
        let available = Self.available(video)
        let (key, given) =
            asset.overlay ? ("sourceRange", asset.sourceRange) : ("timeRange", asset.timeRange)
        if !asset.overlay, asset.sourceRange != nil {
            findings.append(
                Finding(
                    .error, code: "clip.range", at: asset.pointer.appending("sourceRange"),
                    "sourceRange has a meaning for overlay clips only",
                    hint: "the part of the source that this clip uses is its timeRange"))
            return nil
        }
        guard let wanted = given else {
            guard video.isStill else { return available }
            let shown = asset.overlay ? asset.timeRange?.duration : nil
            return TimeRange(start: .zero, duration: shown ?? asset.duration ?? Self.stillDuration)
        }
        guard wanted.start < available.end, wanted.end <= available.end + Self.endSlack else {
            findings.append(
                Finding(
                    .error, code: "clip.range", at: asset.pointer.appending(key),
                    "\(key) \(wanted.start)…\(wanted.end) s does not lie in \(asset.path), which is \(video.duration) s long"
                ))
            return nil
        }
        return wanted.intersection(available)
    }
}
