internal import CFFmpeg
internal import EditorCore

/// Decodes one image file, whatever its format. The content decides, not the name.
struct ImageReader {
    private let path: String
    private var budget: ImageBudget
    private let wantedWidth: Int?
    private var frames: [ImageAsset.Frame] = []
    /// Upright, in pixels; of the first picture.
    private var naturalSize: PixelSize?

    /// Larger image files are refused.
    private static let mostFileBytes = 256 << 20
    private static let headBytes = 4096
    /// What a picture that has to vanish at once is shown for: browsers' rule, which the makers of animations count on.
    private static let shortest = (limit: 0.010, shown: 0.1)

    private init(path: String, width: Int?) {
        self.path = path
        budget = ImageBudget(path: path)
        wantedWidth = width
    }

    /// - Parameter width: how wide the picture will be drawn, in pixels; much larger pictures are kept smaller.
    /// - Returns: the pictures, and whether they depend on `width`.
    /// - Throws: `EditorError` that names the file.
    static func read(_ path: String, width: Int?) throws -> (asset: ImageAsset, dependsOnWidth: Bool) {
        var reader = ImageReader(path: path, width: width)
        do {
            return try reader.read()
        } catch let error as FFmpegError {
            throw EditorError(.invalidData, "\(path) is no picture that can be decoded: \(error.reason)")
        }
    }

    private mutating func read() throws -> (asset: ImageAsset, dependsOnWidth: Bool) {
        let head = try FileBytes.read(path, prefix: Self.headBytes, limit: .max)
        guard !head.isEmpty else { throw EditorError(.invalidData, "\(path) is empty") }
        let format = ImageFormat(head: head)
        guard format != .other else {
            if let pictures = try ImageSequenceFile.open(path) {
                try add(pictures.picture(0), PictureUnpacker(), orientation: .up, shown: pictures.size, 0)
                frames[0].duration = 0
            } else {
                try addMovingPictures()
            }
            return result()
        }
        let bytes = try FileBytes.read(path, limit: Self.mostFileBytes)
        switch format {
        case .svg: return try drawing(bytes)
        case .gzip:
            // librsvg unpacks compressed drawings itself.
            let unpacked = try Gzip.unpacked(bytes, limit: LottieStructure.mostBytes, path: path)
            return ImageFormat(head: Array(unpacked.prefix(Self.headBytes))) == .lottie
                ? try motion(unpacked) : try drawing(bytes)
        case .lottie: return try motion(bytes)
        case .webp:
            let animation = try WebPAnimation(bytes, path: path, budget: budget)
            try budget.admit(frames: wantedWidth == nil ? animation.frameCount : 1, of: animation.size)
            while let frame = try animation.next() { try add(frame.picture, frame.duration) }
            // Short or long, a single picture stands still.
            if frames.count == 1 { frames[0].duration = 0 }
        case .gif:
            let structure = try GIFStructure(bytes, path: path)
            try budget.admit(frames: wantedWidth == nil ? structure.durations.count : 1, of: structure.size)
            try addAnimation("gif", durations: structure.durations)
            if frames.count == 1 { frames[0].duration = 0 }
        case .png:
            let structure = try PNGStructure(bytes, path: path)
            try budget.admit(structure.size)
            if structure.durations.isEmpty {
                try addStill(bytes, AV_CODEC_ID_PNG, orientation: structure.orientation)
            } else if structure.isDeepAndBlended {
                var animation = try PNGAnimation(bytes, size: structure.size, path: path)
                for duration in structure.durations {
                    guard let picture = try animation.nextPicture() else { break }
                    try add(picture, duration)
                }
            } else {
                try addAnimation("apng", durations: structure.durations)
            }
        case .jpeg:
            try budget.admit(JPEGStructure(bytes, path: path).size)
            try addStill(bytes, AV_CODEC_ID_MJPEG, orientation: nil)
        case .tiff:
            let tags = TIFFTags(bytes)
            if let size = tags?.size { try budget.admit(size) }
            try addStill(bytes, AV_CODEC_ID_TIFF, orientation: tags?.orientation)
        case .bmp:
            try budget.admit(BMPStructure(bytes, path: path).size)
            try addStill(bytes, AV_CODEC_ID_BMP, orientation: nil)
        case .other:
            preconditionFailure("left above")
        }
        return result()
    }

    private func result() -> (asset: ImageAsset, dependsOnWidth: Bool) {
        (ImageAsset(frames: frames, size: naturalSize), naturalSize?.width != frames[0].picture.width)
    }

    private func drawing(_ bytes: [UInt8]) throws -> (asset: ImageAsset, dependsOnWidth: Bool) {
        let drawing = try VectorDrawing(bytes, path: path)
        let picture = try drawing.draw(width: wantedWidth, budget: budget)
        let size = PixelSize(
            width: max(1, Int(drawing.size.width.rounded(.up))), height: max(1, Int(drawing.size.height.rounded(.up))))
        return (ImageAsset(frames: [.init(picture: picture, duration: 0)], size: size), true)
    }

