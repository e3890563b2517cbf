internal import EditorCapture
internal import EditorCore
internal import EditorMedia

/// Takes single pictures, with light if need be. Belongs to one thread.
final class PhotoTaker {
    /// The light for photos.
    var flash = RecordingCommand.LightMode.off
    private let controls: CameraControls
    private let teller: EventTeller
    private var request: (path: String, readyAt: MonotonicTime, isLitForIt: Bool)?

    /// Seconds that the exposure needs to follow the light.
    private static let exposureTime = 0.4

    init(controls: CameraControls, teller: EventTeller) { (self.controls, self.teller) = (controls, teller) }

    /// Whether a picture is still to come.
    var isBusy: Bool { request != nil }

    /// Has the next picture written to a file.
    /// - Throws: `EditorError` when the file's name has no ending of a picture.
    func take(_ path: String) throws {
        _ = try ImageFileWriter.ending(of: path)
        let needsLight = flash != .off && !controls.isLit && controls.hasTorch
        if flash != .off, !needsLight, !controls.isLit {
            teller.warn("camera.control", "the \(controls.camera?.label ?? "camera") has no light")
        }
        let isLitForIt = needsLight && flash == .on
        if isLitForIt { controls.lightUp() }
        request = (path, .now + (isLitForIt ? Self.exposureTime : 0), isLitForIt)
    }

    /// Takes a picture of the camera's for the photo, if one is wanted.
    func offer(_ frame: VideoFrame, takenAt time: MonotonicTime) {
        guard let request, time >= request.readyAt else { return }
        if flash == .auto, !request.isLitForIt, !controls.isLit, controls.hasTorch, CameraControls.isDark(frame) {
            controls.lightUp()
            self.request = (request.path, .now + Self.exposureTime, true)
            return
        }
        self.request = nil
        do {
            try ImageFileWriter.write(frame, to: request.path)
            teller.report(.photo(request.path))
        } catch { teller.fail(error) }
        if request.isLitForIt { controls.lightDown() }
    }

    /// Nothing is taken any more.
    func cancel() {
        if request?.isLitForIt ?? false, controls.camera != nil { controls.lightDown() }
        request = nil
    }
}
