internal import EditorCore

/// An animated WebP file as pictures by number. Belongs to one thread.
final class WebPSequence: ImageSequence {
    private let animation: WebPAnimation
    private let frame: MediaFrame
    /// Number of the picture in `frame`; −1 before the first.
    private var current = -1

    let formatName = "webp"
    let isDisplayP3 = false
    let durations: [Int64]

    /// - Parameter animation: of straight alpha, and nothing of it read.
    init(_ animation: WebPAnimation) throws {
        self.animation = animation
        frame = try MediaFrame()
        durations = animation.durations
    }

    var size: PixelSize { animation.size }
    var hasAlpha: Bool { animation.hasAlpha }

    func picture(_ index: Int) throws -> MediaFrame {
        if index < current {
            animation.rewind()
            current = -1
        }
        while current < index {
            guard try animation.next(into: frame) else {
                throw EditorError(.ioFailed, "\(animation.path) ends before its picture \(index)")
            }
            current += 1
        }
        return frame
    }
}
