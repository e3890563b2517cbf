internal import EditorCapture
internal import EditorCore

/// How the camera in use is set: light, zoom, locks. What is chosen stays when another camera comes. Belongs to one
/// thread.
final class CameraControls {
    /// The camera in use; nil while there is none.
    var camera: CameraSource? { didSet { isLit = false } }

    private let largestZoom: Double
    private let teller: EventTeller
    private var torch = RecordingCommand.LightMode.off
    private(set) var isLit = false
    private var zoom = 1.0
    private var (isFocusLocked, isExposureLocked) = (false, false)
    /// Light of the pictures so far, while it decides about the torch.
    private var darkness = (sum: 0.0, count: 0)

    init(largestZoom: Double, teller: EventTeller) {
        (self.largestZoom, self.teller) = (largestZoom, teller)
    }

    var hasTorch: Bool { camera?.controls.hasTorch ?? false }

    /// Sets a camera that was just opened as the one before was set; locks belong to what was seen, and are gone.
    func adopt(_ camera: CameraSource) {
        self.camera = camera
        if camera.controls.hasStabilisation { try? camera.controls.stabilise(true) }
        if zoom > 1 { set(zoom: zoom) }
        if torch == .on { light(true) }
        (isFocusLocked, isExposureLocked) = (false, false)
    }

    private func control(_ body: (CameraSource) throws -> Void, done: () -> RecordingEvent) {
        guard let camera else { return teller.warn("camera.gone", "there is no camera to control") }
        do {
            try body(camera)
            teller.report(done())
        } catch let error as EditorError {
            teller.warn("camera.control", error.message)
        } catch { teller.fail(error) }
    }

    // MARK: Light

    func set(torch mode: RecordingCommand.LightMode) {
        guard hasTorch else {
            return teller.warn("camera.control", "the \(camera?.label ?? "camera") has no torch")
        }
        torch = mode
        darkness = (0, 0)
        light(mode == .on)
    }

    func toggleTorch() { set(torch: torch == .off ? .on : .off) }

    private func light(_ isOn: Bool) {
        control {
            try $0.controls.light(isOn)
            isLit = isOn
        } done: {
            .torch(torch, isLit: isOn)
        }
    }

    /// Light for a photo.
    func lightUp() { light(true) }

    /// Ends the light for a photo; the torch's stays.
    func lightDown() { light(torch == .on) }

    func segmentBegins() { darkness = (0, 0) }

    func segmentEnded() { if torch == .auto, isLit { light(false) } }

    /// `auto`: once a segment's pictures of half a second are dark, the torch burns until the segment ends.
    func watch(_ frame: VideoFrame, rate: Rational) {
        guard torch == .auto, !isLit else { return }
        darkness.sum += Self.meanLuma(frame)
        darkness.count += 1
        guard darkness.count * 2 >= Int(rate.doubleValue) else { return }
        let mean = darkness.sum / Double(darkness.count)
        darkness = (0, 0)
        if mean < Self.darkLuma, hasTorch { light(true) }
    }

    /// Whether the torch depends on the light of the pictures to come.
    var watchesLight: Bool { torch == .auto && !isLit && hasTorch }

    static func isDark(_ frame: VideoFrame) -> Bool { meanLuma(frame) < darkLuma }

    /// Mean luma below which a picture is dark: an eighth of the way from black to white.
    private static let darkLuma = 44.0

    private static func meanLuma(_ frame: VideoFrame) -> Double {
        frame.withPlane(0) { pixels, layout in
            var (sum, count) = (0, 0)
            // Every eighth row and column is plenty.
            for row in stride(from: 0, to: layout.height, by: 8) {
                for column in stride(from: 0, to: layout.width, by: 8) {
                    sum += Int(pixels[row * layout.stride + column])
                    count += 1
                }
            }
            return Double(sum) / Double(max(1, count))
        }
    }

    // MARK: Zoom

    func multiplyZoom(by factor: Double) { set(zoom: zoom * factor) }

    func set(zoom factor: Double) {
        let wanted = min(largestZoom, max(1, factor))
        if factor > largestZoom * 1.0001 {
            teller.warn("camera.zoom", "the zoom goes to \(largestZoom) at most (maxVideoZoomFactor)")
        }
        zoom = wanted
        guard let camera else { return }
        let (driver, cropping) = camera.controls.zoom(wanted, largest: largestZoom)
        camera.feed.change { $0.zoom = cropping }
        teller.report(.zoom(wanted, byDriver: driver, byCropping: cropping))
    }

    // MARK: Locks

    func lockFocus(_ isLocked: Bool) {
        control {
            try $0.controls.lockFocus(isLocked)
            isFocusLocked = isLocked
        } done: {
            .focusLocked(isLocked)
        }
    }

    func toggleFocusLock() { lockFocus(!isFocusLocked) }

    func lockExposure(_ isLocked: Bool) {
        control {
            try $0.controls.lockExposure(isLocked)
            isExposureLocked = isLocked
        } done: {
            .exposureLocked(isLocked)
        }
    }

    func toggleExposureLock() { lockExposure(!isExposureLocked) }

    func stabilise(_ isOn: Bool) {
        control {
            try $0.controls.stabilise(isOn)
        } done: {
            .stabilised(isOn)
        }
    }
}
