/// Makes the finished sound of a plan, block by block from its start to its end. Belongs to one thread.
///
/// The clips are summed in float without attenuation, then each sound effect works on the mix in order, then a
/// limiter keeps the true peak at −1 dBTP.
package final class AudioMixer {
    private let plan: RenderPlan
    private let library: any MediaLibrary
    private let tracks: [ClipSound]
    private var effects: [(planned: PlannedEffect, samples: Range<Int>, instance: (any AudioEffect)?)]
    private let limiter = TruePeakLimiter()
    /// The next sample of the mix, ahead of the output by the limiter's latency.
    private var position = 0
    private var part = AudioBuffer(sampleCount: 0)

    /// Sources are read and effects called with at most so many samples at once.
    private static let blockLength = 4096

    /// Effects and the limiter hear so much before a start in the middle, so that they are where they would be.
    private static let preroll = 2 * AudioFormat.sampleRate

    /// - Parameter start: the first sample that `fill` gives. From the middle on, effects with a long memory may differ a
    ///   little from what they would be had they heard it all.
    package convenience init(_ plan: RenderPlan, library: any MediaLibrary, startingAt start: Int) throws {
        self.init(plan, library: library)
        position = max(0, start - Self.preroll)
        var passed = AudioBuffer(sampleCount: 0)
        var left = start - position
        while left > 0 {
            passed.clear(sampleCount: min(left, Self.blockLength))
            try fill(&passed)
            left -= passed.sampleCount
        }
    }

    package init(_ plan: RenderPlan, library: any MediaLibrary) {
        self.plan = plan
        self.library = library
        tracks = ClipSound.all(of: plan)
        effects = plan.soundEffects.map { effect in
            let range =
                Self.sample(effect.range.start)..<max(Self.sample(effect.range.start), Self.sample(effect.range.end))
            return (effect, range, nil)
        }
    }

    private static func sample(_ time: MediaTime) -> Int { Int(time.ticksRounded(per: AudioFormat.rate)) }

    /// The next finished samples: as many as `buffer` has.
    package func fill(_ buffer: inout AudioBuffer) throws {
        try limiter.fill(&buffer) { try mix(into: &$0) }
    }

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
                for index in effects.indices where effects[index].samples.contains(position) {
                    try apply(index)
                }
            }
            buffer.replace(at: filled, with: part)
            filled += length
            position += length
        }
    }

    private func apply(_ index: Int) throws {
        let planned = effects[index].planned
        if effects[index].instance == nil {
            let context = EffectContext(
                canvas: plan.canvas, frameRate: plan.frameRate, duration: plan.duration, activeRange: planned.range,
                assets: library.assets, pointer: planned.pointer)
            guard case .audio(let effect) = try planned.make(context) else { return }
            effects[index].instance = effect
        }
        let moment = EffectTime(
            time: AudioFormat.rate.duration(ofTicks: Int64(position)), index: position, activeRange: planned.range)
        guard let effect = effects[index].instance, !effect.isIdentity(at: moment) else { return }
        do {
            try effect.process(&part, at: moment)
        } catch let error as EditorError {
            throw error
        } catch {
            throw EditorError(
                .internalBug, "\(planned.pointer): the effect \(planned.id) failed at \(moment.time) s: \(error)")
        }
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
    private var reader: (any AudioReading)?
    private var block = AudioBuffer(sampleCount: 0)
    private var gains = SampleGains()

    static func all(of plan: RenderPlan) -> [ClipSound] {
        func sample(_ time: MediaTime) -> Int { Int(time.ticksRounded(per: AudioFormat.rate)) }
        let clips = plan.timeline.clips
        let main = clips.enumerated().map { index, clip in
            let next = index + 1 < clips.count ? clips[index + 1].transition : nil
            return ClipSound(
                clip, origin: plan.selection.start, fadeIn: sample(clip.transition?.duration ?? .zero),
                fadeOut: sample(next?.duration ?? .zero))
        }
        return
            (main + plan.timeline.overlays.map { ClipSound($0, origin: plan.selection.start, fadeIn: 0, fadeOut: 0) })
            .filter { $0.clip.audioStream != nil }
    }

    private init(_ clip: Clip, origin: MediaTime, fadeIn: Int, fadeOut: Int) {
        self.clip = clip
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        let start = Int((clip.range.start - origin).ticksRounded(per: AudioFormat.rate))
        placedEnd = Int((clip.range.end - origin).ticksRounded(per: AudioFormat.rate))
        // A picture that is held after the source's end is silent.
        let length = min(clip.range.duration, clip.sourceRange.duration / clip.speed)
        samples = start..<max(start, Int((clip.range.start + length - origin).ticksRounded(per: AudioFormat.rate)))
    }

    func add(to mix: inout AudioBuffer, at position: Int, library: any MediaLibrary, gain: Float) throws {
        let overlap = samples.clamped(to: position..<position + mix.sampleCount)
        guard !overlap.isEmpty, let stream = clip.audioStream else {
            if position >= samples.upperBound { reader = nil }
            return
        }
        if reader == nil {
            reader = try library.openAudio(
                clip.media, stream: stream, range: clip.sourceRange, speed: clip.speed, isReversed: clip.isReversed)
        }
        block.clear(sampleCount: overlap.count)
        _ = try reader!.read(from: overlap.lowerBound - samples.lowerBound, into: &block)
        if fadeIn == 0, fadeOut == 0, clip.volume.isConstant {
            mix.add(block, at: overlap.lowerBound - position, gain: gain * Float(clip.volume.value(at: 0)))
            return
        }
        gains.reset(from: overlap.lowerBound, count: overlap.count, to: gain)
        gains.multiply { [clip, samples] sample in
            clip.volume.value(at: Double(sample - samples.lowerBound) / Double(AudioFormat.sampleRate))
        }
        gains.fadeIn(from: samples.lowerBound, length: fadeIn, .equalPower)
        gains.fadeOut(to: placedEnd, length: fadeOut, .equalPower)
        mix.add(block, at: overlap.lowerBound - position, gains: gains)
    }
}
