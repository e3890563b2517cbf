/// What kind of movie is written: the config's export keys with everything decided.
public struct ExportSettings: Sendable, Hashable {
    public var container: OutputFileType
    public var canvas: PixelSize
    public var frameRate: Rational
    /// Codec or encoder names; nil for a container without such a stream.
    public var videoCodec: String?
    public var audioCodec: String?
    /// Lower is better; nil when a bit rate is given.
    public var crf: Double?
    public var videoBitRate: Int?
    /// x264's words for speed.
    public var preset: String
    public var audioBitRate: Int
    public var sampleRate: Int
    /// A name of libavutil's; nil is yuv420p where the encoder takes it, else its own first choice.
    public var pixelFormat: String?
    /// Frames from one key frame to the next.
    public var keyFrameInterval: Int
    public var options: [String: String]
    public var isFastStart: Bool

    /// - Parameter fileName: decides the container when the config does not; a name without an ending means mov.
    public init(_ configuration: Configuration, fileName: String?, isDraft: Bool = false) {
        let export = configuration.export
        container =
            configuration.outputFileType ?? fileName.flatMap(Self.ending(of:)).flatMap(OutputFileType.init(ending:))
            ?? .mov
        canvas = configuration.renderSize
        frameRate = configuration.frameRate
        let (quality, speed, soundRate): (Double, String, Int) =
            switch configuration.exportPreset {
            case .lowQuality: (29, "veryfast", 96_000)
            case .mediumQuality: (23, "veryfast", 160_000)
            case .highestQuality: (17, "medium", 256_000)
            }
        videoBitRate = export.videoBitRate
        crf = export.videoBitRate == nil ? export.crf ?? quality : nil
        preset = isDraft ? "ultrafast" : export.preset ?? speed
        audioBitRate = export.audioBitRate ?? soundRate
        sampleRate = export.sampleRate ?? AudioFormat.sampleRate
        pixelFormat = export.pixelFormat
        keyFrameInterval = max(1, Int(export.keyFrameInterval.ticksRoundedDown(per: configuration.frameRate)))
        options = export.options
        isFastStart = configuration.shouldOptimizeForNetworkUse
        switch container {
        case .mp4, .mov, .mkv:
            videoCodec = export.videoCodec ?? "h264"
            audioCodec = export.audioCodec ?? "aac"
        case .webm:
            videoCodec = export.videoCodec ?? "vp9"
            audioCodec = export.audioCodec ?? "opus"
        case .gif:
            videoCodec = export.videoCodec ?? "gif"
            audioCodec = nil
        case .m4a:
            videoCodec = nil
            audioCodec = export.audioCodec ?? "aac"
        }
    }
}

extension ExportSettings {
    /// What is wrong with a movie's file name: an ending that no container has, or one of another container than the
    /// config names.
    public static func findings(on fileName: String, outputFileType: OutputFileType?) -> [Finding] {
        guard let ending = ending(of: fileName) else { return [] }
        let named = OutputFileType(ending: ending)
        if let outputFileType {
            guard named != outputFileType else { return [] }
            return [
                Finding(
                    .warning, code: "output.ending", at: JSONPointer(["outputFileType"]),
                    "\(fileName) becomes a \(outputFileType.rawValue) file, as outputFileType says, though its name ends in "
                        + ".\(ending)")
            ]
        }
        guard named == nil else { return [] }
        return [
            Finding(
                .error, code: "output.ending", "\(fileName) cannot be written: there is no container for .\(ending)",
                hint: "end it in " + OutputFileType.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
                    + ", or say outputFileType")
        ]
    }

    /// What stands behind the last dot, in lower case; nil when that is no ending, such as a version's number.
    private static func ending(of fileName: String) -> String? {
        guard let dot = fileName.lastIndex(of: "."), dot > fileName.startIndex else { return nil }
        let ending = fileName[fileName.index(after: dot)...].lowercased()
        return (1...5).contains(ending.count) && ending.contains(where: \.isLetter) ? ending : nil
    }
}

extension OutputFileType {
    /// From a file name's ending in lower case.
    fileprivate init?(ending: String) {
        switch ending {
        case "m4v": self = .mp4
        case "qt": self = .mov
        default: self.init(rawValue: ending)
        }
    }
}
