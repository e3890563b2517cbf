public import EditorCore
internal import Glibc
internal import Synchronization

/// A thread that keeps a speaker playing, silence included, so that it is always known what is heard when. Safe on any
/// thread.
public final class SpeakerPlayback: Sendable {
    /// What messages call it.
    public let label: String
    /// Seconds from writing a sample to hearing it, at most.
    public let latency: Double
    private let thread: WorkerThread
    private let signal: WakeSignal
    private let isStopped = Atomic<Bool>(false)

    private static let blockSize = 480

    /// - Parameters:
    ///   - name: ALSA's name of the device.
    ///   - fill: called on the playback thread with silence, 48 kHz stereo, and the time at which its first sample will
    ///     be heard.
    /// - Throws: `EditorError` that names the device.
    public init(_ name: String, fill: @escaping @Sendable (inout AudioBuffer, MonotonicTime) -> Void) throws {
        let device = try SoundDevice(name, .playback)
        guard device.rate == AudioFormat.sampleRate else {
            throw EditorError(
                .unavailable, "the \(device.label) does not play 48 kHz; name it as plug:\(name) with --speaker")
        }
        let signal = WakeSignal()
        self.signal = signal
        label = device.label
        latency = Double(device.bufferSize) / Double(device.rate)
        thread = try WorkerThread { Self.run(device, signal, fill) }
    }

    deinit { stop() }

    /// Stops playing and waits until it has. Not from within `fill`.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        signal.give()
        thread.join()
    }

    private static func run(
        _ device: SoundDevice, _ signal: WakeSignal, _ fill: (inout AudioBuffer, MonotonicTime) -> Void
    ) {
        var block = AudioBuffer(sampleCount: 0)
        while true {
            if device.wait(signal, milliseconds: 20) == .woken { return }
            var available = device.available()
            if available == -Int(EPIPE) {
                guard device.prepare() else { return }
                available = device.available()
            }
            // A speaker that is gone makes no sound, and recording does without.
            guard available >= 0 else { return }
            while available >= blockSize {
                block.clear(sampleCount: blockSize)
                fill(&block, .now + Double(device.delay() ?? 0) / Double(device.rate))
                var done = 0
                while done < blockSize {
                    let put = device.write(block, from: done)
                    if put <= 0 { break }
                    done += put
                }
                available -= blockSize
            }
        }
    }
}
