internal import EditorCapture
internal import EditorCore
internal import EditorMedia
internal import Synchronization

/// Makes working pictures of a camera's on its capture thread, when they are wanted, and hands them on.
///
/// `@unchecked Sendable`: `decoder` is used by `deliver` alone, which the capture thread alone calls; the rest is a
/// mutex and constants.
final class PictureFeed: @unchecked Sendable {
    struct Shape: Sendable {
        var isWanted: Bool
        var size: PixelSize
        /// How much the picture is cropped; what the driver does comes on top.
        var zoom = 1.0
        var isMirrored: Bool
    }

    private let decoder: CapturedPictureDecoder
    private let shape: Mutex<Shape>
    private let lastTime = Mutex<MonotonicTime?>(nil)
    private let send: @Sendable (VideoFrame, CameraStamp) -> Void
    private let fail: @Sendable (EditorError) -> Void
    /// Pictures whose bytes were no picture, since the last good one.
    private let damaged = Atomic<Int>(0)

    init(
        _ format: CameraStreamFormat, shape: Shape, send: @escaping @Sendable (VideoFrame, CameraStamp) -> Void,
        fail: @escaping @Sendable (EditorError) -> Void
    ) throws {
        let layout: CapturedPictureFormat.Layout =
            switch format.pixelFormat {
            case .nv12: .nv12
            case .yuyv: .yuyv
            case .uyvy: .uyvy
            case .yuv420: .yuv420
            case .rgb24: .rgb24
            case .mjpeg: .mjpeg
            case .h264:
                throw EditorError(
                    .unavailable, "H.264 of the camera cannot be taken over; choose another --camera-format")
            }
        decoder = try CapturedPictureDecoder(
            CapturedPictureFormat(
                layout: layout, size: format.size, bytesPerRow: format.bytesPerRow, isBT709: format.isBT709,
                isFullRange: format.isFullRange))
        self.shape = Mutex(shape)
        (self.send, self.fail) = (send, fail)
    }

    /// When the last picture was taken, wanted or not; nil before the first.
    var lastPictureTime: MonotonicTime? { lastTime.withLock { $0 } }

    func change(_ body: (inout Shape) -> Void) { shape.withLock { body(&$0) } }

    /// Called on the capture thread.
    func deliver(_ bytes: Span<UInt8>, _ stamp: CameraStamp) {
        lastTime.withLock { $0 = stamp.time }
        let shape = shape.withLock { $0 }
        guard shape.isWanted else { return }
        do {
            guard
                let frame = try decoder.decode(
                    bytes, size: shape.size, zoom: shape.zoom, isMirrored: shape.isMirrored)
            else {
                damaged.add(1, ordering: .relaxed)
                return
            }
            var stamp = stamp
            stamp.lostBefore += damaged.exchange(0, ordering: .relaxed)
            send(frame, stamp)
        } catch {
            fail(error as? EditorError ?? EditorError(.internalBug, "\(error)"))
        }
    }
}
