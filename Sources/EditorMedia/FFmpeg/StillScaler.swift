internal import CFFmpeg
internal import EditorCore

/// libswscale from a working picture to what an image encoder takes.
enum StillScaler {
    static func scale(_ frame: VideoFrame, to size: PixelSize, format: AVPixelFormat) throws -> MediaFrame {
        let result = try MediaFrame()
        result.pointer.pointee.width = Int32(size.width)
        result.pointer.pointee.height = Int32(size.height)
        result.pointer.pointee.format = format.rawValue
        try check(av_frame_get_buffer(result.pointer, 0), "av_frame_get_buffer")
        let isJPEG = format == AV_PIX_FMT_YUVJ420P
        var context: OpaquePointer? = try checkAllocated(
            sws_getContext(
                Int32(frame.width), Int32(frame.height), AV_PIX_FMT_YUV420P, Int32(size.width), Int32(size.height),
                isJPEG ? AV_PIX_FMT_YUV420P : format, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nil, nil, nil
            ),
            "sws_getContext")
        defer {
            sws_freeContext(context)
            context = nil
        }
        let bt709 = sws_getCoefficients(Int32(SWS_CS_ITU709))
        // JPEG files are BT.601 full range (JFIF); WebP decoders take BT.601 limited.
        let bt601 = sws_getCoefficients(Int32(SWS_CS_ITU601))
        let isRGB = format == AV_PIX_FMT_RGB24
        sws_setColorspaceDetails(context, bt709, 0, isRGB ? bt709 : bt601, isRGB || isJPEG ? 1 : 0, 0, 1 << 16, 1 << 16)
        let source = try MediaFrame(lending: frame)
        let rows = try source.withArrays { data, strides in
            try result.withMutableArrays { outData, outStrides in
                try check(sws_scale(context, data, strides, 0, Int32(frame.height), outData, outStrides), "sws_scale")
            }
        }
        guard rows == size.height else {
            throw FFmpegError(
                code: editor_AVERROR_INVALIDDATA, function: "sws_scale", lastLogLine: FFmpegLog.takeLastLine())
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
