/// Makes the finished sound of a plan, block by block from its start to its end. Belongs to one thread.
///
/// The clips are summed in float without attenuation, then each sound effect works on the mix in order, then a
/// limiter keeps the true peak at −1 dBTP, or at what the plan's loudness target says.
package final class AudioMixer {
    private let plan: RenderPlan
    private let library: any MediaLibrary
    private let tracks: [ClipSound]
    private let effects: [MixedEffect]
    private let limiter: TruePeakLimiter?
    /// Factor on the mix before the limiter.
    private let level: Float
    private let failures = EffectFailures()
    /// The next sample of the mix, ahead of the output by the limiter's latency.
    private var position = 0
    private var part = AudioBuffer(sampleCount: 0)
    private var heard = AudioBuffer(sampleCount: 0)

    /// Sources are read and effects called with at most so many samples at once.
    private static let blockLength = 4096

    /// Effects and the limiter hear so much before a start in the middle, so that they are where they would be.
    private static let preroll = 2 * AudioFormat.sampleRate

    /// - Parameter start: the first sample that `fill` gives. From the middle on, effects with a long memory may differ a
    ///   little from what they would be had they heard it all.
    package convenience init(
        _ plan: RenderPlan, library: any MediaLibrary, startingAt start: Int, level: Double = 1
    ) throws {
        self.init(plan, library: library, level: level)
        position = max(0, start - Self.preroll)
        var passed = AudioBuffer(sampleCount: 0)
        var left = start - position
        while left > 0 {
            passed.clear(sampleCount: min(left, Self.blockLength))
            try fill(&passed)
            left -= passed.sampleCount
        }
    }

    /// - Parameters:
    ///   - level: factor on the mix before the limiter.
    ///   - isLimited: false leaves the limiter out, for measuring.
    package init(_ plan: RenderPlan, library: any MediaLibrary, level: Double = 1, isLimited: Bool = true) {
        self.plan = plan
        self.library = library
        self.level = Float(level)
        limiter = isLimited ? TruePeakLimiter(ceiling: plan.loudness?.truePeak ?? -1) : nil
        tracks = ClipSound.all(of: plan)
        let failures = failures
        effects = plan.soundEffects.map { MixedEffect($0, failures) }
    }

    /// The next finished samples: as many as `buffer` has.
    package func fill(_ buffer: inout AudioBuffer) throws {
        guard let limiter else { return try mix(into: &buffer) }
        try limiter.fill(&buffer) { try mix(into: &$0) }
    }

    /// What effects that may be skipped failed at since the last call.
    package func takeFailures() -> [Finding] { failures.drain() }

    private func mix(into buffer: inout AudioBuffer) throws {
        var filled = 0
        let count = buffer.sampleCount
        while filled < count {
            // A block never straddles the end of an effect's range, nor its start.
            let edges = effects.flatMap { [$0.samples.lowerBound, $0.samples.upperBound] }.filter { $0 > position }
            let length = min(count - filled, Self.blockLength, (edges.min() ?? .max) - position)
            part.clear(sampleCount: length)
            if position < plan.sampleCount {
                for track in tracks {
                    try track.add(to: &part, at: position, library: library, gain: Float(plan.originalVolume))
                }
                try applyEffects()
            }
            part.scale(by: level)
            buffer.replace(at: filled, with: part)
            filled += length
            position += length
        }
    }

    private func applyEffects() throws {
        for index in effects.indices where effects[index].samples.contains(position) {
            try effects[index].prepare(plan, assets: library.assets)
        }
        try makeVoices()
        for index in effects.indices where effects[index].samples.contains(position) {
            if effects[index].isVoiceReady {
                part.add(effects[index].voice)
                effects[index].isVoiceReady = false
            } else {
                if effects[index].listens { listen(above: index) }
                try effects[index].process(&part, hearing: heard, at: position)
            }
        }
    }

    /// Makes the sound of voices that stand above a listener ahead of their turn, so that it can hear them.
    private func makeVoices() throws {
        guard let lowest = effects.firstIndex(where: { $0.samples.contains(position) && $0.listens }) else { return }
        for index in effects.indices[(lowest + 1)...]
        where effects[index].samples.contains(position) && effects[index].isVoice {
            effects[index].voice.clear(sampleCount: part.sampleCount)
            try effects[index].process(&effects[index].voice, hearing: part, at: position)
            effects[index].isVoiceReady = true
        }
    }

    /// What a listener hears: the sound below it, and the voices above.
    private func listen(above index: Int) {
        heard.clear(sampleCount: part.sampleCount)
        heard.add(part)
        for effect in effects[(index + 1)...] where effect.isVoiceReady { heard.add(effect.voice) }
    }
}

