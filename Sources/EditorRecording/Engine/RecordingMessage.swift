internal import EditorCapture

/// What reaches the engine.
enum RecordingMessage: Sendable {
    case camera(CameraMessage, number: Int)
    case microphone(MicrophoneMessage, number: Int)
    case command(RecordingCommand)
    /// Ends the session at once, whatever waits.
    case interrupt
}
