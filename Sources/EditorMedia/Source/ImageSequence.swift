internal import CFFmpeg
internal import EditorCore

/// The pictures of an image file that libav cannot read. Belongs to one thread.
protocol ImageSequence: AnyObject {
    /// What the file is, in one word.
    var formatName: String { get }
    /// Upright, in square pixels.
    var size: PixelSize { get }
    var hasAlpha: Bool { get }
    /// Whether its colours are Display P3's instead of sRGB's.
    var isDisplayP3: Bool { get }
    /// Milliseconds that each picture stands; empty for a still.
    var durations: [Int64] { get }

    /// A picture in R, G, B, A bytes of straight alpha; the frame may be filled anew by the next call. Going forward is
    /// fast.
    /// - Throws: `EditorError` when it is damaged.
    func picture(_ index: Int) throws -> MediaFrame
}

/// Finds out whether a file is one for an `ImageSequence`.
enum ImageSequenceFile {
    /// Larger image files are refused.
    private static let mostBytes = 256 << 20

    /// nil when libav reads the file, or is to say what is wrong with it.
    static func open(_ path: String) throws -> (any ImageSequence)? {
        guard let kind = UnreadablePicture(path: path) else { return nil }
        if kind == .heif, !HEIFPicture.isAvailable { return nil }
        let (bytes, budget) = (try FileBytes.read(path, limit: mostBytes), ImageBudget(path: path))
        switch kind {
        case .heif: return try HEIFPicture(bytes, path: path, budget: budget)
        case .animatedWebP:
            let animation = try WebPAnimation(bytes, path: path, budget: budget, isPremultiplied: false)
            return try WebPSequence(animation)
        }
    }
}

extension MediaInfo {
    /// What an image file holds.
    init(_ sequence: any ImageSequence, path: String) throws {
        let durations = sequence.durations
        let length = MediaTime(value: durations.reduce(0, +), timescale: 1000)
        let isStill = durations.count < 2
        var normalisations: [Finding] = []
        let isVariable = durations.contains { $0 != durations[0] }
        if isVariable {
            normalisations.append(
                Finding(
                    .warning, code: "clip.variableRate",
                    "\(path) has a variable frame rate; its pictures are shown by their timestamps"))
        }
        let color = ColorDescription(
            matrix: .rgb, isFullRange: true, transfer: .sdr, primaries: sequence.isDisplayP3 ? .displayP3 : .bt709,
            isTagged: true)
        let rate = isStill ? nil : Rational(Int64(durations.count) * 1000, durations.reduce(0, +))
        let video = VideoStreamInfo(
            streamIndex: 0, codec: sequence.formatName, pixelFormat: sequence.hasAlpha ? "rgba" : "rgb0",
            storedSize: sequence.size, pixelAspect: .one, orientation: .up, firstTimestamp: .zero,
            duration: isStill ? .zero : length, frameCount: max(1, durations.count), frameRate: rate,
            isVariableRate: isVariable, isStill: isStill, hasAlpha: sequence.hasAlpha, isInterlaced: false, color: color
        )
        self.init(
            path: path, identity: try MediaProbe.identity(path), container: sequence.formatName, video: video,
            audio: [],
            normalisations: normalisations)
    }
}

extension MediaFrame {
    /// Takes a picture of R, G, B, A bytes over; its memory is kept from one picture of a size to the next.
    /// - Parameter hasAlpha: false: the fourth byte means nothing.
    func fillRGBA(_ pixels: UnsafePointer<UInt8>, stride: Int, _ size: PixelSize, hasAlpha: Bool) throws {
        if width != size.width || height != size.height {
            try allocatePicture(size, format: hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB0)
        }
        let (target, step) = (pointer.pointee.data.0!, Int(pointer.pointee.linesize.0))
        for y in 0..<size.height {
            (target + y * step).update(from: pixels + y * stride, count: size.width * 4)
        }
    }
}
