/// What an image file is, from its first bytes; its name does not matter.
enum ImageFormat: Equatable {
    case png, jpeg, gif, bmp, tiff, webp, svg
    /// Compressed, as .svgz and .tgs files are.
    case gzip
    /// A JSON object: a Lottie animation.
    case lottie
    /// Anything else: for libav to find out.
    case other

    /// - Parameter head: the first few thousand bytes.
    init(head: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            return head.count >= offset + wanted.count && head[offset..<offset + wanted.count].elementsEqual(wanted)
        }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else if has("BM"), head.count >= 26, head[14] >= 12, head[15..<18].allSatisfy({ $0 == 0 }) {
            // The size of the second header: 12 for OS/2, 40 to 124 for Windows.
            self = .bmp
        } else if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if Self.isSVG(head) {
            self = .svg
        } else if Self.isObject(head) {
            self = .lottie
        } else {
            self = .other
        }
    }

    /// JSON that begins as an object does.
    private static func isObject(_ head: [UInt8]) -> Bool {
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// XML that comes to an `<svg` element.
    private static func isSVG(_ head: [UInt8]) -> Bool {
        // UTF-16 looks the same once the zero bytes are left out.
        let text = head.filter { $0 != 0 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF && $0 != 0xFE && $0 != 0xFF }
        guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }), first == UInt8(ascii: "<")
        else {
            return false
        }
        return String(decoding: text, as: UTF8.self).contains("<svg")
            || String(decoding: text, as: UTF8.self).contains(":svg")
    }
}
