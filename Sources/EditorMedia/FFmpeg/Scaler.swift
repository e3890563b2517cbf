internal import CFFmpeg
internal import EditorCore

/// libswscale for one kind of input picture and one output size. Belongs to one thread.
final class Scaler {
    struct Key: Equatable {
        var format: AVPixelFormat
        var width: Int
        var height: Int
        var size: PixelSize
    }

    let key: Key
    private let context: ScalingContext
    private let output: PixelFormat
    /// libswscale changes a matrix by way of packed R′G′B′ with coarse chroma; this keeps to the planes.
    private var matrixChange: MatrixChange?

    /// - Parameter isPacked: whether `rgba` (straight alpha) comes out, as pictures over the movie want it; else
    ///   `yuv420` or `yuva420`.
    init(_ key: Key, color: ColorDescription, isPacked: Bool = false) throws {
        self.key = key
        let isAlpha = key.format.hasAlpha
        output = isPacked ? .rgba : isAlpha ? .yuva420 : .yuv420
        let target = isPacked ? AV_PIX_FMT_RGBA : isAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
        // Without accurate rounding scaled pictures are two codes too dark.
        var quality = SWS_BICUBIC | SWS_ACCURATE_RND
        if color.matrix == .rgb || isPacked { quality |= SWS_FULL_CHR_H_INP }
        if isPacked { quality |= SWS_FULL_CHR_H_INT }
        // Shrunk that much, every pixel is the average of the area it covers.
        if isPacked, key.size.width * 2 <= key.width { quality = quality & ~SWS_BICUBIC | SWS_AREA }
        matrixChange = isPacked ? nil : MatrixChange(from: color.matrix)
        let matrix = Self.coefficients(color.matrix)
        context = try ScalingContext(
            from: .init(
                format: Self.withoutRange(key.format), size: PixelSize(width: key.width, height: key.height),
                isFullRange: color.isFullRange, matrix: matrix),
            to: .init(
                format: target, size: key.size, isFullRange: false,
                matrix: matrixChange == nil ? Int32(SWS_CS_ITU709) : matrix),
            quality: Int32(quality))
    }

    /// The `yuvj` names carry their range in the format; the range is given by the colour description instead.
    private static func withoutRange(_ format: AVPixelFormat) -> AVPixelFormat {
        switch format {
        case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ411P: AV_PIX_FMT_YUV411P
        default: format
        }
    }

    private static func coefficients(_ matrix: ColorDescription.Matrix) -> Int32 {
        switch matrix {
        case .rgb, .bt709: Int32(SWS_CS_ITU709)
        case .bt601: Int32(SWS_CS_ITU601)
        case .bt2020: Int32(SWS_CS_BT2020)
        }
    }

    func scale(_ frame: MediaFrame, pool: FramePool) throws -> VideoFrame {
        var result = pool.frame(output, key.size)
        let picture = frame.pointer.pointee
        let source = (
            UnsafePointer(picture.data.0), UnsafePointer(picture.data.1), UnsafePointer(picture.data.2),
            UnsafePointer(picture.data.3)
        )
        let sourceStrides = (picture.linesize.0, picture.linesize.1, picture.linesize.2, picture.linesize.3)
        let planes = result.planes
        func base(_ plane: Int) -> UnsafeMutablePointer<UInt8>? { plane < planes.count ? planes[plane].base : nil }
        func stride(_ plane: Int) -> Int32 { plane < planes.count ? Int32(planes[plane].stride) : 0 }
        let target = (base(0), base(1), base(2), base(3))
        let targetStrides = (stride(0), stride(1), stride(2), stride(3))
        try withTuplePointers(source, sourceStrides, target, targetStrides) { data, strides, outData, outStrides in
            try context.scale(data, strides, into: outData, outStrides)
        }
        matrixChange?.apply(to: &result)
        return result
    }

    private typealias Four<T> = (T, T, T, T)

    /// C arrays of four without allocating.
    private func withTuplePointers<R>(
        _ source: Four<UnsafePointer<UInt8>?>, _ sourceStrides: Four<Int32>,
        _ target: Four<UnsafeMutablePointer<UInt8>?>,
        _ targetStrides: Four<Int32>,
        _ body: (
            UnsafePointer<UnsafePointer<UInt8>?>, UnsafePointer<Int32>, UnsafePointer<UnsafeMutablePointer<UInt8>?>,
            UnsafePointer<Int32>
        ) throws -> R
    ) rethrows -> R {
        try withUnsafeBytes(of: source) { a in
            try withUnsafeBytes(of: sourceStrides) { b in
                try withUnsafeBytes(of: target) { c in
                    try withUnsafeBytes(of: targetStrides) { d in
                        try body(
                            a.assumingMemoryBound(to: UnsafePointer<UInt8>?.self).baseAddress!,
                            b.assumingMemoryBound(to: Int32.self).baseAddress!,
                            c.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self).baseAddress!,
                            d.assumingMemoryBound(to: Int32.self).baseAddress!)
                    }
                }
            }
        }
    }
}
