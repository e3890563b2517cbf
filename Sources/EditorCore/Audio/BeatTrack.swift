/// The beats of a piece of music.
public struct BeatTrack: Sendable, Hashable {
    /// Beats a minute; nil when there are too few beats to tell.
    public var tempo: Double?
    /// Seconds since the music's first sample, in rising order.
    public var times: [Double]
    /// Seconds that the music lasts.
    public var duration: Double

    public init(tempo: Double?, times: [Double], duration: Double) {
        (self.tempo, self.times, self.duration) = (tempo, times, duration)
    }
}
