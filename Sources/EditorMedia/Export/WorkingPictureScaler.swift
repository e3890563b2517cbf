internal import CFFmpeg
public import EditorCore

/// Scales working pictures, for thumbnails.
public enum WorkingPictureScaler {
    /// - Parameter size: even.
    /// - Throws: `EditorError` `.ioFailed` when libswscale refuses.
    public static func scale(_ frame: VideoFrame, to size: PixelSize) throws -> VideoFrame {
        do {
            let color = ColorDescription(
                matrix: .bt709, isFullRange: false, transfer: .sdr, primaries: .bt709, isTagged: true)
            let key = Scaler.Key(format: AV_PIX_FMT_YUV420P, width: frame.width, height: frame.height, size: size)
            return try Scaler(key, color: color).scale(try MediaFrame(lending: frame), pool: FramePool())
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "a picture could not be scaled: \(error)")
        }
    }
}
