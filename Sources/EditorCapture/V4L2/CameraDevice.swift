internal import CCapture
internal import EditorCore
internal import Glibc

/// An open camera. Safe on any thread: the file never changes, and the kernel and libv4l2 order the calls on it.
public final class CameraDevice: Sendable {
    /// Such as `/dev/video0`.
    public let path: String
    /// What the driver calls it.
    public let name: String
    public let controls: [CameraControl]
    /// Modes that can be recorded, in the driver's order.
    public let modes: [CameraMode]
    let file: Int32

    /// What messages call it.
    public var label: String { Self.label(path: path, name: name) }

    static func label(path: String, name: String) -> String { "camera \(path)\(name.isEmpty ? "" : " (\(name))")" }

    /// - Throws: `EditorError` that names the device: `.missingInput` when there is none, `.unavailable` when it is in
    ///   use, may not be opened, or gives no pictures.
    public init(path: String) throws {
        Self.beQuiet()
        self.path = path
        file = editor_v4l2_open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let reason = errno
        guard file >= 0 else {
            (name, controls, modes) = ("", [], [])
            throw Self.error(reason, "camera \(path)", doing: "cannot be opened")
        }
        var capability = v4l2_capability()
        if let failure = Self.request(file, editor_VIDIOC_QUERYCAP, &capability) {
            (name, controls, modes) = ("", [], [])
            throw Self.error(failure, "camera \(path)", doing: "does not answer as a camera")
        }
        name = Self.text(capability.card)
        let all = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let flags = all ? capability.device_caps : capability.capabilities
        let needed = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        guard flags & needed == needed else {
            (controls, modes) = ([], [])
            throw EditorError(
                .unavailable,
                "\(path) (\(name)) gives no pictures to record; choose another device, editor doctor lists them")
        }
        controls = Self.readControls(file)
        modes = Self.readModes(file)
    }

    deinit { if file >= 0 { v4l2_close(file) } }

    /// One request to the driver; nil when it is done, else the error number.
    func request<Argument>(_ request: UInt, _ argument: inout Argument) -> Int32? {
        Self.request(file, request, &argument)
    }

    private static func request<Argument>(_ file: Int32, _ request: UInt, _ argument: inout Argument) -> Int32? {
        withUnsafeMutableBytes(of: &argument) { bytes in
            while editor_v4l2_ioctl(file, request, bytes.baseAddress) < 0 {
                if errno != EINTR { return errno }
            }
            return nil
        }
    }

