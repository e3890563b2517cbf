/// Everything decided about a render before the first frame. A value: making one touches no output.
public struct RenderPlan: Sendable {
    public var settings: ExportSettings
    public var background: Color
    public var timeline: Timeline
    /// The part of the timeline that becomes the movie.
    public var selection: TimeRange
    /// Frames of the movie.
    public var frameCount: Int
    /// Video and overlay effects over the whole movie, lowest first.
    public var pictureEffects: [PlannedEffect]
    /// Audio effects over the whole movie, in order.
    public var soundEffects: [PlannedEffect]
    /// Factor on the clips' sound.
    public var originalVolume: Double
    /// How loud the whole movie is to be; nil leaves it as it is mixed.
    public var loudness: LoudnessTarget?
    public var spans: [RenderSpan]
    /// What was noticed; warnings only.
    public var findings: [Finding]

    public var canvas: PixelSize { settings.canvas }
    public var frameRate: Rational { settings.frameRate }
    /// Length of the movie: its frames, exactly.
    public var duration: MediaTime { frameRate.duration(ofTicks: Int64(frameCount)) }
    /// Samples of the movie's sound at the working rate.
    public var sampleCount: Int { Int(duration.ticksRounded(per: AudioFormat.rate)) }

    /// Captions that become tracks of the movie, on its clock.
    public var subtitles: [SubtitleTrack] { pictureEffects.compactMap(\.subtitles) }

    /// Time of a frame of the movie, on the movie's clock.
    public func time(ofFrame frame: Int) -> MediaTime { frameRate.duration(ofTicks: Int64(frame)) }

    /// The frames that show at times of `range` on the movie's clock.
    public func frames(in range: TimeRange) -> Range<Int> {
        let first = Int(range.start.ticksRoundedUp(per: frameRate))
        let end = Int(range.end.ticksRoundedUp(per: frameRate))
        return max(0, min(first, frameCount))..<max(0, min(max(first, end), frameCount))
    }
}

/// A closed group of pictures: the unit of rendering, caching and resuming.
public struct RenderSpan: Sendable {
    public var index: Int
    public var frames: Range<Int>
    /// What its pictures depend on, encoder aside.
    public var content: Fingerprint
}
