public import EditorCore

/// What a session tells while it runs.
public enum RecordingEvent: Sendable {
    /// The session has come to a state; its file says so already.
    case state(RecordingState)
    /// The camera in use, and how it runs.
    case camera(name: String, position: DevicePosition, mode: String)
    /// The microphone in use; nil is none.
    case microphone(String?)
    /// Ten times a second while a segment is recorded, and always for a session with a preview.
    case progress(Progress)
    /// A segment is ended and kept; its file is whole.
    case segmentAdded(RecordedSegment)
    /// A segment and its file are gone.
    case segmentDeleted(path: String)
    /// The torch as it was chosen, and whether it burns.
    case torch(RecordingCommand.LightMode, isLit: Bool)
    /// The zoom, and its two factors.
    case zoom(Double, byDriver: Double, byCropping: Double)
    case focusLocked(Bool)
    case exposureLocked(Bool)
    case stabilised(Bool)
    /// How many times faster than recorded the next segments play.
    case speed(Rational)
    /// Seconds left until a segment begins; 0 is now, −1 says that it was stopped.
    case countdown(Int)
    /// A photo was written to a file.
    case photo(String)
    /// Something was not as it was asked for, or should be known.
    case finding(Finding)
    /// Something failed; the session goes on, and what was recorded is kept.
    case failure(EditorError)

    /// How much is recorded, and how loud it is.
    public struct Progress: Sendable {
        /// Seconds recorded, the running segment included, as they play.
        public var duration: Double
        /// Of the longest recording, 0…1; nil without a limit.
        public var fraction: Double?
        public var secondsLeft: Double?
        /// Loudness of the microphone in dB below full scale (RMS); nil without one.
        public var level: Double?
        /// Ends of the segments as shares of the longest recording.
        public var marks: [Double]
    }
}
