/// Opens media: what the core asks of whoever knows files and codecs. Safe on any thread.
///
/// Errors are `EditorError`s whose message names the file.
public protocol MediaLibrary: Sendable {
    /// What a file holds. Results are cached.
    func probe(_ path: String) throws -> MediaInfo
    /// A new source of a file's pictures. `info` is what `probe` said of it.
    func openVideo(_ info: MediaInfo, request: PictureRequest) throws -> any VideoSource
    /// A new reader of a part of a file's sound, as it is played: sample 0 sounds with the part's first picture.
    /// - Parameters:
    ///   - stream: counts the file's sound streams from 0.
    ///   - range: the part, in time that counts from the file's first shown picture.
    ///   - speed: how many times faster than recorded it plays; the pitch is kept.
    ///   - treatment: what else is done to it.
    func openAudio(
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool, treatment: SoundTreatment
    ) throws -> any AudioReading
    /// A new meter for the sound of a movie.
    func makeLoudnessMeter() throws -> any LoudnessMeter
    /// The beats of a file's music. The file is read to its end the first time.
    /// - Throws: `EditorError.cancelled` soon after `cancellation` is raised.
    func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack
    /// Where effects get their assets.
    var assets: any AssetLoading { get }
    /// What tells an asset's content from another under the same name; goes into fingerprints.
    func identity(of asset: AssetReference) throws -> String
}

extension MediaLibrary {
    /// A part of a file's sound as it was recorded, but for its speed and direction.
    public func openAudio(_ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool) throws
        -> any AudioReading
    {
        try openAudio(
            info, stream: stream, range: range, speed: speed, isReversed: isReversed, treatment: SoundTreatment())
    }
}

/// How the pictures of a source are wanted.
public struct PictureRequest: Sendable, Hashable {
    public var canvas: PixelSize
    public var gravity: VideoGravity
    /// Whether what sticks out of the canvas is cut off; false where clip effects work on the whole picture.
    public var isCropped: Bool

    public init(canvas: PixelSize, gravity: VideoGravity, isCropped: Bool = true) {
        self.canvas = canvas
        self.gravity = gravity
        self.isCropped = isCropped
    }

    public func fit(displayed: PixelSize) -> PictureFit {
        PictureFit(displayed: displayed, canvas: canvas, gravity: gravity, isCropped: isCropped)
    }
}

/// A picture and where its top left corner stands on the canvas; both numbers are even.
public struct PlacedPicture: Sendable {
    /// `yuv420`, or `yuva420` where there is transparency.
    public var frame: VideoFrame
    public var x: Int
    public var y: Int

    public init(frame: VideoFrame, x: Int, y: Int) { (self.frame, self.x, self.y) = (frame, x, y) }
}

/// Gives the picture that a source shows at a time. Belongs to one thread.
///
/// The answer depends on the time alone: it is the same after reading on and after jumping.
public protocol VideoSource: AnyObject {
    /// The picture whose display interval holds `time`, counted from the first shown picture. Before the first and
    /// after the last picture those are held. A picture that is asked for again is the same memory.
    ///
    /// An instant within half a tick of the source's clock before a picture's timestamp already belongs to it, unless
    /// the clock ticks once a picture and so is exact.
    func picture(at time: MediaTime) throws -> PlacedPicture

    /// As `picture(at:)` for a clock that runs backwards: the interval without its first and with its last instant.
    func pictureReversed(at time: MediaTime) throws -> PlacedPicture

    /// Whether the picture that `picture(at:)` gave last is also the one of `next`. A source lets go of one that is not:
    /// whoever asked for it then has it alone, and may write to its memory without copying it.
    func keepsPicture(for next: MediaTime) throws -> Bool

    /// Time of the picture that decoding begins with for the one of `time`: a key frame's. nil where that is not known
    /// without reading, and where every picture stands for itself.
    func decodingStart(for time: MediaTime) -> MediaTime?

    /// Tells whether pictures soon after the next ones that are asked for will be wanted too; nil where nobody knows. It
    /// changes no picture: a source may leave out decoding that would be in vain.
    func announce(readsOn: Bool?)
}

extension VideoSource {
    public func keepsPicture(for next: MediaTime) throws -> Bool { true }
    public func decodingStart(for time: MediaTime) -> MediaTime? { nil }
    public func announce(readsOn: Bool?) {}
}