/// A sound effect at work. Belongs to the mixer's thread.
private final class MixedEffect {
    let planned: PlannedEffect
    /// Samples of the movie at which it is on.
    let samples: Range<Int>
    private var instance: (any AudioEffect)?
    /// What a voice adds to the block, made ahead of its turn.
    var voice = AudioBuffer(sampleCount: 0)
    var isVoiceReady = false
    private let failures: EffectFailures
    /// Whether it failed and is left out from there on.
    private var isLeftOut = false

    init(_ effect: PlannedEffect, _ failures: EffectFailures) {
        self.failures = failures
        func sample(_ time: MediaTime) -> Int { Int(time.ticksRounded(per: AudioFormat.rate)) }
        planned = effect
        samples = sample(effect.range.start)..<max(sample(effect.range.start), sample(effect.range.end))
    }

    var isVoice: Bool { (instance as? any ListeningAudioEffect)?.isVoice ?? false }
    var listens: Bool { (instance as? any ListeningAudioEffect)?.listens ?? false }

    /// Makes the instance when the effect's time has come.
    func prepare(_ plan: RenderPlan, assets: any AssetLoading) throws {
        guard instance == nil, !isLeftOut else { return }
        let context = EffectContext(
            canvas: plan.canvas, frameRate: plan.frameRate, duration: plan.duration, activeRange: planned.range,
            assets: assets, pointer: planned.pointer)
        do {
            guard case .audio(let effect) = try planned.make(context) else { return }
            instance = effect
        } catch {
            try fail(error, at: planned.range.start)
        }
    }

    func process(_ buffer: inout AudioBuffer, hearing heard: AudioBuffer, at position: Int) throws {
        let moment = EffectTime(
            time: AudioFormat.rate.duration(ofTicks: Int64(position)), index: position, activeRange: planned.range)
        guard let instance, !instance.isIdentity(at: moment) else { return }
        let before = planned.prepared.skipsOnFailure ? buffer : nil
        do {
            if let listener = instance as? any ListeningAudioEffect, listener.listens {
                try listener.process(&buffer, hearing: heard, at: moment)
            } else {
                try instance.process(&buffer, at: moment)
            }
        } catch {
            try fail(error, at: moment.time)
            if let before { buffer = before }
        }
    }

    private func fail(_ error: any Error, at time: MediaTime) throws {
        instance = nil
        isLeftOut = true
        try failures.take(
            error, of: planned.id, at: planned.pointer, place: "at \(time) s of the sound",
            isSkipped: planned.prepared.skipsOnFailure)
    }
}

/// The sound of one placed clip.
private final class ClipSound {
    private let clip: Clip
    /// Samples of the movie at which the clip sounds.
    private let samples: Range<Int>
    /// Where the clip goes off; later than its sound ends when its last picture is held.
    private let placedEnd: Int
    /// Lengths of the fades that its transitions bring, in samples.
    private let fadeIn: Int
    private let fadeOut: Int
    /// Lengths of the fades that keep its cuts from clicking, in samples.
    private let attack: Int
    private let release: Int
    private var reader: (any AudioReading)?
    private var block = AudioBuffer(sampleCount: 0)
    private var gains = SampleGains()

    /// Where a clip is cut, the sound may jump; 2 ms hide that.
    private static let cutFade = AudioFormat.sampleRate / 500

