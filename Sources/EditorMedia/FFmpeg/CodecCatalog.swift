internal import CFFmpeg

/// What this libav can do.
public enum CodecCatalog {
    /// libav's libraries and their versions in one line; libavfilter's, which is loaded late, as the one that is asked for.
    public static var versions: String {
        func text(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
        return [
            ("libavcodec", codecVersion), ("libavformat", formatVersion), ("libavutil", avutil_version()),
            ("libswscale", swscale_version()), ("libavfilter", editor_avfilter_version),
        ].map { "\($0) \(text($1))" }.joined(separator: ", ")
    }

    /// Versions as libav packs them: the main one from bit 16 up.
    static var codecVersion: UInt32 { avcodec_version() }
    static var formatVersion: UInt32 { avformat_version() }

    /// libav's name of a codec.
    static func name(of codec: AVCodecID) -> String { String(cString: avcodec_get_name(codec)) }

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
