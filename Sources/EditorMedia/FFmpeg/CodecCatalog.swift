internal import CFFmpeg

/// What this libav can do.
public enum CodecCatalog {
    /// libav's libraries and their versions in one line.
    public static var versions: String {
        func text(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
        return [
            ("libavcodec", avcodec_version()), ("libavformat", avformat_version()), ("libavutil", avutil_version()),
            ("libswscale", swscale_version()), ("libavfilter", avfilter_version()),
        ].map { "\($0) \(text($1))" }.joined(separator: ", ")
    }

    /// Name of the encoder that a codec's name stands for, or nil.
    public static func encoder(for name: String) -> String? {
        for kind in [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO] {
            if let codec = try? EncoderChoice.find(name, kind: kind, key: "codec") {
                return String(cString: codec.pointee.name)
            }
        }
        return nil
    }
}
