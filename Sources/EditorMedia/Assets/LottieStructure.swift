internal import EditorCore

/// What a Lottie document says of itself, checked before librlottie sees it.
struct LottieStructure {
    /// A larger document is refused; real stickers have some hundred kilobytes.
    static let mostBytes = 8 << 20
    /// Twenty minutes at 60 pictures a second.
    static let mostFrames = 72_000.0
    /// Copies that one repeater may draw.
    private static let mostCopies = 1000.0

    /// In pixels.
    let size: PixelSize
    /// Pictures a second.
    let frameRate: Double

    /// - Throws: `EditorError` `.invalidData` that names the file.
    init(_ bytes: [UInt8], path: String) throws {
        func invalid(_ what: String) -> EditorError { EditorError(.invalidData, "\(path) \(what)") }
        guard bytes.count <= Self.mostBytes else {
            throw invalid("is a Lottie animation of more than \(Self.mostBytes >> 20) MB; make it smaller")
        }
        let document: JSONValue
        do {
            document = try ConfigurationDocument.parse(utf8: bytes, name: path) ?? .null
        } catch let error as EditorError {
            throw invalid("is no Lottie animation: \(error.findings.first?.message ?? error.message)")
        }
        func number(_ key: String) -> Double? {
            if case .number(let number)? = document[key], number.isFinite { number } else { nil }
        }
        guard case .array(let layers)? = document["layers"], let width = number("w"), let height = number("h"),
            let rate = number("fr"), let first = number("ip"), let end = number("op")
        else {
            throw invalid("is JSON but no Lottie animation: it has no layers, or w, h, fr, ip or op is missing")
        }
        guard !layers.isEmpty else { throw invalid("is a Lottie animation without layers: there is nothing to draw") }
        guard (1...32768).contains(width), (1...32768).contains(height) else {
            throw invalid("is a Lottie animation of \(width)x\(height) pixels, which cannot be drawn")
        }
        guard (0.1...1000).contains(rate), end > first, end - first <= Self.mostFrames else {
            throw invalid(
                "is a Lottie animation of \(end - first) pictures at \(rate) a second, which cannot be drawn")
        }
        if case .array(let assets)? = document["assets"] {
            for asset in assets {
                // Everything is in the one file: a sticker reads no others.
                if case .string(let picture)? = asset["p"], !picture.hasPrefix("data:") {
                    throw invalid(
                        "is a Lottie animation that needs the picture \(picture.prefix(60)) beside it; "
                            + "export it with its pictures embedded")
                }
            }
        }
        if let copies = Self.mostRepeated(document), copies > Self.mostCopies {
            throw invalid("is a Lottie animation that repeats a shape \(copies) times, which takes too long to draw")
        }
        size = PixelSize(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
        frameRate = rate
    }

    /// The largest number that the count of a repeater comes to anywhere in the document.
    private static func mostRepeated(_ value: JSONValue) -> Double? {
        switch value {
        case .array(let elements): return elements.lazy.compactMap(mostRepeated).max()
        case .object(let members):
            if members["ty"] == .string("rp"), let count = members["c"] { return largestNumber(count) }
            return members.values.lazy.compactMap(mostRepeated).max()
        default: return nil
        }
    }

    private static func largestNumber(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let number): number
        case .array(let elements): elements.lazy.compactMap(largestNumber).max()
        case .object(let members):
            // The times of keyframes are no counts.
            members.lazy.filter { $0.key != "t" }.compactMap { largestNumber($0.value) }.max()
        default: nil
        }
    }
}
