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
        try source.withArrays { data, strides in
            try result.withMutableArrays { outData, outStrides in
                try context.scale(data, strides, into: outData, outStrides)
            }
        }
        return result
    }
}

extension MediaFrame {
    /// The planes as the scaling calls want them.
    fileprivate func withArrays<R>(_ body: (UnsafePointer<UnsafePointer<UInt8>?>, UnsafePointer<Int32>) throws -> R)
        rethrows -> R
    {
        let data = pointer.pointee.data
        let sources: [UnsafePointer<UInt8>?] = [
            UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2), UnsafePointer(data.3),
        ]
        let lines = pointer.pointee.linesize
        return try body(sources, [lines.0, lines.1, lines.2, lines.3])
    }

    fileprivate func withMutableArrays<R>(
        _ body: (UnsafePointer<UnsafeMutablePointer<UInt8>?>, UnsafePointer<Int32>) throws -> R
    ) rethrows -> R {
        let data = pointer.pointee.data
        let lines = pointer.pointee.linesize
        return try body([data.0, data.1, data.2, data.3], [lines.0, lines.1, lines.2, lines.3])
    }
}
