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
    /// A file from the web came a step further.
    case download(Download)

    /// What is known of a file on the web.
    public struct Download: Sendable {
        /// SDVideoMusicModel's states: nothing known yet, on the web only, on its way, here.
        public enum State: String, Sendable {
            case unknown, web, downloading, local
        }

        /// As the config names it, without a password.
        public var address: String
        /// What it is to be.
        public var kind: AssetReference.Kind
        public var state: State
        /// Bytes that are here.
        public var receivedBytes: Int
        /// Bytes in all; nil until the server says it, and if it never does.
        public var totalBytes: Int?

        public init(
            address: String, kind: AssetReference.Kind, state: State, receivedBytes: Int = 0, totalBytes: Int? = nil
        ) {
            self.address = address
            self.kind = kind
            self.state = state
            self.receivedBytes = receivedBytes
            self.totalBytes = totalBytes
        }
    }

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
