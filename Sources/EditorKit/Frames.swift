public import EditorCore
internal import EditorMedia
internal import Glibc

/// Which pictures a filmstrip shows.
public enum Filmstrip {
    public enum Times: Sendable {
        /// So many, each from the middle of its share of the movie.
        case count(Int)
        /// One every so often, from the start on.
        case every(MediaTime)
    }

    /// Pixels across of a picture when nothing else is said.
    static let width = 180
    /// A filmstrip has so many pictures at most.
    static let mostPictures = 10_000
    /// A strip may be so many pixels wide; JPEG and WebP files cannot be much wider.
    static let widestStrip = 16_000
}

extension Composition {
    /// Writes the picture that a render would show at a time of the finished movie, before encoding.
    /// - Throws: `EditorError` `.invalidData` when the movie has no such time.
    public func writeFrame(at time: MediaTime, to path: String, options: Options = Options()) throws {
        _ = try ImageFileWriter.ending(of: path)
        try OutputLocation(configuration, output: path, baseDirectory: baseDirectory).check(
            overwrite: true, makesFolder: false)
        let plan = try plan(options)
        let frame = try Compositor(plan, library: library).frame(try frameNumber(at: time, in: plan))
        try ImageFileWriter.write(frame, to: path)
    }

    private func frameNumber(at time: MediaTime, in plan: RenderPlan) throws -> Int {
        guard time < plan.duration else {
            throw EditorError(
                .invalidData,
                "the movie has no frame at \(time) s: it is \(plan.duration) s long (\(plan.frameCount) frames)")
        }
        // A time given in decimals may lie a hair before the frame that is meant.
        let tolerance = MediaTime(value: 1, timescale: 2000)
        return min(plan.frameCount - 1, Int((time + tolerance).ticksRoundedDown(per: plan.frameRate)))
    }

    /// Writes a filmstrip of the composed movie.
    /// - Parameters:
    ///   - path: with an image's ending one strip from left to right; else a folder with a file for each picture.
    ///   - width: of each picture in pixels.
    /// - Returns: the files.
    public func writeFilmstrip(
        _ times: Filmstrip.Times, to path: String, width: Int? = nil, options: Options = Options()
    ) throws -> [String] {
        let isStrip = (try? ImageFileWriter.ending(of: path)) != nil
        let plan = try plan(options)
        let numbers: [Int]
        switch times {
        case .count(let count):
            numbers = (0..<count).map { min(plan.frameCount - 1, (2 * $0 + 1) * plan.frameCount / (2 * count)) }
        case .every(let step):
            let count = Int(plan.duration.ticksRoundedUp(per: Rational(step.timescale, step.value)))
            guard count <= Filmstrip.mostPictures else {
                throw EditorError(
                    .usage,
                    "\(count) pictures are more than the \(Filmstrip.mostPictures) allowed; ask for a larger distance")
            }
            numbers = try (0..<count).map { try frameNumber(at: step * Rational(Int64($0)), in: plan) }
        }
        let compositor = Compositor(plan, library: library)
        let pictureWidth = max(2, (width ?? min(Filmstrip.width, plan.canvas.width)) / 2 * 2)
        if isStrip {
            guard pictureWidth * numbers.count <= Filmstrip.widestStrip else {
                throw EditorError(
                    .usage,
                    "\(numbers.count) pictures of \(pictureWidth) pixels make a strip wider than \(Filmstrip.widestStrip); ask for fewer or a smaller --width"
                )
            }
            try OutputLocation(configuration, output: path, baseDirectory: baseDirectory).check(
                overwrite: true, makesFolder: false)
            var strip = FilmstripPicture(count: numbers.count, pictureWidth: pictureWidth, canvas: plan.canvas)
            for (index, number) in numbers.enumerated() { try strip.add(try compositor.frame(number), at: index) }
            try ImageFileWriter.write(strip.frame, to: path)
            return [path]
        }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw EditorError(
                .cannotCreateOutput, "the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        let digits = String(numbers.count).count
        var files: [String] = []
        for (index, number) in numbers.enumerated() {
            let text = String(index)
            let file = "\(path)/\(String(repeating: "0", count: max(0, digits - text.count)))\(text).png"
            try OutputLocation(configuration, output: file, baseDirectory: baseDirectory).check(
                overwrite: options.overwrites, makesFolder: false)
            try ImageFileWriter.write(try compositor.frame(number), to: file, width: pictureWidth)
            files.append(file)
        }
        return files
    }
}

/// Pictures side by side.
private struct FilmstripPicture {
    private(set) var frame: VideoFrame
    private let size: PixelSize

    init(count: Int, pictureWidth: Int, canvas: PixelSize) {
        let height = max(
            2, Int((Double(canvas.height) * Double(pictureWidth) / Double(canvas.width) / 2).rounded()) * 2)
        size = PixelSize(width: pictureWidth, height: height)
        frame = FramePool().frame(.yuv420, PixelSize(width: pictureWidth * count, height: height))
    }

    mutating func add(_ picture: VideoFrame, at index: Int) throws {
        let small = try WorkingPictureScaler.scale(picture, to: size)
        PictureBlit.copy(small, into: &frame, x: index * size.width, y: 0)
    }
}
