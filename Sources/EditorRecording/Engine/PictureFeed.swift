internal import EditorCapture
internal import EditorCore
internal import EditorMedia
internal import Synchronization

/// Makes of a camera's pictures, on its capture thread, what is wanted of them, and hands it on.
///
/// `@unchecked Sendable`: `reader` is used by `deliver` alone, which the capture thread alone calls; the rest is a
/// mutex, atomics and constants.
final class PictureFeed: @unchecked Sendable {
    /// What of the pictures somebody wants.
    struct Wants: Sendable, Hashable {
        /// Whether any.
        var isAny = false
        /// Whether working pictures, even where the camera's own could be kept.
        var areFrames = false
    }

    struct Shape: Sendable {
        var wants: Wants
        var size: PixelSize
        /// How much the picture is cropped; what the driver does comes on top.
        var zoom = 1.0
        var isMirrored: Bool
    }

    private enum Reader {
        case pictures(CapturedPictureDecoder)
        case stream(CodedPictureReader)
    }

    private let reader: Reader
    /// What the camera gives.
    private let size: PixelSize
    private let shape: Mutex<Shape>
    private let lastTime = Mutex<MonotonicTime?>(nil)
    private let send: @Sendable (CapturedPicture, CameraStamp) -> Void
    private let fail: @Sendable (EditorError) -> Void
    private let requestKey: @Sendable () -> Void
    private let lastRequest = Mutex<MonotonicTime?>(nil)
    /// Pictures that could not be used, since the last one that could.
    private let unusable = Atomic<Int>(0)

    /// A camera is asked for a key picture again after so many seconds.
    private static let requestPatience = 0.2

    /// - Parameters:
    ///   - requestKey: asks the camera for a key picture; called on any thread.
    ///   - send: called on the capture thread, as is `fail`.
    init(
        _ format: CameraStreamFormat, shape: Shape, requestKey: @escaping @Sendable () -> Void,
        send: @escaping @Sendable (CapturedPicture, CameraStamp) -> Void,
        fail: @escaping @Sendable (EditorError) -> Void
    ) throws {
        let captured = CapturedPictureFormat(
            layout: Self.layout(of: format.pixelFormat), size: format.size, bytesPerRow: format.bytesPerRow,
            isBT709: format.isBT709, isFullRange: format.isFullRange)
        reader =
            format.pixelFormat == .h264
            ? .stream(try CodedPictureReader(captured, rate: format.rate))
            : .pictures(try CapturedPictureDecoder(captured))
        size = format.size
        self.shape = Mutex(shape)
        (self.requestKey, self.send, self.fail) = (requestKey, send, fail)
    }

    private static func layout(of format: CameraPixelFormat) -> CapturedPictureFormat.Layout {
        switch format {
        case .nv12: .nv12
        case .yuyv: .yuyv
        case .uyvy: .uyvy
        case .yuv420: .yuv420
        case .rgb24: .rgb24
        case .mjpeg: .mjpeg
        case .h264: .h264
        }
    }

    /// Whether the camera's own pictures may be handed on.
    var mayKeep: Bool {
        guard case .stream = reader else { return false }
        return true
    }

    /// When the last picture was taken, wanted or not; nil before the first.
    var lastPictureTime: MonotonicTime? { lastTime.withLock { $0 } }

    func change(_ body: (inout Shape) -> Void) { shape.withLock { body(&$0) } }

    /// Asks the camera for a key picture, unless that was done just now.
    func askForKeyPicture() {
        let isDue = lastRequest.withLock { last in
            let now = MonotonicTime.now
            if let last, now - last < Self.requestPatience { return false }
            last = now
            return true
        }
        if isDue { requestKey() }
    }

    /// Called on the capture thread.
    func deliver(_ bytes: Span<UInt8>, _ stamp: CameraStamp) {
        lastTime.withLock { $0 = stamp.time }
        let shape = shape.withLock { $0 }
        do {
            let picture =
                switch reader {
                case .pictures(let decoder): try read(bytes, with: decoder, shape)
                case .stream(let reader): try read(bytes, with: reader, isNext: stamp.lostBefore == 0, shape)
                }
            guard shape.wants.isAny, let picture else { return }
            guard picture.frame != nil || picture.coded != nil else {
                unusable.add(1 + stamp.lostBefore, ordering: .relaxed)
                return
            }
            var stamp = stamp
            stamp.lostBefore += unusable.exchange(0, ordering: .relaxed)
            send(picture, stamp)
        } catch {
            fail(error as? EditorError ?? EditorError(.internalBug, "\(error)"))
        }
    }

    private func read(_ bytes: Span<UInt8>, with decoder: CapturedPictureDecoder, _ shape: Shape) throws
        -> CapturedPicture?
    {
        guard shape.wants.isAny else { return nil }
        let frame = try decoder.decode(bytes, size: shape.size, zoom: shape.zoom, isMirrored: shape.isMirrored)
        return CapturedPicture(frame: frame, coded: nil)
    }

    /// A stream is followed whether its pictures are wanted or not: each needs the ones before.
    private func read(_ bytes: Span<UInt8>, with reader: CodedPictureReader, isNext: Bool, _ shape: Shape) throws
        -> CapturedPicture?
    {
        let isOfAnotherKind = shape.isMirrored || shape.size != size
        let isChanged = isOfAnotherKind || shape.zoom > 1
        let look = CodedPictureReader.Look(size: shape.size, zoom: shape.zoom, isMirrored: shape.isMirrored)
        let reading = try reader.read(
            bytes, isNext: isNext, look: shape.wants.isAny && (shape.wants.areFrames || isChanged) ? look : nil)
        if shape.wants.isAny, reader.awaitsKey { askForKeyPicture() }
        guard reading.isPicture else { return nil }
        // Until the decoder can begin a zoom is not seen yet, which is better than no picture.
        let isKept = !isOfAnotherKind && (!isChanged || reading.frame == nil)
        return CapturedPicture(frame: reading.frame, coded: isKept ? reading.picture : nil)
    }
}
