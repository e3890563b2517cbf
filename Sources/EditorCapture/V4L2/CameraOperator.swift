internal import CCapture
internal import EditorCore

/// Works a camera's controls in the words of a camera screen. Belongs to one thread. Puts the light out in `deinit`.
///
/// A control that the driver lacks is an `EditorError` `.unavailable` that names camera and control.
public final class CameraOperator {
    private let device: CameraDevice
    private var isLit = false
    private var isZoomed = false

    public init(_ device: CameraDevice) { self.device = device }

    deinit { release() }

    /// Puts the light out and the zoom back, as far as this operator changed them.
    public func release() {
        if isLit { try? light(false) }
        if isZoomed { _ = zoom(1, largest: 1) }
    }

    private func lacks(_ what: String) -> EditorError {
        EditorError(.unavailable, "the \(device.label) has no control for \(what)")
    }

    // MARK: Light

    public var hasTorch: Bool { torchValue != nil }

    private var torchValue: Int? {
        guard let control = device.control(editor_V4L2_CID_FLASH_LED_MODE) else { return nil }
        let value = Int(V4L2_FLASH_LED_MODE_TORCH.rawValue)
        return (control.minimum...max(control.minimum, control.maximum)).contains(value) ? value : nil
    }

    /// Whether the continuous light burns.
    public func light(_ isOn: Bool) throws {
        guard let torchValue else { throw lacks("a torch") }
        try device.set(
            editor_V4L2_CID_FLASH_LED_MODE, to: isOn ? torchValue : Int(V4L2_FLASH_LED_MODE_NONE.rawValue))
        isLit = isOn
    }

    // MARK: Zoom

    /// Sets the zoom, by the driver as far as it goes.
    /// - Parameter factor: 1…`largest`.
    /// - Returns: what the driver does, and what is left for cropping; their product is `factor`.
    public func zoom(_ factor: Double, largest: Double) -> (driver: Double, cropping: Double) {
        guard let control = device.control(editor_V4L2_CID_ZOOM_ABSOLUTE), !control.isReadOnly,
            control.maximum > control.minimum
        else { return (1, factor) }
        let value: Int
        let reached: Double
        if control.minimum > 0 {
            // The least value is the whole picture, and values are proportional to the focal length.
            value = control.nearest(to: Int((Double(control.minimum) * factor).rounded()))
            reached = Double(value) / Double(control.minimum)
        } else {
            // Units without meaning: the range is taken for all of the zoom.
            let share = largest > 1 ? (factor - 1) / (largest - 1) : 0
            value = control.nearest(
                to: control.minimum + Int((share * Double(control.maximum - control.minimum)).rounded()))
            reached = factor
        }
        guard (try? device.set(editor_V4L2_CID_ZOOM_ABSOLUTE, to: value)) != nil else { return (1, factor) }
        isZoomed = factor > 1
        return (reached, max(1, factor / reached))
    }

    // MARK: Focus and exposure

    public func lockFocus(_ isLocked: Bool) throws {
        if device.control(editor_V4L2_CID_FOCUS_AUTO) != nil {
            try device.set(editor_V4L2_CID_FOCUS_AUTO, to: isLocked ? 0 : 1)
        } else {
            try lock3A(bit: Int(V4L2_LOCK_FOCUS), isLocked, "focus")
        }
    }

    public func lockExposure(_ isLocked: Bool) throws {
        guard let control = device.control(editor_V4L2_CID_EXPOSURE_AUTO) else {
            return try lock3A(bit: Int(V4L2_LOCK_EXPOSURE), isLocked, "exposure")
        }
        guard isLocked else { return try device.set(editor_V4L2_CID_EXPOSURE_AUTO, to: control.defaultValue) }
        // What is now stays, where the driver tells it.
        let now = device.value(of: editor_V4L2_CID_EXPOSURE_ABSOLUTE)
        try device.set(editor_V4L2_CID_EXPOSURE_AUTO, to: Int(V4L2_EXPOSURE_MANUAL.rawValue))
        if let now { try? device.set(editor_V4L2_CID_EXPOSURE_ABSOLUTE, to: now) }
    }

    private func lock3A(bit: Int, _ isLocked: Bool, _ what: String) throws {
        guard device.control(editor_V4L2_CID_3A_LOCK) != nil else { throw lacks("locking the \(what)") }
        let now = device.value(of: editor_V4L2_CID_3A_LOCK) ?? 0
        try device.set(editor_V4L2_CID_3A_LOCK, to: isLocked ? now | bit : now & ~bit)
    }

    public var hasStabilisation: Bool { device.control(editor_V4L2_CID_IMAGE_STABILIZATION) != nil }

    public func stabilise(_ isOn: Bool) throws {
        guard hasStabilisation else { throw lacks("stabilisation") }
        try device.set(editor_V4L2_CID_IMAGE_STABILIZATION, to: isOn ? 1 : 0)
    }
}
