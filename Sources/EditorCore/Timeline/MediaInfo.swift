/// What a media file holds, as far as composing it needs to know. Made by a `MediaLibrary`.
public struct MediaInfo: Sendable {
    /// The path as it was asked for.
    public var path: String
    /// What tells this content from another under the same path; goes into fingerprints.
    public var identity: String
    /// Name of the container format.
    public var container: String
    public var video: VideoStreamInfo?
    /// The sound streams in file order; the first is the one that plays unless a clip chooses another.
    public var audio: [AudioStreamInfo]
    /// What is done to the file's pictures and sound to make them fit, and what is wrong with it. Warnings without a
    /// pointer; messages name the file.
    public var normalisations: [Finding]

    public init(
        path: String, identity: String, container: String, video: VideoStreamInfo?, audio: [AudioStreamInfo],
        normalisations: [Finding]
    ) {
        self.path = path
        self.identity = identity
        self.container = container
        self.video = video
        self.audio = audio
        self.normalisations = normalisations
    }
}

extension MediaInfo {
    private static let generated = "generator"

    /// What a generator draws on: nothing, as large as the canvas.
    static func ground(of generator: String, canvas: PixelSize) -> MediaInfo {
        MediaInfo(
            path: generator, identity: "", container: generated,
            video: VideoStreamInfo(
                streamIndex: 0, codec: generated, pixelFormat: "yuva420p", storedSize: canvas, pixelAspect: .one,
                orientation: .up, firstTimestamp: .zero, duration: .zero, frameCount: 1, frameRate: nil,
                isVariableRate: false, isStill: true, hasAlpha: true, isInterlaced: false,
                color: ColorDescription(
                    matrix: .bt709, isFullRange: false, transfer: .sdr, primaries: .bt709, isTagged: true)),
            audio: [], normalisations: [])
    }

    /// Whether an effect makes the pictures in place of a file; `path` is the effect's id then.
    public var isGenerated: Bool { container == Self.generated }
}

/// The pictures of a file. Times count from the first shown picture.
public struct VideoStreamInfo: Sendable {
    public var streamIndex: Int
    public var codec: String
    public var pixelFormat: String
    /// Stored size in pixels.
    public var storedSize: PixelSize
    /// Width of a pixel by its height.
    public var pixelAspect: Rational
    public var orientation: Orientation
    /// Timestamp of the first shown picture on the file's own clock.
    public var firstTimestamp: MediaTime
    /// From the first shown picture to the end of the last one.
    public var duration: MediaTime
    /// Shown pictures, when the whole file was looked at.
    public var frameCount: Int?
    /// Pictures a second on average; nil for a still.
    public var frameRate: Rational?
    public var isVariableRate: Bool
    /// One picture without a length of its own.
    public var isStill: Bool
    public var hasAlpha: Bool
    public var isInterlaced: Bool
    public var color: ColorDescription

    public init(
        streamIndex: Int, codec: String, pixelFormat: String, storedSize: PixelSize, pixelAspect: Rational,
        orientation: Orientation, firstTimestamp: MediaTime, duration: MediaTime, frameCount: Int?,
        frameRate: Rational?, isVariableRate: Bool, isStill: Bool, hasAlpha: Bool, isInterlaced: Bool,
        color: ColorDescription
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.pixelFormat = pixelFormat
        self.storedSize = storedSize
        self.pixelAspect = pixelAspect
        self.orientation = orientation
        self.firstTimestamp = firstTimestamp
        self.duration = duration
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.isVariableRate = isVariableRate
        self.isStill = isStill
        self.hasAlpha = hasAlpha
        self.isInterlaced = isInterlaced
        self.color = color
    }

    /// Size as shown, in square pixels: the pixel aspect widens, then the orientation may swap the sides.
    public var displayedSize: PixelSize {
        let width = Double(storedSize.width) * pixelAspect.doubleValue
        let wide = PixelSize(width: max(1, Int(width.rounded())), height: storedSize.height)
        return orientation.swapsSides ? PixelSize(width: wide.height, height: wide.width) : wide
    }
}

/// A sound stream of a file.
public struct AudioStreamInfo: Sendable {
    public var streamIndex: Int
    public var codec: String
    public var channelCount: Int
    /// Name of the channel layout.
    public var layout: String
    public var sampleRate: Int
    /// Start of the sound, counted from the first shown picture, or from the start of a file without pictures.
    public var start: MediaTime
    /// nil when it cannot be told without decoding.
    public var duration: MediaTime?
    /// Whether the stream has no packets at all.
    public var isEmpty: Bool

    public init(
        streamIndex: Int, codec: String, channelCount: Int, layout: String, sampleRate: Int, start: MediaTime,
        duration: MediaTime?, isEmpty: Bool
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.channelCount = channelCount
        self.layout = layout
        self.sampleRate = sampleRate
        self.start = start
        self.duration = duration
        self.isEmpty = isEmpty
    }
}

/// How the numbers of a picture become light.
public struct ColorDescription: Sendable, Hashable {
    public enum Matrix: String, Sendable { case rgb, bt601, bt709, bt2020 }
    public enum Transfer: String, Sendable { case sdr, linear, pq, hlg }
    /// `bt601` are those of 525 lines (SMPTE 170M), `bt470bg` those of 625 lines (EBU 3213).
    public enum Primaries: String, Sendable { case bt601, bt470bg, bt709, bt2020, displayP3 }

    public var matrix: Matrix
    public var isFullRange: Bool
    public var transfer: Transfer
    public var primaries: Primaries
    /// Whether the file named its matrix; else it was guessed from the number of lines.
    public var isTagged: Bool

    public init(matrix: Matrix, isFullRange: Bool, transfer: Transfer, primaries: Primaries, isTagged: Bool) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.primaries = primaries
        self.isTagged = isTagged
    }

    public var isHDR: Bool { transfer == .pq || transfer == .hlg }

    /// Whether its light has to be changed, not only the numbers that stand for it: other primaries or another transfer
    /// curve than BT.709's.
    public var changesLight: Bool { isHDR || transfer == .linear || primaries != .bt709 }
}
