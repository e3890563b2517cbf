/// What a render tells while it runs. The library never prints: the caller turns events into lines, bars or JSON.
public enum RenderEvent: Sendable {
    public enum State: String, Sendable {
        case waiting, exporting, completed, failed, cancelled
    }

    case state(State)
    case progress(Progress)
    case finding(Finding)
    /// What is being done, for the curious: a line that others need not see. Never one a frame.
    case detail(String)

    public struct Progress: Sendable {
        /// 0…1; never falls.
        public var fraction: Double
        /// Frames that are done, of `frames` in all.
        public var frame: Int
        public var frames: Int
        /// Frames a second since the render began.
        public var framesPerSecond: Double
        /// Seconds left at this speed; nil until it can be told.
        public var secondsLeft: Double?

        public init(fraction: Double, frame: Int, frames: Int, framesPerSecond: Double, secondsLeft: Double?) {
            self.fraction = fraction
            self.frame = frame
            self.frames = frames
            self.framesPerSecond = framesPerSecond
            self.secondsLeft = secondsLeft
        }
    }
}
