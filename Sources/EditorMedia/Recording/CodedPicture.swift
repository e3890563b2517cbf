internal import CFFmpeg
internal import EditorCore

/// A picture that the camera coded itself, in H.264, as it gave it.
public struct CodedPicture: Sendable {
    let bytes: [UInt8]
    /// Whether decoding can begin with it.
    public let isKey: Bool
    /// What it belongs to.
    let video: CodedVideo
}

/// What must be known of a camera's H.264 before its first picture.
struct CodedVideo: Sendable, Hashable {
    /// Parts of a second that times in a file are counted in; all usual rates divide it.
    static let ticks = Rational(90_000)

    /// The sequence and picture parameter sets, with start codes.
    var parameterSets: [UInt8]
    var size: PixelSize
    var rate: Rational
    /// What the camera's driver says; the stream itself may say more.
    var isBT709: Bool
    var isFullRange: Bool

    /// A stream of it in a file, counted in `ticks`.
    func addStream(to output: OutputContext) throws -> OutputContext.Stream {
        try output.addStream(timeBase: AVRational(num: 1, den: Int32(Self.ticks.numerator))) { stream in
            let parameters = stream.pointee.codecpar!
            parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            parameters.pointee.codec_id = AV_CODEC_ID_H264
            (parameters.pointee.width, parameters.pointee.height) = (Int32(size.width), Int32(size.height))
            parameters.pointee.extradata = try paddedCopy(of: parameterSets)
            parameters.pointee.extradata_size = Int32(parameterSets.count)
            parameters.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            parameters.pointee.color_space = isBT709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
            parameters.pointee.color_primaries = AVCOL_PRI_BT709
            parameters.pointee.color_trc = AVCOL_TRC_BT709
            stream.pointee.avg_frame_rate = AVRational(num: Int32(rate.numerator), den: Int32(rate.denominator))
        }
    }
}
