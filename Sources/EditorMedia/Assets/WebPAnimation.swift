internal import CWebP
internal import EditorCore

/// A WebP file, still or animated, decoded by libwebp. libavcodec 59 cannot decode animated ones. Belongs to one thread.
final class WebPAnimation {
    private let decoder: OpaquePointer
    private let path: String
    /// What the decoder reads from.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    let size: PixelSize
    let frameCount: Int
    private var lastEnd: Int32 = 0

    /// - Throws: `EditorError` `.invalidData` when the file is damaged or too large.
    init(_ data: [UInt8], path: String, budget: ImageBudget) throws {
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
            options.color_mode = MODE_rgbA
            options.use_threads = 0
            var input = WebPData(bytes: bytes.baseAddress, size: data.count)
            guard let created = WebPAnimDecoderNew(&input, &options) else {
                throw EditorError(.invalidData, "\(path) is a WebP picture that is damaged or ends too early")
            }
            decoder = created
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

    /// The next picture, premultiplied, with its length in seconds; nil at the end.
    func next() throws -> ImageAsset.Frame? {
        guard WebPAnimDecoderHasMoreFrames(decoder) != 0 else { return nil }
        var canvas: UnsafeMutablePointer<UInt8>?
        var end: Int32 = 0
        guard WebPAnimDecoderGetNext(decoder, &canvas, &end) != 0, let canvas else {
            throw EditorError(.invalidData, "\(path) is a WebP picture with damaged data")
        }
        let duration = Double(end - lastEnd) / 1000
        lastEnd = end
        let pixels = Array(UnsafeBufferPointer(start: canvas, count: size.width * size.height * 4))
        return ImageAsset.Frame(
            picture: OverlayPicture(width: size.width, height: size.height, pixels: pixels), duration: duration)
    }
}
