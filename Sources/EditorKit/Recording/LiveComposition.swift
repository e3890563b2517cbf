public import EditorCore
internal import EditorMedia
public import EditorRecording
internal import TransitionEffects

/// What the merge would look like while it is still recorded: the camera's pictures on the canvas, under the config's
/// effects. Nothing of it is burnt into the segments. Belongs to one thread.
///
/// ```swift
/// let newest = LivePicture()
/// let session = try RecordingSession(settings, store: store, preview: newest.put) { event in … }
/// let live = try LiveComposition(config, baseDirectory: ".", registry: registry, record: session.record)
/// // As often as the screen can:
/// if let frame = newest.take() { show(try live.picture(of: frame, at: session.record.duration.seconds)) }
/// ```
public final class LiveComposition {
    private let stage = LiveStage()
    private let plan: RenderPlan
    private let compositor: Compositor
    private let library: any MediaLibrary
    private let pictureSize: PixelSize
    private let dissolve: CrossDissolve
    private var onionSkin: (path: String, picture: VideoFrame?)?

    /// How much of an onion skin shows through the camera's picture.
    private static let onionShare = 0.4

    /// - Parameters:
    ///   - base: the config, whose clips do not matter.
    ///   - baseDirectory: what its relative paths are relative to.
    ///   - record: the session that is recorded.
    ///   - options: how files on the web are fetched.
    ///   - cancellation: raise it from anywhere to give up what is being fetched.
    /// - Throws: `EditorError` with everything that is wrong with the config.
    public init(
        _ base: JSONValue, baseDirectory: String, registry: EffectRegistry, record: SessionRecord,
        options: Composition.Options = Composition.Options(), cancellation: Cancellation = Cancellation()
    ) throws {
        var members: [String: JSONValue] = [:]
        if case .object(let given) = base { members = given }
        members["assetArray"] = [.string(LiveLibrary.path)]
        // It belongs to the clips, which are not there yet.
        members["selectTimeRange"] = nil
        let document = ConfigurationDocument(.object(members), name: record.configPath ?? "the config")
        let composition = Composition(document, baseDirectory: baseDirectory, registry: registry)
        library = composition.library.fetching(options.web, cancellation: cancellation) { event in
            if case .download(let download) = event { options.onDownload(download) }
        }
        pictureSize = record.size
        let live = LiveLibrary(
            stage, size: record.size, rate: record.frameRate, duration: record.limit ?? MediaTime(seconds: 3600),
            files: library)
        // Half size is plenty for a window, and leaves the processor to the encoder.
        var options = options
        options.isDraft = true
        let plan = try RenderPlanner(registry: composition.registry, library: live).plan(
            composition.configuration, findings: composition.readingFindings, settings: composition.settings(options))
        self.plan = plan
        compositor = Compositor(plan, library: live)
        dissolve = CrossDissolve(
            CrossDissolve.Parameters(),
            context: EffectContext(
                canvas: record.size, frameRate: plan.frameRate, duration: plan.duration,
                activeRange: TimeRange(start: .zero, duration: plan.duration), assets: live.assets))
    }

    /// Size of the pictures.
    public var size: PixelSize { plan.canvas }

    /// Lets the last picture of a segment show through the camera's, so that the next segment can be lined up with it.
    /// - Parameter segment: nil is none; so is one whose file cannot be read.
    public func showOnionSkin(of segment: RecordedSegment?) {
        guard let segment else {
            onionSkin = nil
            return
        }
        if onionSkin?.path == segment.path { return }
        onionSkin = (segment.path, lastPicture(of: segment.path))
    }

    private func lastPicture(of path: String) -> VideoFrame? {
        guard let info = try? library.probe(path), let video = info.video,
            let source = try? library.openVideo(
                info, request: PictureRequest(canvas: pictureSize, gravity: .resizeAspectFill)),
            let picture = try? source.picture(at: video.duration).frame, picture.size == pictureSize
        else { return nil }
        return picture
    }

    /// - Parameters:
    ///   - frame: the camera's newest picture.
    ///   - seconds: where in the movie it lies.
    public func picture(of frame: VideoFrame, at seconds: Double) throws -> VideoFrame {
        var frame = frame
        if let skin = onionSkin?.picture, frame.size == skin.size {
            dissolve.blend(&frame, to: skin, progress: Self.onionShare)
        }
        stage.frame = frame
        let number = Int((seconds * plan.frameRate.doubleValue).rounded(.down))
        return try compositor.liveFrame(max(0, min(plan.frameCount - 1, number)))
    }
}
