public import EditorCore
internal import EditorMedia
internal import Glibc

/// Pictures in a row, and the files they are written to.
public struct Filmstrip: Sendable {
    /// Which pictures it shows.
    public enum Times: Sendable {
        /// So many, each from the middle of its share of the movie.
        case count(Int)
        /// One every so often, from the start on.
        case every(MediaTime)
        /// These.
        case list([MediaTime])
    }

    public struct Picture: Sendable {
        public var time: MediaTime
        /// Number of the movie's frame; nil for a media file.
        public var frame: Int?
        /// Its file.
        public var path: String
        /// Pixels that it stands from the left of its file: 0 but in a strip.
        public var x: Int
    }

    public var pictures: [Picture]
    /// Of each picture.
    public var size: PixelSize

    /// Pixels across of a picture when nothing else is said.
    public static let standardWidth = 180
    /// It has so many pictures at most.
    static let mostPictures = 10_000
    /// A strip may be so many pixels wide; JPEG and WebP files cannot be much wider.
    static let widestStrip = 16_000

    /// The pictures as a list: their times, files and places.
    public var index: JSONValue {
        [
            "width": .number(Double(size.width)), "height": .number(Double(size.height)),
            "pictures": .array(
                pictures.map { picture in
                    [
                        "time": .number(picture.time.seconds),
                        "frame": picture.frame.map { .number(Double($0)) } ?? .null,
                        "file": .string(picture.path.split(separator: "/").last.map(String.init) ?? picture.path),
                        "x": .number(Double(picture.x)),
                    ]
                }),
        ]
    }
}

/// How the pictures of a filmstrip are written.
public struct FilmstripLayout: Sendable {
    /// Whether each picture bears its time.
    public var hasLabels = false
    /// Ending of the files in a folder, one of `formats`.
    public var format = "png"
    /// Whether existing files may be replaced.
    public var overwrites = false

    /// What pictures can be written as.
    public static var formats: [String] { ImageFileWriter.endings }

    public init() {}
}

extension FrameGenerator {
    /// The picture that shows at a time, written as PNG, JPEG or WebP by the name's ending.
    /// - Parameter replacing: whether an existing file is replaced; else it is an error.
    @discardableResult
    public func writePicture(
        at time: MediaTime, to path: String, hasLabel: Bool = false, hasGuides: Bool = false, replacing: Bool = false
    )
        throws -> Filmstrip.Picture
    {
        _ = try ImageFileWriter.ending(of: path)
        try OutputLocation(path).check(overwrite: replacing)
        var picture = try picture(at: time)
        if hasGuides { SafeAreaGuide.draw(onto: &picture) }
        if hasLabel { try PictureLabel(size: size).draw(time, onto: &picture) }
        try ImageFileWriter.write(picture, to: path, replacing: replacing)
        return Filmstrip.Picture(time: time, frame: try frameNumber(at: time), path: path, x: 0)
    }

    /// Writes pictures beside each other, or one by one with an index.
    /// - Parameter path: with an image's ending one strip from left to right; else a folder,
    ///   made if it is not there, with a file for each picture and `index.json`.
    public func writeFilmstrip(_ times: Filmstrip.Times, to path: String, layout: FilmstripLayout = .init()) throws
        -> Filmstrip
    {
        try options.cancellation.check()
        let isStrip = (try? ImageFileWriter.ending(of: path)) != nil
        let times = try moments(times)
        let numbers = try times.map { try frameNumber(at: $0) }
        return isStrip ? try writeStrip(times, numbers, path, layout) : try writeFolder(times, numbers, path, layout)
    }

