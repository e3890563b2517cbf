internal import CFFmpeg
public import EditorCore

/// Scales working pictures, for thumbnails and previews. Belongs to one thread; pictures of one kind after another
/// are cheap.
public final class WorkingPictureScaler {
    private var scaler: Scaler?
    private let pool = FramePool()

    public init() {}

    /// - Parameters:
    ///   - frame: `yuv420`.
    ///   - size: even.
    /// - Throws: `EditorError` `.ioFailed` when libswscale refuses.
    public func scale(_ frame: VideoFrame, to size: PixelSize) throws -> VideoFrame {
        if frame.size == size { return frame }
        do {
            let key = Scaler.Key(format: AV_PIX_FMT_YUV420P, width: frame.width, height: frame.height, size: size)
            if scaler?.key != key {
                let color = ColorDescription(
                    matrix: .bt709, isFullRange: false, transfer: .sdr, primaries: .bt709, isTagged: true)
                scaler = try Scaler(key, color: color)
            }
            return try scaler!.scale(try MediaFrame(lending: frame), pool: pool)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "a picture could not be scaled: \(error)")
        }
    }
}
