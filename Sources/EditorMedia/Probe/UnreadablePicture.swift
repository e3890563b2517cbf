internal import EditorCore

/// Kinds of pictures that are sound but that this libav has no reader for: `ImageSequence`s read them, and where they
/// cannot, nobody should look for damage.
enum UnreadablePicture {
    case heif
    case animatedWebP

    /// nil when the file is neither.
    init?(path: String) {
        guard let head = try? FileBytes.read(path, prefix: 21, limit: .max), head.count == 21 else { return nil }
        func word(_ offset: Int) -> String { String(decoding: head[offset..<offset + 4], as: UTF8.self) }
        if word(4) == "ftyp", ["heic", "heix", "heim", "heis", "mif1", "avif"].contains(word(8)) {
            self = .heif
        } else if word(0) == "RIFF", word(8) == "WEBP", word(12) == "VP8X", head[20] & 2 != 0 {
            // The second bit of VP8X's flags says that the file is an animation.
            self = .animatedWebP
        } else {
            return nil
        }
    }

    func refusal(of path: String) -> EditorError {
        switch self {
        case .heif:
            EditorError(
                .unavailable,
                "\(path) is a HEIF picture, which needs libheif (Debian: apt install libheif1); or save it as JPEG or PNG"
            )
        case .animatedWebP:
            EditorError(.invalidData, "\(path) is an animated WebP picture that is damaged")
        }
    }
}
