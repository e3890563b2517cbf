internal import CCapture
public import EditorCore
internal import Glibc

/// A running camera: its buffers, mapped. Belongs to one thread at a time; stops the camera in `deinit`.
final class CameraStream {
    let device: CameraDevice
    let format: CameraStreamFormat
    private var buffers: [(memory: UnsafeMutableRawPointer, length: Int)] = []

    /// So many pictures may wait while the disk or the encoder is slow.
    private static let bufferCount: UInt32 = 8

    /// Sets the mode, which the driver may change, and starts.
    /// - Throws: `EditorError` that names the device.
    init(_ device: CameraDevice, mode: CameraMode) throws {
        self.device = device
        format = try Self.set(mode, on: device)
        // From here on `deinit` undoes what is done.
        var request = v4l2_requestbuffers()
        request.count = Self.bufferCount
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try require(device.request(editor_VIDIOC_REQBUFS, &request), "gives no buffers")
        for index in 0..<request.count {
            var buffer = Self.emptyBuffer(index)
            try require(device.request(editor_VIDIOC_QUERYBUF, &buffer), "gives no buffers")
            guard let memory = device.map(length: Int(buffer.length), offset: buffer.m.offset) else {
                throw CameraDevice.error(errno, device.label, doing: "gives no buffers")
            }
            buffers.append((memory, Int(buffer.length)))
            try require(device.request(editor_VIDIOC_QBUF, &buffer), "takes no buffers")
        }
        guard !buffers.isEmpty else { throw CameraDevice.error(ENOMEM, device.label, doing: "gives no buffers") }
        var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
        try require(device.request(editor_VIDIOC_STREAMON, &type), "cannot be started")
    }

    deinit {
        var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
        _ = device.request(editor_VIDIOC_STREAMOFF, &type)
        for buffer in buffers { device.unmap(buffer.memory, length: buffer.length) }
        var request = v4l2_requestbuffers()
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        _ = device.request(editor_VIDIOC_REQBUFS, &request)
    }

    private func require(_ failure: Int32?, _ doing: String) throws {
        if let failure { throw CameraDevice.error(failure, device.label, doing: doing) }
    }

    private static func emptyBuffer(_ index: UInt32 = 0) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        buffer.index = index
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return buffer
    }

    private static func set(_ mode: CameraMode, on device: CameraDevice) throws -> CameraStreamFormat {
        let codes = CameraDevice.formats.filter { $0.0 == mode.pixelFormat }.map(\.1)
        var failure: Int32 = EINVAL
        for code in codes {
            var wanted = v4l2_format()
            wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            wanted.fmt.pix.width = UInt32(mode.size.width)
            wanted.fmt.pix.height = UInt32(mode.size.height)
            wanted.fmt.pix.pixelformat = code
            wanted.fmt.pix.field = V4L2_FIELD_ANY.rawValue
            if let reason = device.request(editor_VIDIOC_S_FMT, &wanted) {
                failure = reason
                continue
            }
            let picture = wanted.fmt.pix
            guard picture.pixelformat == code else { continue }
            // Always: some drivers start at a rate of their own.
            var parameters = v4l2_streamparm()
            parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            parameters.parm.capture.timeperframe = v4l2_fract(
                numerator: UInt32(clamping: mode.rate.denominator), denominator: UInt32(clamping: mode.rate.numerator))
            var rate = mode.rate
            if device.request(editor_VIDIOC_S_PARM, &parameters) == nil,
                let given = CameraDevice.rate(ofInterval: parameters.parm.capture.timeperframe)
            {
                rate = given
            }
            // Without a word from the driver: sRGB cameras use BT.601, JPEG has full range.
            let encoding = picture.ycbcr_enc
            let isBT709 =
                encoding == V4L2_YCBCR_ENC_709.rawValue
                || (encoding == 0 && picture.colorspace == V4L2_COLORSPACE_REC709.rawValue)
            let isFull =
                picture.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue
                || (picture.quantization == 0 && (mode.pixelFormat == .mjpeg || mode.pixelFormat == .rgb24))
            return CameraStreamFormat(
                pixelFormat: mode.pixelFormat,
                size: PixelSize(width: Int(picture.width), height: Int(picture.height)), rate: rate,
                bytesPerRow: Int(picture.bytesperline), isBT709: isBT709, isFullRange: isFull)
        }
        throw CameraDevice.error(failure, device.label, doing: "does not take the mode \(mode)")
    }

    enum Wait {
        case picture, timeout, woken
        case failed(Int32)
    }

    /// Waits for a picture.
    func wait(_ signal: WakeSignal, milliseconds: Int32) -> Wait {
        var files = [
            pollfd(fd: device.file, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signal.file, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&files, 2, milliseconds)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return .failed(errno) }
            if files[1].revents != 0 { return .woken }
            if count == 0 { return .timeout }
            // A device that is gone says so when a picture is asked for.
            return .picture
        }
    }

    struct Picture {
        var index: UInt32
        var byteCount: Int
        /// nil when the driver stamps with another clock, or not at all.
        var time: MonotonicTime?
        var sequence: UInt32
        var isDamaged: Bool
    }

    enum Taken {
        case picture(Picture)
        case nothing
        case failed(Int32)
    }

    func take() -> Taken {
        var buffer = Self.emptyBuffer()
        if let failure = device.request(editor_VIDIOC_DQBUF, &buffer) {
            return failure == EAGAIN ? .nothing : .failed(failure)
        }
        guard buffer.index < buffers.count else { return .failed(EIO) }
        let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        let stamp = MonotonicTime(seconds: buffer.timestamp.tv_sec, nanoseconds: buffer.timestamp.tv_usec * 1000)
        let isStamped = clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) && stamp.nanoseconds > 0
        let count = min(Int(buffer.bytesused), buffers[Int(buffer.index)].length)
        return .picture(
            Picture(
                index: buffer.index, byteCount: count, time: isStamped ? stamp : nil, sequence: buffer.sequence,
                isDamaged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 || count == 0))
    }

    /// The bytes of a picture that was taken and not given back.
    func withBytes(_ picture: Picture, _ body: (Span<UInt8>) -> Void) {
        let memory = buffers[Int(picture.index)].memory
        let bytes = UnsafeRawBufferPointer(start: memory, count: picture.byteCount)
        bytes.withMemoryRebound(to: UInt8.self) { body($0.span) }
    }

    /// Lets the driver fill a buffer again; nil when it takes it, else the error number.
    func giveBack(_ picture: Picture) -> Int32? {
        var buffer = Self.emptyBuffer(picture.index)
        return device.request(editor_VIDIOC_QBUF, &buffer)
    }
}

/// What a running camera gives.
public struct CameraStreamFormat: Sendable, Hashable {
    public var pixelFormat: CameraPixelFormat
    public var size: PixelSize
    /// Pictures a second that the driver promised.
    public var rate: Rational
    /// Bytes from one row to the next, of packed formats or the luma plane; 0 when the driver does not say.
    public var bytesPerRow: Int
    public var isBT709: Bool
    public var isFullRange: Bool

    public init(
        pixelFormat: CameraPixelFormat, size: PixelSize, rate: Rational, bytesPerRow: Int, isBT709: Bool,
        isFullRange: Bool
    ) {
        (self.pixelFormat, self.size, self.rate) = (pixelFormat, size, rate)
        (self.bytesPerRow, self.isBT709, self.isFullRange) = (bytesPerRow, isBT709, isFullRange)
    }
}