    /// Maps a buffer of the driver; nil with the error number in `errno`.
    func map(length: Int, offset: UInt32) -> UnsafeMutableRawPointer? {
        let memory = v4l2_mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, Int64(offset))
        return memory == MAP_FAILED ? nil : memory
    }

    func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { v4l2_munmap(memory, length) }

    /// Whether a device is a camera, and what it is called, without starting anything.
    static func name(of path: String) -> String? {
        beQuiet()
        let file = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var capability = v4l2_capability()
        guard ioctl(file, editor_VIDIOC_QUERYCAP, &capability) == 0 else { return nil }
        let all = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let flags = all ? capability.device_caps : capability.capabilities
        return flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 ? text(capability.card) : nil
    }

    /// libv4l2 prints to standard error unless it is given a file.
    private static func beQuiet() { _ = silence }
    private static let silence: Void = { editor_v4l2_log_to(fopen("/dev/null", "w")) }()

    /// A sentence for a failed call.
    static func error(_ code: Int32, _ label: String, doing: String) -> EditorError {
        let words = String(cString: strerror(code))
        switch code {
        case ENOENT, ENODEV, ENXIO, ENOTCONN:
            return EditorError(
                .missingInput,
                "the \(label) \(doing): it is not there (\(words)); plug it in, or choose another with --device")
        case EBUSY:
            return EditorError(
                .unavailable,
                "the \(label) \(doing): another program uses it (\(words)); close that one, or choose another with --device"
            )
        case EACCES, EPERM:
            return EditorError(
                .unavailable,
                "the \(label) \(doing): \(words); add yourself to the group video (sudo usermod -aG video $USER) and log in anew"
            )
        default:
            return EditorError(
                .unavailable,
                "the \(label) \(doing): \(words); unplug it and plug it in again, or choose another with --device")
        }
    }

    // MARK: Controls

    public func control(_ id: UInt32) -> CameraControl? { controls.first { $0.id == id } }

    /// The value that a control has now; nil when it cannot be read.
    public func value(of id: UInt32) -> Int? {
        var control = v4l2_control(id: id, value: 0)
        return request(editor_VIDIOC_G_CTRL, &control) == nil ? Int(control.value) : nil
    }

    /// - Throws: `EditorError` `.unavailable` that names device and control.
    public func set(_ id: UInt32, to value: Int) throws {
        var control = v4l2_control(id: id, value: Int32(clamping: value))
        if let reason = request(editor_VIDIOC_S_CTRL, &control) {
            let name = self.control(id)?.name ?? "control \(id)"
            throw Self.error(reason, label, doing: "does not take \(value) for \"\(name)\"")
        }
    }

    private static func readControls(_ file: Int32) -> [CameraControl] {
        var found: [CameraControl] = []
        var query = v4l2_queryctrl()
        query.id = editor_V4L2_CTRL_FLAG_NEXT_CTRL
        // A driver that never ends its list must not hang us.
        while found.count < 1000, request(file, editor_VIDIOC_QUERYCTRL, &query) == nil {
            let id = query.id
            defer { query.id = id | editor_V4L2_CTRL_FLAG_NEXT_CTRL }
            let isClass = query.type == UInt32(V4L2_CTRL_TYPE_CTRL_CLASS.rawValue)
            guard !isClass, query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else { continue }
            let kind: CameraControl.Kind =
                switch v4l2_ctrl_type(query.type) {
                case V4L2_CTRL_TYPE_INTEGER: .integer
                case V4L2_CTRL_TYPE_BOOLEAN: .boolean
                case V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU: .menu
                case V4L2_CTRL_TYPE_BUTTON: .button
                default: .other
                }
            var choices: [Int: String] = [:]
            if query.type == UInt32(V4L2_CTRL_TYPE_MENU.rawValue), query.maximum < 1000 {
                for index in max(0, query.minimum)...max(0, query.maximum) {
                    var item = v4l2_querymenu()
                    (item.id, item.index) = (id, UInt32(index))
                    if request(file, editor_VIDIOC_QUERYMENU, &item) == nil {
                        choices[Int(index)] = text(item.name)
                    }
                }
            }
            found.append(
                CameraControl(
                    id: id, name: text(query.name), kind: kind, minimum: Int(query.minimum),
                    maximum: Int(query.maximum), step: Int(query.step), defaultValue: Int(query.default_value),
                    choices: choices, isReadOnly: query.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0))
        }
        return found
    }

    // MARK: Modes

    static let formats: [(CameraPixelFormat, UInt32)] = [
        (.nv12, editor_V4L2_PIX_FMT_NV12), (.yuyv, editor_V4L2_PIX_FMT_YUYV), (.uyvy, editor_V4L2_PIX_FMT_UYVY),
        (.yuv420, editor_V4L2_PIX_FMT_YUV420), (.rgb24, editor_V4L2_PIX_FMT_RGB24),
        (.mjpeg, editor_V4L2_PIX_FMT_MJPEG), (.mjpeg, editor_V4L2_PIX_FMT_JPEG), (.h264, editor_V4L2_PIX_FMT_H264),
    ]

    private static func readModes(_ file: Int32) -> [CameraMode] {
        var native: [CameraMode] = []
        var emulated: [CameraMode] = []
        for index in 0..<UInt32(200) {
            var description = v4l2_fmtdesc()
            description.index = index
            description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            guard request(file, editor_VIDIOC_ENUM_FMT, &description) == nil else { break }
            let code = description.pixelformat
            guard let format = formats.first(where: { $0.1 == code })?.0 else { continue }
            let modes = sizes(file, code).flatMap { size in
                rates(file, code, size).map { CameraMode(pixelFormat: format, size: size, rate: $0) }
            }
            if description.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0 { emulated += modes } else { native += modes }
        }
        // What libv4l2 converts is for cameras with formats of their own only.
        return native.isEmpty ? emulated : native
    }

    private static let usualSizes = [(640, 360), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    private static func sizes(_ file: Int32, _ code: UInt32) -> [PixelSize] {
        var found: [PixelSize] = []
        for index in 0..<UInt32(200) {
            var entry = v4l2_frmsizeenum()
            (entry.index, entry.pixel_format) = (index, code)
            guard request(file, editor_VIDIOC_ENUM_FRAMESIZES, &entry) == nil else { break }
            guard entry.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                found.append(PixelSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
                continue
            }
            let range = entry.stepwise
            found += usualSizes.filter { size in
                size.width >= Int(range.min_width) && size.width <= Int(range.max_width)
                    && size.height >= Int(range.min_height) && size.height <= Int(range.max_height)
            }
            break
        }
        // Odd sides have no 4:2:0 picture.
        return found.filter { $0.width >= 16 && $0.height >= 16 && $0.width % 2 == 0 && $0.height % 2 == 0 }
    }

    private static func rates(_ file: Int32, _ code: UInt32, _ size: PixelSize) -> [Rational] {
        var found: [Rational] = []
        for index in 0..<UInt32(100) {
            var entry = v4l2_frmivalenum()
            (entry.index, entry.pixel_format) = (index, code)
            (entry.width, entry.height) = (UInt32(size.width), UInt32(size.height))
            guard request(file, editor_VIDIOC_ENUM_FRAMEINTERVALS, &entry) == nil else { break }
            guard entry.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                if let rate = rate(ofInterval: entry.discrete) { found.append(rate) }
                continue
            }
            let fastest = rate(ofInterval: entry.stepwise.min)?.doubleValue ?? 30
            let slowest = rate(ofInterval: entry.stepwise.max)?.doubleValue ?? 0
            found += [15, 24, 25, 30, 50, 60].map { Rational($0) }.filter {
                $0.doubleValue <= fastest + 0.01 && $0.doubleValue >= slowest - 0.01
            }
            break
        }
        // A driver that tells no rates has one.
        return found.isEmpty ? [Rational(30)] : found
    }

    static func rate(ofInterval interval: v4l2_fract) -> Rational? {
        guard interval.numerator > 0, interval.denominator > 0 else { return nil }
        return Rational(Int64(interval.denominator), Int64(interval.numerator))
    }

    /// A C array of characters as text.
    private static func text<T>(_ characters: T) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
