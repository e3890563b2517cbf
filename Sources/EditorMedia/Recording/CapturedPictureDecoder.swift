internal import CFFmpeg
public import EditorCore

/// How the bytes of a captured picture are to be read.
public struct CapturedPictureFormat: Sendable, Hashable {
    public enum Layout: String, Sendable { case nv12, yuyv, uyvy, yuv420, rgb24, mjpeg, h264 }

    public var layout: Layout
    public var size: PixelSize
    /// Bytes from one row to the next, of packed formats or the luma plane; 0 is rows without padding.
    public var bytesPerRow: Int
    public var isBT709: Bool
    public var isFullRange: Bool

    public init(layout: Layout, size: PixelSize, bytesPerRow: Int, isBT709: Bool, isFullRange: Bool) {
        (self.layout, self.size, self.bytesPerRow) = (layout, size, bytesPerRow)
        (self.isBT709, self.isFullRange) = (isBT709, isFullRange)
    }
}

/// Turns captured pictures into working pictures. Belongs to one thread.
public final class CapturedPictureDecoder {
    private let format: CapturedPictureFormat
    private let pixelFormat: AVPixelFormat
    private let decoder: Decoder?
    private let pool = FramePool()
    /// By the first picture, as coded pictures may tell their colours.
    private var converters: (upright: PictureConverter, mirrored: PictureConverter)?
    private let lent: MediaFrame
    private let packet: Packet

    /// - Throws: `EditorError` `.unavailable` when nothing here decodes the format.
    public init(_ format: CapturedPictureFormat) throws {
        FFmpegLog.install()
        self.format = format
        pixelFormat =
            switch format.layout {
            case .nv12: AV_PIX_FMT_NV12
            case .yuyv: AV_PIX_FMT_YUYV422
            case .uyvy: AV_PIX_FMT_UYVY422
            case .yuv420: AV_PIX_FMT_YUV420P
            case .rgb24: AV_PIX_FMT_RGB24
            case .mjpeg, .h264: AV_PIX_FMT_NONE
            }
        do {
            decoder =
                switch format.layout {
                case .mjpeg: try Decoder(stills: AV_CODEC_ID_MJPEG, isStrict: false, path: "a camera's picture")
                case .h264: try Decoder(live: AV_CODEC_ID_H264, path: "a camera's picture")
                default: nil
                }
            lent = try MediaFrame()
            packet = try Packet()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "pictures of the camera cannot be decoded: \(error)")
        }
    }

    /// - Parameters:
    ///   - bytes: one picture as the camera gave it.
    ///   - size: of the result; even.
    ///   - zoom: 1 is the whole picture, 2 its middle half.
    /// - Returns: the middle of the picture, covering `size`; nil when the bytes are no whole picture.
    /// - Throws: `EditorError` when the conversion itself fails.
    public func decode(_ bytes: Span<UInt8>, size: PixelSize, zoom: Double = 1, isMirrored: Bool = false) throws
        -> VideoFrame?
    {
        do {
            return try bytes.withUnsafeBufferPointer { bytes in
                guard let frame = try frame(bytes) else { return nil }
                let crop = Self.crop(PixelSize(width: frame.width, height: frame.height), covering: size, zoom: zoom)
                let (upright, mirrored) = converters(for: frame)
                return try (isMirrored ? mirrored : upright).convert(frame, crop: crop, size: size)
            }
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "a picture of the camera could not be converted: \(error)")
        }
    }

    /// Forgets the pictures before, as the next one needs none of them.
    func restart() { decoder?.flush() }

    private func converters(for frame: MediaFrame) -> (upright: PictureConverter, mirrored: PictureConverter) {
        if let converters { return converters }
        var color = ColorDescription(
            matrix: format.layout == .rgb24 ? .rgb : format.isBT709 ? .bt709 : .bt601,
            isFullRange: format.isFullRange, transfer: .sdr, primaries: .bt709, isTagged: true)
        if format.layout == .h264 {
            let told = ColorDescription(frame)
            if told.isTagged { color = told }
        }
        let made = (
            PictureConverter(orientation: .up, color: color, pool: pool),
            PictureConverter(orientation: .upMirrored, color: color, pool: pool)
        )
        converters = made
        return made
    }

    /// The middle part with the shape of `size`.
    static func crop(_ picture: PixelSize, covering size: PixelSize, zoom: Double) -> UnitRect {
        let scale = max(
            Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height))
        let width = Double(size.width) / scale / Double(picture.width) / max(1, zoom)
        let height = Double(size.height) / scale / Double(picture.height) / max(1, zoom)
        if width > 0.9999, height > 0.9999 { return .whole }
        return UnitRect(x: (1 - width) / 2, y: (1 - height) / 2, width: width, height: height)
    }

    private func frame(_ bytes: UnsafeBufferPointer<UInt8>) throws -> MediaFrame? {
        guard let base = bytes.baseAddress else { return nil }
        if let decoder {
            try packet.setData(bytes)
            guard try decoder.send(packet), case .frame = try decoder.receive(into: lent) else { return nil }
            return lent
        }
        // The frame lends the bytes: libav neither owns nor frees them, and whoever keeps a picture copies it.
        let (width, height) = (format.size.width, format.size.height)
        let isPacked = format.layout == .yuyv || format.layout == .uyvy
        let perPixel = isPacked ? 2 : format.layout == .rgb24 ? 3 : 1
        let stride = format.bytesPerRow > 0 ? format.bytesPerRow : width * perPixel
        guard stride >= width * perPixel else { return nil }
        let luma = UnsafeMutablePointer(mutating: base)
        lent.pointer.pointee.format = pixelFormat.rawValue
        lent.pointer.pointee.width = Int32(width)
        lent.pointer.pointee.height = Int32(height)
        lent.pointer.pointee.data.0 = luma
        lent.pointer.pointee.linesize.0 = Int32(stride)
        let needed: Int
        switch format.layout {
        case .nv12:
            lent.pointer.pointee.data.1 = luma + stride * height
            lent.pointer.pointee.linesize.1 = Int32(stride)
            needed = stride * height * 3 / 2
        case .yuv420:
            lent.pointer.pointee.data.1 = luma + stride * height
            lent.pointer.pointee.data.2 = luma + stride * height + stride / 2 * (height / 2)
            lent.pointer.pointee.linesize.1 = Int32(stride / 2)
            lent.pointer.pointee.linesize.2 = Int32(stride / 2)
            needed = stride * height + stride / 2 * (height / 2) * 2
        default: needed = stride * (height - 1) + width * perPixel
        }
        return bytes.count >= needed ? lent : nil
    }
}
