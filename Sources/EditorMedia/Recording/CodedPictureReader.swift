internal import CFFmpeg
public import EditorCore

/// Reads the H.264 of a camera: what can be kept as it is, and, where that is wanted, working pictures of it. Belongs to
/// one thread.
public final class CodedPictureReader {
    /// What became of the bytes.
    public struct Reading {
        /// nil when they are no picture, or one that cannot be decoded as something before it is missing.
        public var picture: CodedPicture?
        /// nil when none was asked for, or decoding has still to wait for a key picture.
        public var frame: VideoFrame?
        /// Whether the bytes were a picture at all, or only told of the next ones.
        public var isPicture: Bool
    }

    /// What a working picture is to be like.
    public struct Look: Sendable {
        public var size: PixelSize
        /// 1 is the whole picture, 2 its middle half.
        public var zoom: Double
        public var isMirrored: Bool

        public init(size: PixelSize, zoom: Double, isMirrored: Bool) {
            (self.size, self.zoom, self.isMirrored) = (size, zoom, isMirrored)
        }
    }

    private let format: CapturedPictureFormat
    private let rate: Rational
    private let parser: StreamParser
    private let decoder: CapturedPictureDecoder
    private let packet: Packet
    private var video: CodedVideo?
    /// What came since the last picture and belongs to the next one.
    private var lead: [UInt8] = []
    /// Whether all since the last key picture is there.
    private var isWhole = false
    private var isDecoding = false

    /// Whether something waits for a key picture.
    public private(set) var awaitsKey = true

    /// - Parameters:
    ///   - format: of layout `h264`.
    ///   - rate: pictures a second.
    public init(_ format: CapturedPictureFormat, rate: Rational) throws {
        FFmpegLog.install()
        (self.format, self.rate) = (format, rate)
        decoder = try CapturedPictureDecoder(format)
        do {
            (parser, packet) = (try StreamParser(AV_CODEC_ID_H264), try Packet())
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "H.264 of the camera cannot be read: \(error)")
        }
    }

    /// - Parameters:
    ///   - bytes: what the camera gave for one picture.
    ///   - isNext: whether no picture between the one before and this is missing.
    ///   - look: what the working picture should be like; nil for none.
    /// - Throws: `EditorError` when the camera codes in a way that cannot be recorded.
    public func read(_ bytes: Span<UInt8>, isNext: Bool, look: Look?) throws -> Reading {
        do {
            return try bytes.withUnsafeBufferPointer { bytes in
                let units = NALUnits(bytes)
                if let sets = units.parameterSets(bytes) {
                    var known =
                        video
                        ?? CodedVideo(
                            parameterSets: [], size: format.size, rate: rate, isBT709: format.isBT709,
                            isFullRange: format.isFullRange)
                    known.parameterSets = sets
                    video = known
                }
                guard units.hasPicture else {
                    // What leads a picture is small; a stream without pictures is not kept.
                    if !units.units.isEmpty, lead.count + bytes.count <= 1 << 20 { lead += bytes }
                    return Reading(picture: nil, frame: nil, isPicture: false)
                }
                defer { lead = [] }
                return try read(picture: lead.isEmpty ? Array(bytes) : lead + bytes, isNext: isNext, look: look)
            }
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "a picture of the camera could not be read: \(error)")
        }
    }

    private func read(picture bytes: [UInt8], isNext: Bool, look: Look?) throws -> Reading {
        try packet.setData(bytes)
        let facts = try parser.parse(packet)
        guard !facts.isReordered else {
            throw EditorError(
                .unavailable,
                "the camera's H.264 has B pictures, which come out of order; switch them off, or choose another --camera-format"
            )
        }
        let isKey = facts.isKey && video != nil
        if isKey {
            video?.size = facts.size
            isWhole = true
        } else if !isNext {
            isWhole = false
        }
        guard isWhole, let video else {
            (isDecoding, awaitsKey) = (false, true)
            return Reading(picture: nil, frame: nil, isPicture: true)
        }
        var frame: VideoFrame?
        if let look {
            if isKey, !isDecoding {
                decoder.restart()
                isDecoding = true
            }
            if isDecoding {
                frame = try decoder.decode(
                    bytes.span, size: look.size, zoom: look.zoom, isMirrored: look.isMirrored)
            }
        } else {
            isDecoding = false
        }
        awaitsKey = look != nil && !isDecoding
        return Reading(
            picture: CodedPicture(bytes: bytes, isKey: isKey, video: video), frame: frame, isPicture: true)
    }
}
