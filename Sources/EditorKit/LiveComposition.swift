public import EditorCore
internal import EditorMedia
public import EditorRecording

/// What the merge would look like while it is still recorded: the camera's pictures on the canvas, under the config's
/// effects. Nothing of it is burnt into the segments. Belongs to one thread.
public final class LiveComposition {
    private let live = LivePicture()
    private let plan: RenderPlan
    private let compositor: Compositor

    /// - Parameters:
    ///   - base: the config, whose clips do not matter.
    ///   - baseDirectory: what its relative paths are relative to.
    ///   - record: the session that is recorded.
    /// - Throws: `EditorError` with everything that is wrong with the config.
    public init(
        _ base: JSONValue, baseDirectory: String, registry: EffectRegistry, record: SessionRecord
    ) throws {
        var members: [String: JSONValue] = [:]
        if case .object(let given) = base { members = given }
        members["assetArray"] = [.string(LiveLibrary.path)]
        members["selectTimeRange"] = .null
        let document = ConfigurationDocument(.object(members), name: record.configPath ?? "the config")
        let composition = Composition(document, baseDirectory: baseDirectory, registry: registry)
        let library = LiveLibrary(
            live, size: record.size, rate: record.frameRate, duration: record.limit ?? MediaTime(seconds: 3600),
            files: composition.library)
        // Half size is plenty for a window, and leaves the processor to the encoder.
        var options = Composition.Options()
        options.isDraft = true
        plan = try RenderPlanner(registry: composition.registry, library: library).plan(
            composition.configuration, findings: composition.readingFindings, settings: composition.settings(options))
        compositor = Compositor(plan, library: library)
    }

    /// Size of the pictures.
    public var size: PixelSize { plan.canvas }

    /// - Parameters:
    ///   - frame: the camera's newest picture.
    ///   - seconds: where in the movie it lies.
    public func picture(of frame: VideoFrame, at seconds: Double) throws -> VideoFrame {
        live.frame = frame
        let number = Int((seconds * plan.frameRate.doubleValue).rounded(.down))
        return try compositor.frame(max(0, min(plan.frameCount - 1, number)))
    }
}
