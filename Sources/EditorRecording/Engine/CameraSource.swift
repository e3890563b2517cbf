internal import EditorCapture
internal import EditorCore

/// A running camera with everything that belongs to it. Belongs to one thread; stops the camera in `deinit`.
final class CameraSource {
    let entry: CameraCatalog.Entry
    let mode: CameraMode
    let capture: CameraCapture
    let feed: PictureFeed
    let controls: CameraOperator
    var isStalled = false
    /// Whether it was told that its pictures cannot be used.
    var isFailureTold = false

    var label: String { capture.device.label }

    /// - Parameters:
    ///   - wishes: what is wanted of the mode, in order of preference.
    ///   - post: called on the capture thread.
    /// - Throws: `EditorError` that names the device.
    init(
        _ entry: CameraCatalog.Entry, wishes: [CameraModeWish], size: PixelSize?, wants: PictureFeed.Wants,
        post: @escaping @Sendable (CameraMessage) -> Void
    ) throws {
        self.entry = entry
        let device = try CameraDevice(path: entry.path)
        guard let mode = CameraModeWish.best(of: device.modes, for: wishes) else {
            let modes = device.modes.map(\.description)
            throw EditorError(
                .unavailable,
                modes.isEmpty
                    ? "the \(device.label) gives no pictures that can be recorded (nv12, yuyv, mjpeg, h264, …)"
                    : "the \(device.label) has no such mode; it has \(modes.joined(separator: ", "))")
        }
        self.mode = mode
        // The format is known once the camera runs, and pictures wait in its buffers until the feed is there.
        let door = FeedDoor()
        if mode.pixelFormat == .h264 { device.prepareCoding() }
        capture = try CameraCapture(device, mode: mode) { bytes, stamp in
            door.feed?.deliver(bytes, stamp)
        } report: {
            post(.event($0))
        }
        let shape = PictureFeed.Shape(
            wants: wants, size: size ?? Self.even(capture.format.size), isMirrored: entry.position == .front)
        feed = try PictureFeed(capture.format, shape: shape) {
            device.askForKeyPicture()
        } send: {
            post(.picture($0, $1))
        } fail: {
            post(.failed($0))
        }
        door.open(feed)
        controls = CameraOperator(device)
    }

    deinit {
        controls.release()
        capture.stop()
    }

    private static func even(_ size: PixelSize) -> PixelSize {
        PixelSize(width: size.width & ~1, height: size.height & ~1)
    }

    /// The camera that settings name.
    /// - Throws: `EditorError` `.missingInput` when there is none.
    static func find(_ device: String?, position: DevicePosition) throws -> CameraCatalog.Entry {
        let all = CameraCatalog.entries()
        if let device {
            if let entry = all.first(where: { $0.path == device || $0.path == "/dev/\(device)" }) { return entry }
            if let entry = all.first(where: { $0.name.lowercased().contains(device.lowercased()) }) { return entry }
            // Opening it tells best what is wrong with it.
            if device.hasPrefix("/") { return CameraCatalog.Entry(path: device, name: "", position: position) }
            let names = all.map { "\($0.path) (\($0.name))" }.joined(separator: ", ")
            throw EditorError(
                .missingInput,
                "there is no camera \(device)" + (names.isEmpty ? "; plug one in" : "; there are \(names)"))
        }
        if let entry = all.first(where: { $0.position == position }) ?? all.first { return entry }
        if let (path, reason) = CameraCatalog.unreadable().first {
            throw EditorError(
                .unavailable,
                "the camera \(path) cannot be opened: \(reason); add yourself to the group video (sudo usermod -aG video $USER) and log in anew"
            )
        }
        throw EditorError(.missingInput, "there is no camera (no /dev/video0 to /dev/video63); plug one in")
    }
}

/// What a camera's thread has to say.
enum CameraMessage: Sendable {
    case picture(CapturedPicture, CameraStamp)
    case event(CameraEvent)
    /// A picture could not be converted.
    case failed(EditorError)
}
