/// Plays sound as it is queued: 48 kHz stereo. Its progress is the clock that pictures follow. Safe on any thread.
public protocol SoundOutput: AnyObject, Sendable {
    /// Samples that were queued and have not yet been taken to be played.
    var queuedSamples: Int { get }
    /// Samples between being taken and being heard.
    var latency: Int { get }
    /// Appends a block; does not wait.
    func queue(_ buffer: AudioBuffer)
    /// Forgets what has not been taken.
    func clear()
    /// Starts or holds the output. It is held at first.
    func setPlaying(_ isPlaying: Bool)
}