    static func all(of plan: RenderPlan) -> [ClipSound] {
        func sample(_ time: MediaTime) -> Int { Int(time.ticksRounded(per: AudioFormat.rate)) }
        let clips = plan.timeline.clips
        let main = clips.enumerated().map { index, clip in
            let next = index + 1 < clips.count ? clips[index + 1] : nil
            return ClipSound(
                clip, plan, fadeIn: sample(clip.transition?.duration ?? .zero),
                fadeOut: sample(next?.transition?.duration ?? .zero),
                goesOnFrom: index > 0 && clip.goesOn(from: clips[index - 1]),
                goesOn: next.map { $0.goesOn(from: clip) } ?? false)
        }
        let overlays = plan.timeline.overlays.map {
            ClipSound($0, plan, fadeIn: 0, fadeOut: 0, goesOnFrom: false, goesOn: false)
        }
        return (main + overlays).filter { $0.clip.audioStream != nil }
    }

    private init(_ clip: Clip, _ plan: RenderPlan, fadeIn: Int, fadeOut: Int, goesOnFrom: Bool, goesOn: Bool) {
        let origin = plan.selection.start
        self.clip = clip
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        let start = Int((clip.range.start - origin).ticksRounded(per: AudioFormat.rate))
        placedEnd = Int((clip.range.end - origin).ticksRounded(per: AudioFormat.rate))
        // A picture that is held after the source's end is silent.
        let length = min(clip.range.duration, clip.sourceRange.duration / clip.speed)
        samples = start..<max(start, Int((clip.range.start + length - origin).ticksRounded(per: AudioFormat.rate)))
        // Where the movie itself begins and ends there is no cut.
        attack = fadeIn > 0 || goesOnFrom || start <= 0 ? 0 : Self.cutFade
        release = fadeOut > 0 || goesOn || samples.upperBound >= plan.sampleCount ? 0 : Self.cutFade
    }

    func add(to mix: inout AudioBuffer, at position: Int, library: any MediaLibrary, gain: Float) throws {
        let overlap = samples.clamped(to: position..<position + mix.sampleCount)
        guard !overlap.isEmpty, let stream = clip.audioStream else {
            // It is over: of many clips only those that sound hold memory.
            if position >= samples.upperBound, reader != nil {
                reader = nil
                block = AudioBuffer(sampleCount: 0)
                gains = SampleGains()
            }
            return
        }
        if reader == nil {
            reader = try library.openAudio(
                clip.media, stream: stream, range: clip.sourceRange, speed: clip.speed, isReversed: clip.isReversed,
                treatment: clip.treatment)
        }
        block.clear(sampleCount: overlap.count)
        _ = try reader!.read(from: overlap.lowerBound - samples.lowerBound, into: &block)
        let isAtCut =
            overlap.lowerBound < samples.lowerBound + attack || overlap.upperBound > samples.upperBound - release
        if fadeIn == 0, fadeOut == 0, !isAtCut, clip.volume.isConstant {
            mix.add(block, at: overlap.lowerBound - position, gain: gain * Float(clip.volume.value(at: 0)))
            return
        }
        gains.reset(from: overlap.lowerBound, count: overlap.count, to: gain)
        gains.multiply { [clip, samples] sample in
            clip.volume.value(at: Double(sample - samples.lowerBound) / Double(AudioFormat.sampleRate))
        }
        gains.fadeIn(from: samples.lowerBound, length: fadeIn, .equalPower)
        gains.fadeOut(to: placedEnd, length: fadeOut, .equalPower)
        gains.fadeIn(from: samples.lowerBound, length: attack, .linear)
        gains.fadeOut(to: samples.upperBound, length: release, .linear)
        mix.add(block, at: overlap.lowerBound - position, gains: gains)
    }
}

extension Clip {
    /// Whether its sound is the straight continuation of another clip's, as where one recording was cut in two.
    fileprivate func goesOn(from other: Clip) -> Bool {
        guard transition == nil, media.path == other.media.path, audioStream == other.audioStream,
            speed == other.speed, isReversed == other.isReversed, treatment == other.treatment,
            volume == other.volume, volume.isConstant, range.start == other.range.end,
            other.range.duration == other.sourceRange.duration / speed
        else { return false }
        return isReversed ? sourceRange.end == other.sourceRange.start : sourceRange.start == other.sourceRange.end
    }
}
