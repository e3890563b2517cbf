public import EditorCore
internal import EditorMedia

/// Gives pictures of a composition, or of a media file, at any time: a door for programs.
///
/// ```swift
/// let generator = try FrameGenerator(try Composition(contentsOf: "cfg.json"))
/// let picture = try generator.picture(at: MediaTime(seconds: 2))
/// ```
///
/// A composition's pictures are those that a render shows, before encoding, whatever the order they are asked for in;
/// asking forward is fastest. Pictures are kept on disk under everything they depend on, and shared by all programs.
///
/// Belongs to one thread at a time. Every method throws `EditorError`.
public final class FrameGenerator {
    /// How pictures are wanted.
    public struct Options: Sendable {
        /// `nearestKeyFrame` gives, of every source, the key frame nearest to the time: other pictures, much sooner.
        public var precision = PicturePrecision.exact
        /// Pixels across, made even; the height follows. nil is the size of the canvas, or of the source.
        public var width: Int?
        /// Whether pictures are taken from the cache on disk and kept there.
        public var usesCache = true
        /// Threads that `pictures(at:)` works with; nil is one a core.
        public var jobs: Int?
        /// Raise it from anywhere to stop: what is at work throws `EditorError` `.cancelled` then.
        public var cancellation = Cancellation()

        public init() {}
    }

    /// Size of the pictures; both sides are even.
    public let size: PixelSize
    private let origin: any PictureOrigin
    let options: Options
    private let store: PictureStore?
    private var supply: (any PictureSupply)?
    private var hasSaved = false

    /// Pictures of a composition.
    /// - Parameters:
    ///   - rendering: what is wanted differently from the config; its `from` and `to` shift time 0.
    ///   - standardWidth: `options.width` where that is nil and the canvas is wider.
    /// - Throws: `EditorError` with all findings of the config when there is an error.
    public convenience init(
        _ composition: Composition, rendering: Composition.Options = .init(), options: Options = .init(),
        standardWidth: Int? = nil
    ) throws {
        let plan = try composition.plan(
            rendering, output: nil, opensEncoders: false, cancellation: options.cancellation)
        self.init(MovieOrigin(plan: plan, composition: composition), options, standardWidth)
    }

    /// Pictures of a media file: upright, in square pixels, each at its own time, which counts from the first one.
    /// - Throws: `EditorError` that names the file.
    public convenience init(source path: String, options: Options = .init(), standardWidth: Int? = nil) throws {
        let notes = options.usesCache ? PictureCache.store : nil
        self.init(try SourceOrigin(path, precision: options.precision, notes: notes), options, standardWidth)
    }

    /// Pictures of a composition whose plan there is already.
    convenience init(_ plan: RenderPlan, of composition: Composition) {
        self.init(MovieOrigin(plan: plan, composition: composition), Options(), nil)
    }

    private init(_ origin: any PictureOrigin, _ options: Options, _ standardWidth: Int?) {
        self.origin = origin
        self.options = options
        store = options.usesCache ? PictureCache.store : nil
        size = Self.size(of: origin.size, width: options.width ?? standardWidth.map { min($0, origin.size.width) })
    }

    deinit { if hasSaved { store?.trim() } }

    private static func size(of whole: PixelSize, width: Int?) -> PixelSize {
        guard let width, width != whole.width else { return whole }
        func even(_ length: Double) -> Int { max(2, Int((length / 2).rounded()) * 2) }
        let across = max(2, width / 2 * 2)
        return PixelSize(
            width: across, height: even(Double(whole.height) * Double(across) / Double(max(1, whole.width))))
    }

    /// Length of the movie, or of the file's pictures.
    public var duration: MediaTime { origin.duration }
    /// Frames a second of the movie; of a file the average.
    public var frameRate: Rational { origin.frameRate }

    /// Number of the movie's frame that shows at a time; nil for a media file.
    /// - Throws: `EditorError` `.invalidData` when there is no such time.
    public func frameNumber(at time: MediaTime) throws -> Int? { try origin.number(at: time) }

    /// The picture that shows at a time, `yuv420`.
    /// - Parameter time: 0 up to `duration`, which is excluded; half a millisecond before a frame counts as its start.
    /// - Throws: `EditorError` `.invalidData` when there is no such time.
    public func picture(at time: MediaTime) throws -> VideoFrame {
        try options.cancellation.check()
        let name = try origin.name(ofPictureAt: time, size: size, precision: options.precision)
        if let kept = store?.load(name) { return kept }
        if supply == nil { supply = try origin.makeSupply(size: size, precision: options.precision) }
        let picture = try supply!.picture(at: time, readsOn: nil)
        keep(picture, name)
        return picture
    }

    /// The pictures that show at some times, in their order; those that are not kept yet are made on several threads.
    public func pictures(at times: [MediaTime]) throws -> [VideoFrame] {
        var pictures: [VideoFrame?] = Array(repeating: nil, count: times.count)
        var missing: [(index: Int, name: Fingerprint)] = []
        for (index, time) in times.enumerated() {
            let name = try origin.name(ofPictureAt: time, size: size, precision: options.precision)
            pictures[index] = store?.load(name)
            if pictures[index] == nil { missing.append((index, name)) }
        }
        let wanted = missing.map { (index: $0.index, time: times[$0.index]) }.sorted { $0.time < $1.time }
        let made = try make(wanted)
        for (index, picture) in made { pictures[index] = picture }
        for (index, name) in missing { keep(pictures[index]!, name) }
        return pictures.map { $0! }
    }

    private func keep(_ picture: VideoFrame, _ name: Fingerprint) {
        guard let store else { return }
        store.save(picture, as: name)
        hasSaved = true
    }

    /// - Parameter wanted: by time.
    private func make(_ wanted: [PictureBatch.Request]) throws -> [(Int, VideoFrame)] {
        let jobs = max(1, min(options.jobs ?? Cores.count, wanted.count))
        let batch = PictureBatch(wanted, workers: jobs)
        guard jobs > 1 else {
            if supply == nil, !wanted.isEmpty {
                supply = try origin.makeSupply(size: size, precision: options.precision)
            }
            if let supply { try batch.work(with: supply) { try options.cancellation.check() } }
            return batch.made
        }
        let failure = FirstFailure()
        var threads: [WorkerThread] = []
        failure.catching {
            for _ in 0..<jobs {
                threads.append(
                    try WorkerThread { [origin, size, options] in
                        failure.catching {
                            let supply = try origin.makeSupply(size: size, precision: options.precision)
                            try batch.work(with: supply) {
                                try options.cancellation.check()
                                if failure.hasFailed { throw EditorError.cancelled }
                            }
                        }
                    })
            }
        }
        for thread in threads { thread.join() }
        try failure.rethrow()
        return batch.made
    }
}