    /// Drawn when it shows, since the pictures of a whole animation would take more memory than all else.
    private func motion(_ bytes: [UInt8]) throws -> (asset: ImageAsset, dependsOnWidth: Bool) {
        let structure = try LottieStructure(bytes, path: path)
        try budget.admit(structure.size)
        let width = wantedWidth ?? structure.size.width
        let drawn = PixelSize(
            width: width,
            height: max(
                1, Int((Double(structure.size.height) * Double(width) / Double(structure.size.width)).rounded())))
        try budget.admit(drawn)
        let drawing = try LottieDrawing(bytes, size: drawn, path: path)
        let frames = (0..<drawing.frameCount).map { index in
            ImageAsset.Frame(duration: 1 / structure.frameRate) { drawing.picture(at: index) }
        }
        return (ImageAsset(frames: frames, size: structure.size), true)
    }

    private mutating func add(_ picture: OverlayPicture, _ duration: Double) throws {
        if naturalSize == nil { naturalSize = PixelSize(width: picture.width, height: picture.height) }
        let reduced = PictureReduction.width(natural: picture.width, wanted: wantedWidth)
        try keep(reduced.map { PictureReduction.reduce(picture, to: $0) } ?? picture, duration)
    }

    private mutating func keep(_ picture: OverlayPicture, _ duration: Double) throws {
        try budget.keep(picture)
        frames.append(
            .init(picture: picture, duration: duration > Self.shortest.limit ? duration : Self.shortest.shown))
    }

    /// - Parameter shown: the size in square pixels, before it is set upright.
    private mutating func add(
        _ frame: MediaFrame, _ unpacker: PictureUnpacker, orientation: Orientation, shown: PixelSize, _ duration: Double
    ) throws {
        let natural = orientation.swapsSides ? PixelSize(width: shown.height, height: shown.width) : shown
        guard !frame.pixelFormat.hasAlpha,
            let width = PictureReduction.width(natural: natural.width, wanted: wantedWidth)
        else { return try add(unpacker.picture(frame, orientation: orientation, size: shown), duration) }
        // Without alpha there is nothing to premultiply first, and libswscale shrinks while it converts.
        if naturalSize == nil { naturalSize = natural }
        let height = PictureReduction.height(of: natural, width: width)
        let size =
            orientation.swapsSides ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
        try keep(unpacker.picture(frame, orientation: orientation, size: size), duration)
    }

    private mutating func addStill(_ bytes: [UInt8], _ codec: AVCodecID, orientation: Orientation?) throws {
        // Of the others libav refuses what is damaged, and passes over marks that it does not know.
        let decoder = try Decoder(stills: codec, isStrict: codec == AV_CODEC_ID_MJPEG, path: path)
        let (packet, frame) = (try Packet(), try MediaFrame())
        try packet.setData(bytes)
        try decoder.decode(whole: packet, into: frame)
        let shown = PixelSize(width: frame.width, height: frame.height)
        try budget.admit(shown)
        let turn = frame.displayOrientation?.orientation ?? orientation ?? .up
        try add(frame, PictureUnpacker(), orientation: turn, shown: shown, 0)
        frames[0].duration = 0
    }

    /// libav puts the pictures of GIF and APNG together; how long each stands is known exactly from the file.
    private mutating func addAnimation(_ format: String, durations: [Double]) throws {
        let pictures = try MovingPictures(path: path, format: format)
        let unpacker = PictureUnpacker()
        while frames.count < durations.count, let next = try pictures.next() {
            let shown = PixelSize(width: next.frame.width, height: next.frame.height)
            try budget.admit(shown)
            try add(next.frame, unpacker, orientation: .up, shown: shown, durations[frames.count])
        }
        guard frames.count == durations.count else {
            throw EditorError(
                .invalidData,
                "\(path) is damaged: only \(frames.count) of its \(durations.count) pictures can be decoded")
        }
    }

    /// Whatever else libav can decode: other image formats, and video files.
    private mutating func addMovingPictures() throws {
        let pictures = try MovingPictures(path: path)
        try budget.admit(pictures.claimedSize)
        let unpacker = PictureUnpacker()
        var lastTime: Double?
        var lastDuration = 0.0
        while let next = try pictures.next() {
            let shown = PixelSize(
                width: max(1, Int((Double(next.frame.width) * pictures.pixelAspect).rounded())),
                height: next.frame.height)
            try budget.admit(shown)
            if let start = lastTime, let end = next.time, end > start {
                lastDuration = end - start
                frames[frames.count - 1].duration = lastDuration
            }
            let turn = next.frame.displayOrientation?.orientation ?? pictures.orientation ?? .up
            try add(next.frame, unpacker, orientation: turn, shown: shown, next.duration ?? lastDuration)
            lastTime = next.time
        }
        guard !frames.isEmpty else {
            throw EditorError(.invalidData, "\(path) is no picture that can be decoded")
        }
        if frames.count == 1 { frames[0].duration = 0 }
    }
}
