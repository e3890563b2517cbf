internal import CFFmpeg
internal import EditorCore

/// libswscale between two kinds of pictures; owns its SwsContext. Belongs to one thread.
final class ScalingContext {
    struct Picture {
        var format: AVPixelFormat
        var size: PixelSize
        var isFullRange: Bool
        /// One of libswscale's tables, `SWS_CS_…`.
        var matrix: Int32
    }

    private let pointer: OpaquePointer
    private let input: Picture
    private let output: Picture

    init(from input: Picture, to output: Picture, quality: Int32) throws {
        (self.input, self.output) = (input, output)
        pointer = try checkAllocated(sws_alloc_context(), "sws_alloc_context")
        // The ranges must be known before the scaler chooses its ways: between equal sizes it would merely copy.
        let options: [(String, Int)] = [
            ("srcw", input.size.width), ("srch", input.size.height), ("src_format", Int(input.format.rawValue)),
            ("dstw", output.size.width), ("dsth", output.size.height), ("dst_format", Int(output.format.rawValue)),
            ("sws_flags", Int(quality)), ("src_range", input.isFullRange ? 1 : 0),
            ("dst_range", output.isFullRange ? 1 : 0),
        ]
        for (name, value) in options {
            try check(
                av_opt_set_int(UnsafeMutableRawPointer(pointer), name, Int64(value), 0), "av_opt_set_int \(name)")
        }
        try check(sws_init_context(pointer, nil, nil), "sws_init_context")
        // No scaling of brightness, contrast or saturation: 0, 1 and 1 in 16.16.
        sws_setColorspaceDetails(
            pointer, sws_getCoefficients(input.matrix), input.isFullRange ? 1 : 0, sws_getCoefficients(output.matrix),
            output.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
    }

    // Runs also when `init` throws once all properties are set.
    deinit { sws_freeContext(pointer) }

    /// Scales a whole picture; each argument is as many planes and strides as libav's frames have, at least four.
    func scale(
        _ data: UnsafePointer<UnsafePointer<UInt8>?>, _ strides: UnsafePointer<Int32>,
        into outData: UnsafePointer<UnsafeMutablePointer<UInt8>?>, _ outStrides: UnsafePointer<Int32>
    ) throws {
        let rows = try check(
            sws_scale(pointer, data, strides, 0, Int32(input.size.height), outData, outStrides), "sws_scale")
        guard rows == output.size.height else {
            throw FFmpegError(
                code: editor_AVERROR_INVALIDDATA, function: "sws_scale", lastLogLine: FFmpegLog.takeLastLine())
        }
    }

    /// Scales a whole picture.
    func scale(_ source: MediaFrame, into result: MediaFrame) throws {
        try source.withArrays { data, strides in
            try result.withMutableArrays { outData, outStrides in try scale(data, strides, into: outData, outStrides) }
        }
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
