public import EditorCore
internal import Glibc
internal import Synchronization

/// When a picture was taken.
public struct CameraStamp: Sendable, Hashable {
    public var time: MonotonicTime
    /// The driver's count of pictures since the camera was started.
    public var sequence: UInt32
    /// Pictures that were lost or damaged since the one before.
    public var lostBefore: Int
}

/// What happens to a running camera.
public enum CameraEvent: Sendable {
    /// It is gone; nothing more comes.
    case lost(EditorError)
    /// It has given nothing for a while; it may come back.
    case stalled(EditorError)
    /// It gives pictures again.
    case resumed
    /// Something that should be known once.
    case note(Finding)
}

/// A thread that takes pictures from a camera. Safe on any thread.
public final class CameraCapture: Sendable {
    public let device: CameraDevice
    public let format: CameraStreamFormat
    private let thread: WorkerThread
    private let signal: WakeSignal
    private let isStopped = Atomic<Bool>(false)

    /// A camera that gives nothing for so many milliseconds has stalled.
    private static let patience: Int32 = 2000

    /// Starts the camera.
    /// - Parameters:
    ///   - deliver: called on the capture thread with the bytes of each whole picture, which are valid during the call.
    ///     While it runs, further pictures wait in the driver's buffers.
    ///   - report: called on the capture thread.
    /// - Throws: `EditorError` that names the device.
    public init(
        _ device: CameraDevice, mode: CameraMode, deliver: @escaping @Sendable (Span<UInt8>, CameraStamp) -> Void,
        report: @escaping @Sendable (CameraEvent) -> Void
    ) throws {
        let stream = try CameraStream(device, mode: mode)
        let signal = WakeSignal()
        self.device = device
        self.signal = signal
        format = stream.format
        thread = try WorkerThread {
            Self.run(stream, signal, deliver: deliver, report: report)
        }
    }

    deinit { stop() }

    /// Stops the camera and waits until it has; nothing is delivered afterwards. Not from within `deliver` or `report`.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        signal.give()
        thread.join()
    }

    private static func run(
        _ stream: CameraStream, _ signal: WakeSignal, deliver: (Span<UInt8>, CameraStamp) -> Void,
        report: (CameraEvent) -> Void
    ) {
        let label = stream.device.label
        var (isStalled, hasToldOfStamps) = (false, false)
        var lastSequence: UInt32?
        var lost = 0
        while true {
            switch stream.wait(signal, milliseconds: patience) {
            case .woken: return
            case .failed(let code):
                return report(.lost(CameraDevice.error(code, label, doing: "stopped giving pictures")))
            case .timeout:
                guard !isStalled else { continue }
                isStalled = true
                report(
                    .stalled(
                        EditorError(
                            .ioFailed,
                            "the \(label) has given no picture for \(patience / 1000) s; check its cable, or unplug it and plug it in again"
                        )))
                continue
            case .picture: break
            }
            let picture: CameraStream.Picture
            switch stream.take() {
            case .nothing:
                // A driver that says "ready" without a picture must not keep a core busy.
                usleep(1000)
                continue
            case .failed(let code):
                return report(.lost(CameraDevice.error(code, label, doing: "stopped giving pictures")))
            case .picture(let taken): picture = taken
            }
            if isStalled {
                isStalled = false
                report(.resumed)
            }
            if let lastSequence {
                // The count wraps; what lies before is a driver that counts anew.
                let step = picture.sequence &- lastSequence
                if step > 1, step < 1 << 20 { lost += Int(step) - 1 }
            }
            lastSequence = picture.sequence
            if picture.isDamaged {
                lost += 1
            } else {
                if picture.time == nil, !hasToldOfStamps {
                    hasToldOfStamps = true
                    report(
                        .note(
                            Finding(
                                .warning, code: "camera.stamps",
                                "the \(label) does not tell when its pictures were taken; the time of their arrival is used"
                            )))
                }
                let stamp = CameraStamp(
                    time: picture.time ?? .now, sequence: picture.sequence, lostBefore: lost)
                lost = 0
                stream.withBytes(picture) { deliver($0, stamp) }
            }
            if let code = stream.giveBack(picture) {
                return report(.lost(CameraDevice.error(code, label, doing: "stopped giving pictures")))
            }
        }
    }
}
