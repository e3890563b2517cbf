public import EditorCapture
public import EditorCore

/// What a session is begun with.
public struct RecordingSettings: Sendable {
    /// The camera: a path such as `/dev/video0`, or part of a name; nil follows `position`.
    public var device: String?
    /// Which camera is begun with.
    public var position: DevicePosition
    /// What its pictures should be like.
    public var wish: CameraModeWish
    /// ALSA's name of the microphone; nil records without sound.
    public var microphone: String?
    /// ALSA's name of the speaker that music and countdown sound from; nil is none.
    public var speaker: String? = "default"
    /// The longest recording; nil is without a limit.
    public var limit: MediaTime?
    /// Shorter segments are thrown away: they are slips of the finger.
    public var shortestSegment = MediaTime(value: 1, timescale: 5)
    /// Where segments go, and how their names begin.
    public var folder: String
    public var prefix: String
    /// Zooms go from 1 to this.
    public var largestZoom: Double
    /// Whether the torch burns from the start.
    public var isTorchOn: Bool
    /// x264's word for its speed.
    public var preset = "ultrafast"
    /// The config that the session belongs to; absolute.
    public var configPath: String?
    /// Opens the music that plays while recording; nil is none. Called on the speaker's thread.
    public var music: (@Sendable () throws -> any AudioReading)?

    /// The settings that a config has for recording.
    /// - Parameter folder: where segments go.
    public init(_ configuration: Configuration, folder: String) {
        position = configuration.devicePosition
        wish = CameraModeWish(canvas: configuration.renderSize, gravity: configuration.videoGravity)
        microphone = "default"
        limit = configuration.maxVideoDuration
        self.folder = folder
        prefix = configuration.videoFileNamePrefix
        largestZoom = configuration.maxVideoZoomFactor
        isTorchOn = configuration.isOpenFlashlight
    }
}
