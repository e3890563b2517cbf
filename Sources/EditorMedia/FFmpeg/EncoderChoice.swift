internal import CFFmpeg
internal import EditorCore

/// Finds encoders by the names that people use.
enum EncoderChoice {
    /// Which encoder stands for a codec, best first; libav's own order does not always suit.
    private static let preferred: [String: [String]] = [
        "h264": ["libx264", "libopenh264"], "avc": ["libx264", "libopenh264"],
        "hevc": ["libx265"], "h265": ["libx265"],
        "vp8": ["libvpx"], "vp9": ["libvpx-vp9"],
        // Not libsvtav1: it prints, and its threads are its own.
        "av1": ["libaom-av1", "librav1e"],
        "prores": ["prores_ks"],
        "opus": ["libopus"], "vorbis": ["libvorbis"], "mp3": ["libmp3lame"],
    ]

    /// The encoder of exactly this name; nil when this libavcodec has none.
    static func encoder(named name: String) -> UnsafePointer<AVCodec>? { avcodec_find_encoder_by_name(name) }

    /// The encoder for a codec's or encoder's name.
    /// - Throws: `EditorError`: `.unavailable` when the codec exists but nothing here encodes it, `.invalidData` when
    ///   there is no such codec.
    static func find(_ name: String, kind: AVMediaType, key: String) throws -> UnsafePointer<AVCodec> {
        FFmpegLog.install()
        let word = kind == AVMEDIA_TYPE_VIDEO ? "video" : "audio"
        let pointer = JSONPointer(["export", key])
        for candidate in preferred[name.lowercased()] ?? [name] {
            if let codec = encoder(named: candidate), codec.pointee.type == kind { return codec }
        }
        if let descriptor = avcodec_descriptor_get_by_name(name), descriptor.pointee.type == kind {
            if let codec = avcodec_find_encoder(descriptor.pointee.id) { return codec }
            throw EditorError(
                [
                    Finding(
                        .error, cause: .unavailable, code: "export.codec", at: pointer,
                        "this libavcodec cannot encode \(name)")
                ])!
        }
        if preferred[name.lowercased()] != nil {
            throw EditorError(
                [
                    Finding(
                        .error, cause: .unavailable, code: "export.codec", at: pointer,
                        "this libavcodec cannot encode \(name)")
                ])!
        }
        let usual =
            kind == AVMEDIA_TYPE_VIDEO
            ? ["h264", "hevc", "vp9", "av1", "prores", "gif"] : ["aac", "opus", "mp3", "flac", "vorbis", "pcm_s16le"]
        throw EditorError([
            Finding(
                .error, code: "export.codec", at: pointer, "there is no \(word) codec \"\(name)\"",
                hint: Suggestion.hint(for: name, in: usual))
        ])!
    }
}
