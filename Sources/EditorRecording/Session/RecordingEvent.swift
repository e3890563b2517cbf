public import EditorCore

/// What a session tells while it runs.
public enum RecordingEvent: Sendable {
    case state(RecordingState)
    /// The camera in use, and how it runs.
    case camera(name: String, position: DevicePosition, mode: String)
    /// The microphone in use; nil is none.
    case microphone(String?)
    case progress(Progress)
    case segmentAdded(RecordedSegment)
    case segmentDeleted(path: String)
    case torch(RecordingCommand.LightMode, isLit: Bool)
    case zoom(Double, byDriver: Double, byCropping: Double)
    case focusLocked(Bool)
    case exposureLocked(Bool)
    case stabilised(Bool)
    case speed(Rational)
    /// Seconds left until a segment begins; 0 is now.
    case countdown(Int)
    case photo(String)
    /// Something was not as it was asked for, or should be known.
    case finding(Finding)
    /// Something failed; the session goes on, and what was recorded is kept.
    case failure(EditorError)

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
