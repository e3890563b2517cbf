internal import CWebP
internal import EditorCore

/// A WebP file, still or animated, decoded by libwebp. libavcodec 59 cannot decode animated ones. Belongs to one thread.
final class WebPAnimation {
    private let decoder: OpaquePointer
    let path: String
    /// What the decoder reads from.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    let size: PixelSize
    let frameCount: Int
    let hasAlpha: Bool
    private var lastEnd: Int32 = 0

    /// Browsers' rule, which the makers of animations count on: a picture that has to vanish at once stands longer.
    static let shortest = (limit: 10, shown: 100)

    /// - Parameter isPremultiplied: whether colours come multiplied by their alpha.
    /// - Throws: `EditorError` `.invalidData` when the file is damaged or too large.
    init(_ data: [UInt8], path: String, budget: ImageBudget, isPremultiplied: Bool = true) throws {
        self.path = path
        bytes = .allocate(capacity: data.count)
        _ = bytes.initialize(from: data)
        do {
            var features = WebPBitstreamFeatures()
            guard WebPGetFeatures(bytes.baseAddress, data.count, &features) == VP8_STATUS_OK else {
                throw EditorError(.invalidData, "\(path) is a damaged WebP picture")
            }
            // Before the decoder takes memory for it.
            try budget.admit(PixelSize(width: Int(features.width), height: Int(features.height)))
            var options = WebPAnimDecoderOptions()
            WebPAnimDecoderOptionsInit(&options)
            options.color_mode = isPremultiplied ? MODE_rgbA : MODE_RGBA
            options.use_threads = 0
            var input = WebPData(bytes: bytes.baseAddress, size: data.count)
            guard let created = WebPAnimDecoderNew(&input, &options) else {
                throw EditorError(.invalidData, "\(path) is a WebP picture that is damaged or ends too early")
            }
            decoder = created
            hasAlpha = features.has_alpha != 0
            var info = WebPAnimInfo()
            WebPAnimDecoderGetInfo(created, &info)
            size = PixelSize(width: Int(info.canvas_width), height: Int(info.canvas_height))
            frameCount = Int(info.frame_count)
        } catch {
            bytes.deallocate()
            throw error
        }
    }

    deinit {
        WebPAnimDecoderDelete(decoder)
        bytes.deallocate()
    }

    /// Milliseconds that each picture stands, by the browsers' rule; nothing is decoded for it.
    var durations: [Int64] {
        guard let demuxer = WebPAnimDecoderGetDemuxer(decoder) else { return [] }
        var iterator = WebPIterator()
        guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { return [] }
        defer { WebPDemuxReleaseIterator(&iterator) }
        var durations: [Int64] = []
        repeat {
            let claimed = Int(iterator.duration)
            durations.append(Int64(claimed > Self.shortest.limit ? claimed : Self.shortest.shown))
        } while WebPDemuxNextFrame(&iterator) != 0
        return durations
    }

    /// Goes back to the first picture.
    func rewind() {
        WebPAnimDecoderReset(decoder)
        lastEnd = 0
    }

    /// The next picture, premultiplied if that was asked for, with its length in seconds; nil at the end.
    func next() throws -> ImageAsset.Frame? {
        guard let (canvas, duration) = try nextCanvas() else { return nil }
        let pixels = Array(UnsafeBufferPointer(start: canvas, count: size.width * size.height * 4))
        return ImageAsset.Frame(
            picture: OverlayPicture(width: size.width, height: size.height, pixels: pixels), duration: duration)
    }

    /// Fills `frame` with the next picture; false at the end.
    func next(into frame: MediaFrame) throws -> Bool {
        guard let (canvas, _) = try nextCanvas() else { return false }
        try frame.fillRGBA(canvas, stride: size.width * 4, size, hasAlpha: hasAlpha)
        return true
    }

    /// Valid until the next call.
    private func nextCanvas() throws -> (UnsafePointer<UInt8>, seconds: Double)? {
        guard WebPAnimDecoderHasMoreFrames(decoder) != 0 else { return nil }
        var canvas: UnsafeMutablePointer<UInt8>?
        var end: Int32 = 0
        guard WebPAnimDecoderGetNext(decoder, &canvas, &end) != 0, let canvas else {
            throw EditorError(.invalidData, "\(path) is a WebP picture with damaged data")
        }
        let duration = Double(end - lastEnd) / 1000
        lastEnd = end
        return (UnsafePointer(canvas), duration)
    }
}
