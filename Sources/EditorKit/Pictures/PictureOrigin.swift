internal import EditorCore
internal import EditorMedia

/// What pictures are taken from: a composition, or a media file. Safe on any thread.
protocol PictureOrigin: Sendable {
    /// Size of a whole picture.
    var size: PixelSize { get }
    var duration: MediaTime { get }
    var frameRate: Rational { get }
    /// Number of the picture that shows at a time; nil where pictures have none.
    func number(at time: MediaTime) throws -> Int?
    /// Everything that the picture at a time depends on, at a size and precision.
    func name(ofPictureAt time: MediaTime, size: PixelSize, precision: PicturePrecision) throws -> Fingerprint
    /// Something that makes pictures, for one thread.
    func makeSupply(size: PixelSize, precision: PicturePrecision) throws -> any PictureSupply
}

/// Makes pictures of one size. Belongs to one thread.
protocol PictureSupply: AnyObject {
    /// - Parameter readsOn: whether a picture soon after this one is wanted next; nil where nobody knows.
    func picture(at time: MediaTime, readsOn: Bool?) throws -> VideoFrame
    /// Where decoding begins for the picture of a time; nil where that is not known.
    func decodingStart(for time: MediaTime) -> MediaTime?
}

/// A planned movie.
struct MovieOrigin: PictureOrigin {
    let plan: RenderPlan
    let composition: Composition

    var size: PixelSize { plan.canvas }
    var duration: MediaTime { plan.duration }
    var frameRate: Rational { plan.frameRate }

    func number(at time: MediaTime) throws -> Int? { try frame(at: time) }

    fileprivate func frame(at time: MediaTime) throws -> Int {
        guard time < plan.duration else {
            throw EditorError(
                .invalidData,
                "the movie has no frame at \(time) s: it is \(plan.duration) s long (\(plan.frameCount) frames)")
        }
        // A time given in decimals may lie a hair before the frame that is meant.
        let tolerance = MediaTime(value: 1, timescale: 2000)
        return max(0, min(plan.frameCount - 1, Int((time + tolerance).ticksRoundedDown(per: plan.frameRate))))
    }

    func name(ofPictureAt time: MediaTime, size: PixelSize, precision: PicturePrecision) throws -> Fingerprint {
        Fingerprint("\(plan.content(ofFrame: try frame(at: time))) \(size) \(precision.rawValue)")
    }

    func makeSupply(size: PixelSize, precision: PicturePrecision) throws -> any PictureSupply {
        MovieSupply(self, library: composition.library(precision), size: size)
    }
}

private final class MovieSupply: PictureSupply {
    private let origin: MovieOrigin
    private let compositor: Compositor
    private let scaler = WorkingPictureScaler()
    private let size: PixelSize

    init(_ origin: MovieOrigin, library: any MediaLibrary, size: PixelSize) {
        self.origin = origin
        self.size = size
        compositor = Compositor(origin.plan, library: library)
    }

    func decodingStart(for time: MediaTime) -> MediaTime? { nil }

    func picture(at time: MediaTime, readsOn: Bool?) throws -> VideoFrame {
        try scaler.scale(try compositor.frame(try origin.frame(at: time)), to: size)
    }
}

/// A media file as it is: upright, in square pixels, every picture at its own time.
struct SourceOrigin: PictureOrigin {
    let path: String
    let size: PixelSize
    let duration: MediaTime
    let frameRate: Rational
    /// What tells the file's content from another under the same path.
    let identity: String
    /// Looks into the file once for all threads.
    private let library: FileMediaLibrary

    /// Looks into the file, or into the notes that were kept when that was done before.
    init(_ path: String, precision: PicturePrecision, notes: PictureStore?) throws {
        self.path = path
        library = FileMediaLibrary(baseDirectory: "", precision: precision)
        let identity = try FileMediaLibrary.identity(ofFile: path)
        self.identity = identity
        let name = Fingerprint("source \(path) \(identity) facts 1")
        let facts: [Int64]
        if let known = notes?.note(name)?.split(separator: " ").compactMap({ Int64($0) }), known.count == 6 {
            facts = known
        } else {
            guard let video = try library.probe(path).video else {
                throw EditorError(.invalidData, "\(path) has no pictures")
            }
            let (shown, rate) = (video.displayedSize, video.frameRate ?? Rational(30))
            let length = video.isStill ? max(video.duration, rate.duration(ofTicks: 1)) : video.duration
            facts = [
                Int64(shown.width), Int64(shown.height), length.value, length.timescale, rate.numerator,
                rate.denominator,
            ]
            notes?.save(note: facts.map(String.init).joined(separator: " "), as: name)
        }
        func even(_ length: Int64) -> Int { max(2, Int(length) / 2 * 2) }
        size = PixelSize(width: even(facts[0]), height: even(facts[1]))
        duration = MediaTime(value: facts[2], timescale: facts[3])
        frameRate = Rational(facts[4], facts[5])
    }

    func number(at time: MediaTime) throws -> Int? {
        guard time < duration else {
            throw EditorError(.invalidData, "\(path) has no picture at \(time) s: it is \(duration) s long")
        }
        return nil
    }

    func name(ofPictureAt time: MediaTime, size: PixelSize, precision: PicturePrecision) throws -> Fingerprint {
        _ = try number(at: time)
        return Fingerprint(
            "source \(path) \(identity) engine \(RenderPlan.engineVersion) \(time.value)/\(time.timescale) \(size) \(precision.rawValue)"
        )
    }

    func makeSupply(size: PixelSize, precision: PicturePrecision) throws -> any PictureSupply {
        try SourceSupply(path, library, size: size)
    }
}

private final class SourceSupply: PictureSupply {
    private let source: any VideoSource
    private let blank: VideoFrame

    init(_ path: String, _ library: FileMediaLibrary, size: PixelSize) throws {
        source = try library.openVideo(
            try library.probe(path), request: PictureRequest(canvas: size, gravity: .resize))
        var blank = FramePool().frame(.yuv420, size)
        PictureBlit.fill(&blank, with: .black)
        self.blank = blank
    }

    func decodingStart(for time: MediaTime) -> MediaTime? { source.decodingStart(for: time) }

    func picture(at time: MediaTime, readsOn: Bool?) throws -> VideoFrame {
        source.announce(readsOn: readsOn)
        let placed = try source.picture(at: time)
        guard placed.frame.format == .yuva420 else { return placed.frame }
        var picture = blank
        PictureBlit.composite(placed.frame, over: &picture, x: placed.x, y: placed.y)
        return picture
    }
}
