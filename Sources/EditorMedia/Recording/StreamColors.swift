internal import CFFmpeg
internal import EditorCore

/// Gives working pictures the colours of a camera's stream: all of a track is shown in one way. Belongs to one thread.
final class StreamColors {
    private let video: CodedVideo
    /// Kept from one picture to the next, as making its tables is a tenth to a third of the work.
    private var converter: (context: ScalingContext, size: PixelSize)?

    init(_ video: CodedVideo) { self.video = video }

    /// - Returns: the picture itself where the stream has the working colours.
    func restored(_ frame: VideoFrame) throws -> MediaFrame {
        let lent = try MediaFrame(lending: frame)
        guard !video.isBT709 || video.isFullRange else { return lent }
        let result = try MediaFrame()
        try result.allocatePicture(frame.size, format: AV_PIX_FMT_YUV420P)
        try context(for: frame.size).scale(lent, into: result)
        return result
    }

    private func context(for size: PixelSize) throws -> ScalingContext {
        if let converter, converter.size == size { return converter.context }
        let picture = ScalingContext.Picture(
            format: AV_PIX_FMT_YUV420P, size: size, isFullRange: false, matrix: Int32(SWS_CS_ITU709))
        var wanted = picture
        (wanted.isFullRange, wanted.matrix) = (
            video.isFullRange, Int32(video.isBT709 ? SWS_CS_ITU709 : SWS_CS_ITU601)
        )
        let context = try ScalingContext(
            from: picture, to: wanted, quality: Int32(SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP))
        converter = (context, size)
        return context
    }
}
