internal import CFFmpeg
internal import EditorCore

/// libswscale from a working picture to what an image encoder takes.
enum StillScaler {
    static func scale(_ frame: VideoFrame, to size: PixelSize, format: AVPixelFormat) throws -> MediaFrame {
        let result = try MediaFrame()
        try result.allocatePicture(size, format: format)
        let isJPEG = format == AV_PIX_FMT_YUVJ420P
        let isRGB = format == AV_PIX_FMT_RGB24
        let context = try ScalingContext(
            from: .init(
                format: AV_PIX_FMT_YUV420P, size: frame.size, isFullRange: false, matrix: Int32(SWS_CS_ITU709)),
            // JPEG files are BT.601 full range (JFIF); WebP decoders take BT.601 limited.
            to: .init(
                format: isJPEG ? AV_PIX_FMT_YUV420P : format, size: size, isFullRange: isRGB || isJPEG,
                matrix: isRGB ? Int32(SWS_CS_ITU709) : Int32(SWS_CS_ITU601)),
            quality: Int32(SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT))
        let source = try MediaFrame(lending: frame)
        try context.scale(source, into: result)
        return result
    }
}
