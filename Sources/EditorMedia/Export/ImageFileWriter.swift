internal import CFFmpeg
public import EditorCore

/// Writes single pictures as PNG, JPEG or WebP, by the name's ending. The file appears whole or not at all.
public enum ImageFileWriter {
    /// The endings that can be written.
    public static let endings = ["png", "jpg", "jpeg", "webp"]

    /// - Parameters:
    ///   - width: nil keeps the size; else the picture is scaled to that width.
    ///   - replacing: whether a file that has the name already gives way.
    /// - Throws: `EditorError` `.usage` for another ending, `.cannotCreateOutput` when the file cannot be written.
    public static func write(_ frame: VideoFrame, to path: String, width: Int? = nil, replacing: Bool = true) throws {
        do {
            let bytes = try encode(frame, ending: try ending(of: path), width: width)
            try FileBytes.write(bytes, to: path, replacing: replacing)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(path) could not be encoded: \(error)")
        } catch let error as EditorError where error.kind == .ioFailed {
            throw EditorError(.cannotCreateOutput, error.message)
        }
    }

    /// The ending of a path, if it is one of `endings`.
    /// - Throws: `EditorError` `.usage`.
    public static func ending(of path: String) throws -> String {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        guard endings.contains(ending) else {
            throw EditorError(.usage, "\(path) must end in .\(endings.joined(separator: ", ."))")
        }
        return ending
    }

    private static func encode(_ frame: VideoFrame, ending: String, width: Int?) throws -> [UInt8] {
        FFmpegLog.install()
        let size =
            width.map { width in
                PixelSize(
                    width: width,
                    height: max(1, Int((Double(frame.height) * Double(width) / Double(frame.width)).rounded())))
            } ?? frame.size
        let (name, format): (String, AVPixelFormat) =
            switch ending {
            case "png": ("png", AV_PIX_FMT_RGB24)
            case "webp": ("libwebp", AV_PIX_FMT_YUV420P)
            default: ("mjpeg", AV_PIX_FMT_YUVJ420P)
            }
        guard let codec = EncoderChoice.encoder(named: name) else {
            throw EditorError(.unavailable, "this libavcodec cannot encode .\(ending)")
        }
        let picture = try StillScaler.scale(frame, to: size, format: format)
        let options = ending == "webp" ? [("quality", "90")] : []
        let encoder = try Encoder(codec, options: options) { context in
            context.pointee.width = Int32(size.width)
            context.pointee.height = Int32(size.height)
            context.pointee.pix_fmt = format
            context.pointee.time_base = AVRational(num: 1, den: 1)
            if name == "mjpeg" {
                context.pointee.color_range = AVCOL_RANGE_JPEG
                context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
                // Quality 2 of 31, next to the best.
                context.pointee.global_quality = 2 * Int32(FF_QP2LAMBDA)
                picture.pointer.pointee.quality = 2 * Int32(FF_QP2LAMBDA)
            }
        }
        try encoder.send(picture)
        try encoder.send(nil)
        return encoder.takePackets().flatMap(\.data)
    }
}
