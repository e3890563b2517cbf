internal import CFFmpeg
internal import EditorCore

/// Decodes one image file, whatever its format. The content decides, not the name.
struct ImageReader {
    private let path: String
    private var budget: ImageBudget
    private let wantedWidth: Int?

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
        let head = try AssetFile.read(path, prefix: Self.headBytes, limit: .max)
        guard !head.isEmpty else { throw EditorError(.invalidData, "\(path) is empty") }
        let format = ImageFormat(head: head)
        guard format != .other else { return asset(try movingFrames(), size: nil) }
        let bytes = try AssetFile.read(path, limit: Self.mostFileBytes)
        switch format {
        case .svg:
            let drawing = try VectorDrawing(bytes, path: path)
            let picture = try drawing.draw(width: wantedWidth, budget: budget)
            let size = PixelSize(
                width: max(1, Int(drawing.size.width.rounded(.up))),
                height: max(1, Int(drawing.size.height.rounded(.up))))
            return (ImageAsset(frames: [.init(picture: picture, duration: 0)], size: size), true)
        case .webp:
            let animation = try WebPAnimation(bytes, path: path, budget: budget)
            var frames: [ImageAsset.Frame] = []
            while let frame = try animation.next() { try add(frame.picture, frame.duration, to: &frames) }
            return asset(frames, size: animation.size)
        case .gif:
            let structure = try GIFStructure(bytes, path: path)
            try budget.admit(structure.size)
            return asset(try animationFrames("gif", durations: structure.durations), size: structure.size)
        case .png:
            let structure = try PNGStructure(bytes, path: path)
            try budget.admit(structure.size)
            if !structure.durations.isEmpty {
                return asset(try animationFrames("apng", durations: structure.durations), size: structure.size)
            }
            return try still(bytes, AV_CODEC_ID_PNG, orientation: structure.orientation)
        case .jpeg:
            try budget.admit(JPEGStructure(bytes, path: path).size)
            return try still(bytes, AV_CODEC_ID_MJPEG, orientation: nil)
        case .tiff:
            let tags = TIFFTags(bytes)
            if let size = tags?.size { try budget.admit(size) }
            return try still(bytes, AV_CODEC_ID_TIFF, orientation: tags?.orientation)
        case .bmp:
            try budget.admit(BMPStructure(bytes, path: path).size)
            return try still(bytes, AV_CODEC_ID_BMP, orientation: nil)
        case .gzip:
            throw EditorError(.unavailable, "\(path) is compressed (gzip); unpack it first")
        case .other:
            preconditionFailure("left above")
        }
    }

    private func asset(_ frames: [ImageAsset.Frame], size: PixelSize?) -> (asset: ImageAsset, dependsOnWidth: Bool) {
        let isReduced = size.map { $0.width != frames[0].picture.width } ?? false
        return (ImageAsset(frames: frames, size: size), isReduced)
    }

    private mutating func add(_ picture: OverlayPicture, _ duration: Double, to frames: inout [ImageAsset.Frame]) throws
    {
        let reduced = PictureReduction.width(natural: picture.width, wanted: wantedWidth)
        let kept = reduced.map { PictureReduction.reduce(picture, to: $0) } ?? picture
        try budget.keep(kept)
        frames.append(.init(picture: kept, duration: duration > Self.shortest.limit ? duration : Self.shortest.shown))
    }

    private mutating func still(
        _ bytes: [UInt8], _ codec: AVCodecID, orientation: Orientation?
    ) throws -> (asset: ImageAsset, dependsOnWidth: Bool) {
        // Of the others libav refuses what is damaged, and passes over marks that it does not know.
        let decoder = try Decoder(stills: codec, isStrict: codec == AV_CODEC_ID_MJPEG, path: path)
        let (packet, frame) = (try Packet(), try MediaFrame())
        try packet.setData(bytes)
        try decoder.decode(whole: packet, into: frame)
        try budget.admit(PixelSize(width: frame.width, height: frame.height))
        let turn = frame.displayOrientation?.orientation ?? orientation ?? .up
        let picture = try PictureUnpacker().picture(frame, orientation: turn)
        var frames: [ImageAsset.Frame] = []
        try add(picture, 0, to: &frames)
        frames[0].duration = 0
        return asset(frames, size: PixelSize(width: picture.width, height: picture.height))
    }

    /// libav puts the pictures of GIF and APNG together; how long each stands is known exactly from the file.
    private mutating func animationFrames(_ format: String, durations: [Double]) throws -> [ImageAsset.Frame] {
        let pictures = try MovingPictures(path: path, format: format)
        let unpacker = PictureUnpacker()
        var frames: [ImageAsset.Frame] = []
        while frames.count < durations.count, let next = try pictures.next() {
            let picture = try unpacker.picture(next.frame, orientation: .up)
            try add(picture, durations[frames.count], to: &frames)
        }
        guard frames.count == durations.count else {
            throw EditorError(
                .invalidData,
                "\(path) is damaged: only \(frames.count) of its \(durations.count) pictures can be decoded")
        }
        return frames
    }

    /// Whatever else libav can decode: other image formats, and video files.
    private mutating func movingFrames() throws -> [ImageAsset.Frame] {
        let pictures = try MovingPictures(path: path)
        try budget.admit(pictures.claimedSize)
        let unpacker = PictureUnpacker()
        var frames: [ImageAsset.Frame] = []
        var last: MovingPictures.Picture?
        var lastDuration = 0.0
        while let next = try pictures.next() {
            let shown = PixelSize(
                width: max(1, Int((Double(next.frame.width) * pictures.pixelAspect).rounded())),
                height: next.frame.height)
            try budget.admit(shown)
            let turn = next.frame.displayOrientation?.orientation ?? pictures.orientation ?? .up
            let picture = try unpacker.picture(next.frame, orientation: turn, size: shown)
            if let start = last?.time, let end = next.time, end > start, !frames.isEmpty {
                lastDuration = end - start
                frames[frames.count - 1].duration = lastDuration
            }
            try add(picture, next.duration ?? lastDuration, to: &frames)
            last = next
        }
        guard !frames.isEmpty else {
            throw EditorError(.invalidData, "\(path) is no picture that can be decoded")
        }
        if frames.count == 1 { frames[0].duration = 0 }
        return frames
    }
}
