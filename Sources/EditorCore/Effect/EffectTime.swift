/// When an effect is asked for a frame or a block of sound.
public struct EffectTime: Sendable, Hashable {
    /// Exact time on the clock of the surroundings: the finished movie, or the placed clip.
    public var time: MediaTime
    /// Number of the frame on that clock; for sound, of the first sample of the block.
    public var index: Int
    /// When the effect is on.
    public var activeRange: TimeRange

    public init(time: MediaTime, index: Int, activeRange: TimeRange) {
        self.time = time
        self.index = index
        self.activeRange = activeRange
    }

    /// The time in seconds; keyframes are asked with this.
    public var seconds: Double { time.seconds }
    /// Seconds since the effect came on.
    public var sinceStart: Double { (time - activeRange.start).seconds }
    /// Seconds until the effect goes off.
    public var untilEnd: Double { (activeRange.end - time).seconds }
    /// 0 where the effect comes on, towards 1 where it goes off.
    public var progress: Double { activeRange.duration > .zero ? sinceStart / activeRange.duration.seconds : 0 }
}
