public import EditorCore

/// Keeps finished pictures as files in a folder, up to a size; the least recently used go first. Safe on any thread,
/// and for several processes at once.
public struct PictureFileStore: Sendable {
    private let folder: CacheFolder

    /// - Parameters:
    ///   - folder: made when something is saved.
    ///   - capacity: bytes kept at most after `trim`.
    public init(folder: String, capacity: Int) {
        self.folder = CacheFolder(path: folder, ending: "picture", capacity: capacity)
    }

    /// nil when there is no such picture, or when it is damaged.
    public func load(_ name: Fingerprint) -> VideoFrame? { folder.load(name, decode: PictureFile.decode) }

    /// Keeps a `yuv420` picture. A cache that cannot be written to keeps nothing.
    public func save(_ picture: VideoFrame, as name: Fingerprint) {
        try? folder.save(PictureFile.encode(picture), as: name, isDurable: false)
    }

    /// A text kept beside the pictures, such as the length of a source; nil when there is none.
    public func note(_ name: Fingerprint) -> String? {
        folder.load(name) { bytes in
            guard bytes.count > 8, Checksum.of(bytes[8...]) == Self.leading(bytes) else { return nil }
            return String(decoding: bytes[8...], as: UTF8.self)
        }
    }

    public func save(note: String, as name: Fingerprint) {
        let text = Array(note.utf8)
        let sum = withUnsafeBytes(of: Checksum.of(text[...]).littleEndian) { Array($0) }
        try? folder.save(sum + text, as: name, isDurable: false)
    }

    fileprivate static func leading(_ bytes: [UInt8]) -> UInt64 {
        bytes[..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What is kept, most recently used first.
    public func entries() -> [CacheEntry] { folder.entries() }

    /// Removes everything. Returns how many bytes that frees.
    @discardableResult
    public func clear() -> Int { folder.clear() }

    /// Removes the least recently used pictures until what is left fits the capacity.
    public func trim() { folder.trim() }
}

/// The form of a kept picture: a checksum, the size, and the rows of the three planes. Little endian. Not packed:
/// packing would take longer than the disk.
private enum PictureFile {
    private static let headerLength = 16
    private static let mostPixels = 1 << 28

    static func encode(_ picture: VideoFrame) -> [UInt8] {
        precondition(picture.format == .yuv420)
        var bytes: [UInt8] = Array(repeating: 0, count: 8)
        bytes.reserveCapacity(headerLength + picture.width * picture.height * 3 / 2 + 2 * picture.width)
        for number in [picture.width, picture.height] {
            withUnsafeBytes(of: UInt32(number).littleEndian) { bytes.append(contentsOf: $0) }
        }
        for plane in 0..<3 {
            picture.withPlane(plane) { pixels, layout in
                pixels.withUnsafeBufferPointer { rows in
                    for row in 0..<layout.height {
                        let start = row * layout.stride
                        bytes.append(contentsOf: rows[start..<start + layout.width])
                    }
                }
            }
        }
        withUnsafeBytes(of: Checksum.of(bytes[8...]).littleEndian) { bytes.replaceSubrange(..<8, with: $0) }
        return bytes
    }

    /// nil when the bytes are not a whole picture.
    static func decode(_ bytes: [UInt8]) -> VideoFrame? {
        guard bytes.count > headerLength, PictureFileStore.leading(bytes) == Checksum.of(bytes[8...]) else {
            return nil
        }
        func number(at start: Int) -> Int { bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
        let size = PixelSize(width: number(at: 8), height: number(at: 12))
        guard size.width > 0, size.height > 0, size.width <= mostPixels / size.height else { return nil }
        let lengths = (0..<3).map { plane in
            let extent = PixelFormat.yuv420.planeSize(plane, of: size)
            return extent.width * extent.height
        }
        guard bytes.count == headerLength + lengths.reduce(0, +) else { return nil }
        var picture = FramePool().frame(.yuv420, size)
        var position = headerLength
        for plane in 0..<3 {
            picture.withMutablePlane(plane) { pixels, layout in
                for row in 0..<layout.height {
                    for x in 0..<layout.width { pixels[row * layout.stride + x] = bytes[position + x] }
                    position += layout.width
                }
            }
        }
        return picture
    }
}
