public import EditorCore
internal import Glibc
internal import Synchronization

/// A block of microphone sound, stereo, and what its device's clock said.
public struct MicrophoneBlock: Sendable {
    public var sound: AudioBuffer
    /// Number of the block's first sample since the device was started.
    public var position: Int64
    /// Raised each time that the device had to be started anew; positions count from 0 then.
    public var epoch: Int
    /// `capturedCount` samples had been captured when the clock was read; late by whatever kept the thread from reading.
    public var capturedCount: Int64
    public var readAt: MonotonicTime

    public init(sound: AudioBuffer, position: Int64, epoch: Int, capturedCount: Int64, readAt: MonotonicTime) {
        (self.sound, self.position, self.epoch) = (sound, position, epoch)
        (self.capturedCount, self.readAt) = (capturedCount, readAt)
    }
}

/// A thread that takes sound from a microphone. Safe on any thread.
public final class MicrophoneCapture: Sendable {
    /// What messages call it.
    public let label: String
    /// Samples a second.
    public let rate: Int
    private let thread: WorkerThread
    private let signal: WakeSignal
    private let isStopped = Atomic<Bool>(false)

    /// Starts the microphone.
    /// - Parameters:
    ///   - name: ALSA's name of the device.
    ///   - deliver: called on the capture thread, must be quick.
    ///   - lost: called on the capture thread once, when nothing more comes.
    /// - Throws: `EditorError` that names the device.
    public init(
        _ name: String, deliver: @escaping @Sendable (MicrophoneBlock) -> Void,
        lost: @escaping @Sendable (EditorError) -> Void
    ) throws {
        let device = try SoundDevice(name, .capture)
        let signal = WakeSignal()
        self.signal = signal
        label = device.label
        rate = device.rate
        try device.start()
        thread = try WorkerThread { Self.run(device, signal, deliver: deliver, lost: lost) }
    }

    deinit { stop() }

    /// Stops the microphone and waits until it has. Not from within `deliver` or `lost`.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        signal.give()
        thread.join()
    }

    private static func run(
        _ device: SoundDevice, _ signal: WakeSignal, deliver: (MicrophoneBlock) -> Void, lost: (EditorError) -> Void
    ) {
        var block = MicrophoneBlock(
            sound: AudioBuffer(sampleCount: 0), position: 0, epoch: 0, capturedCount: 0, readAt: .now)
        var lastSound = MonotonicTime.now
        while true {
            if device.wait(signal, milliseconds: 100) == .woken { return }
            let available = device.available()
            block.readAt = .now
            if available == -Int(EPIPE) {
                // Nobody read for longer than the buffer holds.
                guard device.restart() else {
                    return lost(SoundDevice.error(-ENODEV, device.label, doing: "stopped giving sound"))
                }
                (block.epoch, block.position) = (block.epoch + 1, 0)
                continue
            }
            guard available >= 0 else {
                return lost(SoundDevice.error(Int32(available), device.label, doing: "stopped giving sound"))
            }
            guard available > 0 else {
                if block.readAt - lastSound > 3 {
                    return lost(
                        EditorError(
                            .ioFailed,
                            "the \(device.label) has given no sound for 3 s; check its cable, or choose another with --microphone"
                        ))
                }
                continue
            }
            lastSound = block.readAt
            block.capturedCount = block.position + Int64(available)
            let got = device.read(available, into: &block.sound)
            if got == -Int(EPIPE) { continue }
            guard got >= 0 else {
                return lost(SoundDevice.error(Int32(got), device.label, doing: "stopped giving sound"))
            }
            guard got > 0 else { continue }
            deliver(block)
            block.position += Int64(got)
        }
    }
}

/// The microphones that there are.
public enum MicrophoneCatalog {
    public struct Entry: Sendable, Hashable {
        /// ALSA's name of it.
        public var name: String
        public var description: String
    }

    public static func entries() -> [Entry] {
        SoundDevice.entries(.capture).map { Entry(name: $0.name, description: $0.description) }
    }
}
