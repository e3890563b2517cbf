internal import CFFmpeg
internal import EditorCore

/// The pictures of an animated PNG file, put together by the format's rules (W3C Portable Network Graphics, third
/// edition, "APNG"): each is decoded as a still of its own and laid onto a canvas of eight bits.
///
/// For files of sixteen bits whose pictures are blended, which libav refuses.
struct PNGAnimation {
    private enum Disposal: UInt8 { case keep, clear, restore }

    private struct Part {
        var rect: PixelRect
        var disposal: Disposal
        var isBlended: Bool
        /// Compressed pixels.
        var data: [UInt8] = []
    }

    private let path: String
    private let size: PixelSize
    /// The signature and the header, whose size is each picture's own, and what else a still needs.
    private var header: [UInt8] = []
    private var common: [UInt8] = []
    private var parts: [Part] = []
    private var next = 0
    private let unpacker = PictureUnpacker()
    /// Premultiplied.
    private var canvas: [UInt8]
    /// What the canvas was before the last picture, if it is to be so again.
    private var restored: [UInt8] = []

    /// - Parameter bytes: a file that `PNGStructure` has read to its end.
    /// - Throws: `EditorError` `.invalidData` when a picture lies outside the canvas.
    init(_ bytes: [UInt8], size: PixelSize, path: String) throws {
        (self.path, self.size) = (path, size)
        canvas = [UInt8](repeating: 0, count: size.width * size.height * 4)
        header = Array(bytes[..<29])
        func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        var place = 33
        while place + 12 <= bytes.count {
            let (length, data) = (word(place), place + 8)
            let name = String(decoding: bytes[place + 4..<data], as: UTF8.self)
            switch name {
            case "fcTL" where length >= 26: parts.append(try part(at: data, of: bytes, word))
            // A still that stands before the first control chunk is no part of the animation.
            case "IDAT" where !parts.isEmpty: parts[parts.count - 1].data += bytes[data..<data + length]
            case "fdAT" where !parts.isEmpty && length >= 4:
                parts[parts.count - 1].data += bytes[data + 4..<data + length]
            case "PLTE", "tRNS": common += bytes[place..<data + length + 4]
            default: break
            }
            if name == "IEND" { break }
            place = data + length + 4
        }
    }

    private func part(at data: Int, of bytes: [UInt8], _ word: (Int) -> Int) throws -> Part {
        let (x, y) = (word(data + 12), word(data + 16))
        let rect = PixelRect(x0: x, y0: y, x1: x + word(data + 4), y1: y + word(data + 8))
        guard !rect.isEmpty, rect.x1 <= size.width, rect.y1 <= size.height else {
            throw EditorError(
                .invalidData, "\(path) is damaged: picture \(parts.count + 1) lies outside the \(size) canvas")
        }
        // Before the first picture there is nothing to go back to.
        let disposal = Disposal(rawValue: bytes[data + 24]) ?? .keep
        return Part(
            rect: rect, disposal: parts.isEmpty && disposal == .restore ? .clear : disposal,
            isBlended: bytes[data + 25] == 1)
    }

    /// The next picture as it shows; nil at the end.
    mutating func nextPicture() throws -> OverlayPicture? {
        guard next < parts.count else { return nil }
        // Not before: whoever has kept a smaller picture has let go of the one shown by now, and of the canvas's bytes
        // with it, so that they need not be copied to be written.
        if next > 0 { dispose(of: parts[next - 1]) }
        let part = parts[next]
        next += 1
        let pixels = try decode(part)
        if part.disposal == .restore { restored = canvas }
        lay(pixels, of: part)
        return OverlayPicture(width: size.width, height: size.height, pixels: canvas)
    }

    private mutating func dispose(of part: Part) {
        switch part.disposal {
        case .keep: break
        case .restore: (canvas, restored) = (restored, [])
        case .clear:
            for y in part.rect.y0..<part.rect.y1 {
                let row = (y * size.width + part.rect.x0) * 4
                for i in row..<row + part.rect.width * 4 { canvas[i] = 0 }
            }
        }
    }

    /// Premultiplied pixels of the part's rectangle.
    private func decode(_ part: Part) throws -> [UInt8] {
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        // Sums of chunks are not looked at.
        let sum = [UInt8](repeating: 0, count: 4)
        var still = Array(header[..<16]) + big(part.rect.width) + big(part.rect.height)
        still += header[24..<29] + sum + common
        still += big(part.data.count) + Array("IDAT".utf8) + part.data + sum
        still += big(0) + Array("IEND".utf8) + sum
        let decoder = try Decoder(stills: AV_CODEC_ID_PNG, isStrict: false, path: path)
        let (packet, frame) = (try Packet(), try MediaFrame())
        try packet.setData(still)
        try decoder.decode(whole: packet, into: frame)
        let picture = try unpacker.picture(frame, orientation: .up)
        guard picture.width == part.rect.width, picture.height == part.rect.height else {
            throw EditorError(.invalidData, "\(path) is damaged: picture \(next) has another size than it claims")
        }
        return picture.pixels
    }

    private mutating func lay(_ pixels: [UInt8], of part: Part) {
        guard part.isBlended || pixels.count < canvas.count else {
            canvas = pixels
            return
        }
        let (rect, width) = (part.rect, size.width)
        canvas.withUnsafeMutableBufferPointer { canvas in
            pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<rect.height {
                    let (from, to) = (y * rect.width * 4, ((y + rect.y0) * width + rect.x0) * 4)
                    for x in stride(from: 0, to: rect.width * 4, by: 4) {
                        let through = part.isBlended ? 255 - UInt32(pixels[from + x + 3]) : 0
                        for c in x..<x + 4 {
                            let below = (UInt32(canvas[to + c]) * through + 127) / 255
                            canvas[to + c] = UInt8(min(255, UInt32(pixels[from + c]) + below))
                        }
                    }
                }
            }
        }
    }
}
