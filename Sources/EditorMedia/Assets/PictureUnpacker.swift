internal import CFFmpeg
internal import EditorCore

/// Turns decoded pictures into overlay pictures: upright, R′G′B′, premultiplied. Belongs to one thread.
final class PictureUnpacker {
    private let pool = FramePool()
    private var scaler: Scaler?

    /// - Parameters:
    ///   - orientation: how the picture is set upright.
    ///   - size: the size before it is set upright; nil keeps the decoded one.
    func picture(_ frame: MediaFrame, orientation: Orientation, size: PixelSize? = nil) throws -> OverlayPicture {
        let size = size ?? PixelSize(width: frame.width, height: frame.height)
        var color = ColorDescription(frame)
        if frame.pixelFormat.isGray { color.isFullRange = true }
        let key = Scaler.Key(format: frame.pixelFormat, width: frame.width, height: frame.height, size: size)
        let lying: VideoFrame
        if size.width == frame.width, size.height == frame.height, let layout = SampleLayout(frame.pixelFormat) {
            lying = layout.unpack(frame, pool: pool)
        } else {
            if scaler?.key != key { scaler = try Scaler(key, color: color, isPacked: true) }
            lying = try scaler!.scale(frame, pool: pool)
        }
        let upright = orientation == .up ? lying : lying.turned(orientation, pool: pool)
        return OverlayPicture(
            width: upright.width, height: upright.height,
            pixels: Self.premultiplied(upright, isOpaque: !frame.pixelFormat.hasAlpha))
    }

    /// Rows without padding, every colour times its alpha.
    private static func premultiplied(_ frame: VideoFrame, isOpaque: Bool) -> [UInt8] {
        let (plane, rowBytes) = (frame.planes[0], frame.width * 4)
        return [UInt8](unsafeUninitializedCapacity: rowBytes * frame.height) { buffer, count in
            for y in 0..<frame.height {
                let source = plane.base + y * plane.stride
                let target = buffer.baseAddress! + y * rowBytes
                target.update(from: source, count: rowBytes)
                if !isOpaque { Self.premultiply(target, count: frame.width) }
            }
            count = rowBytes * frame.height
        }
    }

    private static func premultiply(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        var pixel = pixels
        for _ in 0..<count {
            let alpha = UInt32(pixel[3])
            if alpha != 255 {
                for c in 0..<3 { pixel[c] = UInt8(truncatingIfNeeded: (UInt32(pixel[c]) &* alpha &+ 127) / 255) }
            }
            pixel += 4
        }
    }
}

/// Packed R′G′B′ or gray samples of whole bytes, which are unpacked exactly; libswscale goes through other colour
/// spaces for some of them and dithers.
private struct SampleLayout {
    /// Samples of a pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
    var samples: Int
    var bytesPerSample: Int
    /// Which byte of a sample comes first in weight.
    var highByte = 0

    init?(_ format: AVPixelFormat) {
        switch format {
        case AV_PIX_FMT_GRAY8: (samples, bytesPerSample) = (1, 1)
        case AV_PIX_FMT_YA8: (samples, bytesPerSample) = (2, 1)
        case AV_PIX_FMT_RGB24: (samples, bytesPerSample) = (3, 1)
        case AV_PIX_FMT_RGBA: (samples, bytesPerSample) = (4, 1)
        case AV_PIX_FMT_GRAY16BE: (samples, bytesPerSample) = (1, 2)
        case AV_PIX_FMT_YA16BE: (samples, bytesPerSample) = (2, 2)
        case AV_PIX_FMT_RGB48BE: (samples, bytesPerSample) = (3, 2)
        case AV_PIX_FMT_RGBA64BE: (samples, bytesPerSample) = (4, 2)
        case AV_PIX_FMT_GRAY16LE: (samples, bytesPerSample, highByte) = (1, 2, 1)
        case AV_PIX_FMT_YA16LE: (samples, bytesPerSample, highByte) = (2, 2, 1)
        case AV_PIX_FMT_RGB48LE: (samples, bytesPerSample, highByte) = (3, 2, 1)
        case AV_PIX_FMT_RGBA64LE: (samples, bytesPerSample, highByte) = (4, 2, 1)
        default: return nil
        }
    }

    func unpack(_ frame: MediaFrame, pool: FramePool) -> VideoFrame {
        let result = pool.frame(.rgba, PixelSize(width: frame.width, height: frame.height))
        let (target, source) = (result.planes[0], frame.pointer.pointee)
        let hasAlpha = samples % 2 == 0
        let isColour = samples > 2
        for y in 0..<frame.height {
            var from = UnsafePointer(source.data.0!) + y * Int(source.linesize.0)
            var to = target.base + y * target.stride
            for _ in 0..<frame.width {
                let first = sample(from, 0)
                to[0] = first
                to[1] = isColour ? sample(from, 1) : first
                to[2] = isColour ? sample(from, 2) : first
                to[3] = hasAlpha ? sample(from, samples &- 1) : 255
                from += samples &* bytesPerSample
                to += 4
            }
        }
        return result
    }

    /// Sixteen bits are rounded to eight: v · 255 / 65535.
    @inline(__always)
    private func sample(_ pixel: UnsafePointer<UInt8>, _ index: Int) -> UInt8 {
        if bytesPerSample == 1 { return pixel[index] }
        let wide = UInt32(pixel[2 &* index &+ highByte]) << 8 | UInt32(pixel[2 &* index &+ (1 &- highByte)])
        return UInt8(truncatingIfNeeded: (wide &* 255 &+ 32767) / 65535)
    }
}