    /// The times of the pictures, on the frame grid where there is one.
    private func moments(_ times: Filmstrip.Times) throws -> [MediaTime] {
        switch times {
        case .list(let times):
            return times
        case .count(let count):
            let frames = max(1, Int(duration.ticksRounded(per: frameRate)))
            return (0..<count).map { number in
                let frame = min(frames - 1, (2 * number + 1) * frames / (2 * count))
                return frameRate.duration(ofTicks: Int64(frame))
            }
        case .every(let step):
            let count = Int(duration.ticksRoundedUp(per: Rational(step.timescale, step.value)))
            guard count <= Filmstrip.mostPictures else {
                throw EditorError(
                    .usage,
                    "\(count) pictures are more than the \(Filmstrip.mostPictures) allowed; ask for a larger distance")
            }
            return (0..<count).map { step * Rational(Int64($0)) }
        }
    }

    private func labelled(_ times: [MediaTime], _ layout: FilmstripLayout) throws -> [VideoFrame] {
        var pictures = try pictures(at: times)
        guard layout.hasLabels else { return pictures }
        let label = try PictureLabel(size: size)
        for index in pictures.indices { try label.draw(times[index], onto: &pictures[index]) }
        return pictures
    }

    private func writeStrip(_ times: [MediaTime], _ numbers: [Int?], _ path: String, _ layout: FilmstripLayout) throws
        -> Filmstrip
    {
        guard size.width * times.count <= Filmstrip.widestStrip else {
            throw EditorError(
                .usage,
                "\(times.count) pictures of \(size.width) pixels make a strip wider than \(Filmstrip.widestStrip); ask for fewer or a smaller --width"
            )
        }
        try OutputLocation(path).check(overwrite: layout.overwrites)
        var strip = FramePool().frame(.yuv420, PixelSize(width: size.width * times.count, height: size.height))
        for (index, picture) in try labelled(times, layout).enumerated() {
            PictureBlit.copy(picture, into: &strip, x: index * size.width, y: 0)
        }
        try ImageFileWriter.write(strip, to: path, replacing: layout.overwrites)
        let pictures = times.indices.map {
            Filmstrip.Picture(time: times[$0], frame: numbers[$0], path: path, x: $0 * size.width)
        }
        return Filmstrip(pictures: pictures, size: size)
    }

    private func writeFolder(_ times: [MediaTime], _ numbers: [Int?], _ path: String, _ layout: FilmstripLayout) throws
        -> Filmstrip
    {
        let digits = String(times.count).count
        let files = times.indices.map { index in
            let text = String(index)
            return "\(path)/\(String(repeating: "0", count: max(0, digits - text.count)))\(text).\(layout.format)"
        }
        let list = "\(path)/index.json"
        let folder = try FilmstripFolder(path)
        do {
            for file in files + [list] { try OutputLocation(file).check(overwrite: layout.overwrites) }
            // Not all at once: ten thousand pictures would be too many.
            for start in stride(from: 0, to: times.count, by: 64) {
                let part = start..<min(start + 64, times.count)
                for (picture, file) in zip(try labelled(Array(times[part]), layout), files[part]) {
                    try folder.writing(file) {
                        try ImageFileWriter.write(picture, to: file, replacing: layout.overwrites)
                    }
                }
            }
            let pictures = times.indices.map {
                Filmstrip.Picture(time: times[$0], frame: numbers[$0], path: files[$0], x: 0)
            }
            let strip = Filmstrip(pictures: pictures, size: size)
            try FileBytes.write(
                Array((strip.index.text(indent: 2) + "\n").utf8), to: list, replacing: layout.overwrites)
            return strip
        } catch {
            folder.abandon()
            throw error
        }
    }
}

/// A folder that pictures are written into, and what of it is new: that goes again when the work breaks off.
private final class FilmstripFolder {
    private let path: String
    private let isNew: Bool
    private var made: [String] = []

    init(_ path: String) throws {
        self.path = path
        isNew = mkdir(path, 0o777) == 0
        guard isNew || errno == EEXIST else {
            throw EditorError(
                .cannotCreateOutput, "the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    func writing(_ file: String, _ write: () throws -> Void) throws {
        let isThere = access(file, F_OK) == 0
        try write()
        if !isThere { made.append(file) }
    }

    func abandon() {
        for file in made { unlink(file) }
        if isNew { rmdir(path) }
    }
}
