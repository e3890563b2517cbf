/// A composition: clips in tracks on one clock, every time exact.
public struct Timeline: Sendable {
    /// The clips that follow each other, in order; neighbours overlap by their transition.
    public var clips: [Clip]
    /// Clips that lie over them, lowest first.
    public var overlays: [Clip]

    public init(clips: [Clip], overlays: [Clip] = []) {
        self.clips = clips
        self.overlays = overlays
    }

    /// End of the last clip of the main track.
    public var duration: MediaTime { clips.last?.range.end ?? .zero }
}

/// A part of a source, placed on the timeline.
public struct Clip: Sendable {
    public var media: MediaInfo
    /// The part of the source, in the source's time, which counts from its first shown picture.
    public var sourceRange: TimeRange
    /// When it shows on the timeline. Longer than the source range allows: the last picture is held.
    public var range: TimeRange
    /// How many times faster than recorded it runs.
    public var speed: Rational
    public var isReversed: Bool
    public var gravity: VideoGravity
    /// Factor on the sound, over the time of the placed clip.
    public var volume: AnimatedNumber
    /// Which sound stream is heard, counted among the file's sound streams; nil is silence.
    public var audioStream: Int?
    /// What is done to the sound besides.
    public var treatment: SoundTreatment
    /// Effects on this clip alone, first is lowest.
    public var effects: [PlannedEffect]
    /// How this clip comes after the one before it; nil is a cut.
    public var transition: PlannedTransition?
    public var kenBurns: KenBurns?
    /// Where it stands when it lies over the main track; nil on the main track.
    public var placement: ClipPlacement?
    /// Where it stands in the config.
    public var pointer: JSONPointer

    /// The source time that shows at a time of the timeline, for a clip that runs forward; for a reversed one the
    /// source time counted back from the end of the range.
    public func sourceTime(at time: MediaTime) -> MediaTime {
        let elapsed = min(max(time - range.start, .zero) * speed, sourceRange.duration)
        return isReversed ? sourceRange.end - elapsed : sourceRange.start + elapsed
    }
}

/// Where a clip that lies over the main track stands.
public struct ClipPlacement: Sendable, Hashable {
    /// Its middle, as fractions of the canvas, over the time of the placed clip.
    public var center: Animated<Point>
    /// Over the same time; nil fits it to the canvas.
    public var width: Animated<Length>?

    public init(center: Animated<Point>, width: Animated<Length>?) { (self.center, self.width) = (center, width) }

    /// Whether it stands still all the time.
    public var isConstant: Bool { center.isConstant && width?.isConstant ?? true }
}

/// A checked transition into a clip.
public struct PlannedTransition: Sendable {
    public var id: String
    public var duration: MediaTime
    public var easing: Easing
    /// Equal text for equal results.
    public var fingerprint: String
    /// Whether it remembers the frames before.
    public var isOrdered = false
    /// Where it stands in the config.
    public var pointer = JSONPointer()
    let prepared: PreparedEffect
}

/// A checked effect and when it is on.
public struct PlannedEffect: Sendable {
    public var id: String
    public var kind: EffectKind
    /// On the clock of its surroundings: the finished movie, or the placed clip.
    public var range: TimeRange
    /// Equal text for equal results: the effect, its version, its parameters and its assets' contents.
    public var fingerprint: String
    /// Where it stands in the config.
    public var pointer: JSONPointer
    /// Captions that the movie is to hold as a track, on the clock of its surroundings.
    public var subtitles: SubtitleTrack?
    /// Whether it remembers the frames before.
    public var isOrdered = false
    let prepared: PreparedEffect

    /// Makes an instance, on the thread that will use it.
    func make(_ context: EffectContext) throws -> EffectInstance {
        do {
            return try prepared.make(context)
        } catch let error as EditorError {
            throw error
        } catch let failure as ModuleFailure {
            throw EditorError(.unavailable, "the effect \(id) \(failure) when it was made")
        } catch {
            throw EditorError(.internalBug, "the effect \(id) could not be made: \(error)")
        }
    }
}
