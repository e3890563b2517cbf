internal import CFFmpeg
public import EditorCore
internal import Synchronization

/// The picture that clips of the camera show. Safe on any thread.
public final class LiveStage: Sendable {
    private let content = Mutex<VideoFrame?>(nil)

    public init() {}

    /// nil before the first one.
    public var frame: VideoFrame? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

/// Media files, and a camera as if it were one of them: a clip of `path` shows whatever stands on the stage.
/// Safe on any thread.
public final class LiveLibrary: MediaLibrary {
    /// What clips of the camera name.
    public static let path = "live:camera"

    private let stage: LiveStage
    private let camera: MediaInfo
    private let files: any MediaLibrary

    /// - Parameters:
    ///   - size: of the camera's pictures.
    ///   - duration: how long a clip of it is.
    ///   - files: everything else.
    public init(_ stage: LiveStage, size: PixelSize, rate: Rational, duration: MediaTime, files: any MediaLibrary) {
        self.stage = stage
        self.files = files
        let video = VideoStreamInfo(
            streamIndex: 0, codec: "camera", pixelFormat: "yuv420p", storedSize: size, pixelAspect: .one,
            orientation: .up, firstTimestamp: .zero, duration: duration, frameCount: nil, frameRate: rate,
            isVariableRate: false, isStill: false, hasAlpha: false, isInterlaced: false, color: LiveSource.color)
        camera = MediaInfo(
            path: Self.path, identity: "live", container: "camera", video: video, audio: [], normalisations: [])
    }

    public var assets: any AssetLoading { files.assets }

    public func identity(of asset: AssetReference) throws -> String { try files.identity(of: asset) }

    public func probe(_ path: String) throws -> MediaInfo { path == Self.path ? camera : try files.probe(path) }

    public func openVideo(_ info: MediaInfo, request: PictureRequest) throws -> any VideoSource {
        info.path == Self.path ? LiveSource(stage, request) : try files.openVideo(info, request: request)
    }

    public func openAudio(
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool, treatment: SoundTreatment
    ) throws -> any AudioReading {
        try files.openAudio(
            info, stream: stream, range: range, speed: speed, isReversed: isReversed, treatment: treatment)
    }

    public func makeLoudnessMeter() throws -> any LoudnessMeter { try files.makeLoudnessMeter() }

    public func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack {
        try files.beats(of: asset, cancellation: cancellation)
    }
}

/// What stands on the stage, at any time. Belongs to one thread.
private final class LiveSource: VideoSource {
    static let color = ColorDescription(
        matrix: .bt709, isFullRange: false, transfer: .sdr, primaries: .bt709, isTagged: true)

    private let stage: LiveStage
    private let request: PictureRequest
    private let converter = PictureConverter(orientation: .up, color: color, pool: FramePool())

    init(_ stage: LiveStage, _ request: PictureRequest) { (self.stage, self.request) = (stage, request) }

    func picture(at time: MediaTime) throws -> PlacedPicture {
        guard let frame = stage.frame else {
            throw EditorError(.ioFailed, "the camera has given no picture yet")
        }
        let fit = request.fit(displayed: frame.size)
        do {
            let picture = try converter.convert(try MediaFrame(lending: frame), crop: fit.crop, size: fit.size)
            return PlacedPicture(frame: picture, x: fit.x, y: fit.y)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "a picture of the camera could not be converted: \(error)")
        }
    }

    func pictureReversed(at time: MediaTime) throws -> PlacedPicture { try picture(at: time) }

    /// The next one is another.
    func keepsPicture(for next: MediaTime) throws -> Bool { false }
}
