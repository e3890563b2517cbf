/// What an effect is given when it is made.
public struct EffectContext: Sendable {
    /// Size of the pictures it will see, in pixels: the canvas, or the placed clip's picture.
    public var canvas: PixelSize
    /// Frames a second.
    public var frameRate: Rational
    /// Length of the movie, or of the clip.
    public var duration: MediaTime
    /// When the effect is on, within `duration`.
    public var activeRange: TimeRange
    /// The only door to files.
    public var assets: any AssetLoading
    /// Where the effect stands in the config, for findings.
    public var pointer: JSONPointer
    /// Raised when nobody wants the result any more; long preparations look at it.
    public var cancellation: Cancellation
    /// Takes warnings. May be called from `init` only; equal findings are told once.
    public var report: @Sendable (Finding) -> Void

    public init(
        canvas: PixelSize, frameRate: Rational, duration: MediaTime, activeRange: TimeRange, assets: any AssetLoading,
        pointer: JSONPointer = JSONPointer(), cancellation: Cancellation = Cancellation(),
        report: @escaping @Sendable (Finding) -> Void = { _ in }
    ) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.duration = duration
        self.activeRange = activeRange
        self.assets = assets
        self.pointer = pointer
        self.cancellation = cancellation
        self.report = report
    }

    /// Reports a warning at the effect's place.
    public func warn(_ code: String, _ message: String, hint: String? = nil) {
        report(Finding(.warning, code: code, at: pointer, message, hint: hint))
    }
}

/// Gives effects the contents of files. Safe on any thread; results are shared and cached.
///
/// Errors are `EditorError`s whose message names the file and what is wrong with it.
public protocol AssetLoading: Sendable {
    /// The pictures of an image file, upright. A vector image is drawn `width` pixels wide when that is given.
    func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset
    /// A new reader of a file's sound.
    func audio(_ asset: AssetReference) throws -> any AudioReading
    /// Integrated loudness of a whole file in LUFS; nil when it is too short or too silent to have one. The file is read
    /// to its end the first time.
    /// - Throws: `EditorError.cancelled` soon after `cancellation` is raised.
    func loudness(of asset: AssetReference, cancellation: Cancellation) throws -> Double?
    /// A file's text (UTF-8).
    func text(_ asset: AssetReference) throws -> String
    /// Makes a font file known to the text system and returns the family it holds.
    func fontFamily(_ asset: AssetReference) throws -> String
}

extension AssetLoading {
    /// For sources of assets that hold no sound.
    public func loudness(of asset: AssetReference, cancellation: Cancellation) throws -> Double? {
        throw EditorError(.unavailable, "the loudness of \(asset.path) cannot be measured here")
    }
}

/// The pictures of an image file: one for a still, several for an animation.
public final class ImageAsset: Sendable {
    public struct Frame: Sendable {
        /// Seconds this picture stands.
        public var duration: Double
        private let drawing: @Sendable () -> OverlayPicture

        public init(picture: OverlayPicture, duration: Double) {
            self.init(duration: duration) { picture }
        }

        /// - Parameter drawing: draws the picture, on any thread; the same each time, and the same object where it can.
        public init(duration: Double, drawing: @escaping @Sendable () -> OverlayPicture) {
            self.duration = duration
            self.drawing = drawing
        }

        /// The picture. Of a drawn animation it is drawn when it is asked for, so ask once a frame and only for what
        /// shows.
        public var picture: OverlayPicture { drawing() }
    }

    /// At least one.
    public let frames: [Frame]
    /// Natural size in pixels, upright.
    public let size: PixelSize

    public init(frames: [Frame], size: PixelSize? = nil) {
        precondition(!frames.isEmpty, "an image has a picture")
        self.frames = frames
        self.size = size ?? PixelSize(width: frames[0].picture.width, height: frames[0].picture.height)
    }

    /// Seconds that one run through all frames takes; 0 for a still.
    public var duration: Double { frames.count == 1 ? 0 : frames.reduce(0) { $0 + $1.duration } }
}
