internal import CSDL
public import EditorCore

/// The machine's sound output: samples are queued and played one after another. Safe on any thread.
///
/// `@unchecked Sendable`: the device's number and the table of functions never change, and SDL locks the device inside
/// each of the calls.
public final class SoundDevice: SoundOutput, @unchecked Sendable {
    private let sdl: editor_sdl
    private let device: SDL_AudioDeviceID
    public let latency: Int

    private static let bytesPerSample = AudioFormat.channelCount * MemoryLayout<Float>.size

    /// - Throws: `EditorError` `.unavailable` without SDL or without a device.
    public init() throws {
        sdl = try SDLLibrary.open()
        guard sdl.InitSubSystem(SDL_INIT_AUDIO) == 0 else {
            throw EditorError(.unavailable, "there is no sound device: \(sdl.reason)")
        }
        var wanted = SDL_AudioSpec()
        wanted.freq = Int32(AudioFormat.sampleRate)
        wanted.format = editor_AUDIO_F32
        wanted.channels = UInt8(AudioFormat.channelCount)
        wanted.samples = 512
        var got = SDL_AudioSpec()
        // No change is allowed, so SDL converts where the device has another format.
        device = sdl.OpenAudioDevice(nil, 0, &wanted, &got, 0)
        // What left the queue is heard when the block before it has been played.
        latency = Int(got.samples)
        guard device != 0 else {
            defer { sdl.QuitSubSystem(SDL_INIT_AUDIO) }
            throw EditorError(.unavailable, "the sound device cannot be opened: \(sdl.reason)")
        }
    }

    deinit {
        guard device != 0 else { return }
        sdl.CloseAudioDevice(device)
        sdl.QuitSubSystem(SDL_INIT_AUDIO)
    }

    public var queuedSamples: Int { Int(sdl.GetQueuedAudioSize(device)) / Self.bytesPerSample }

    public func queue(_ buffer: AudioBuffer) {
        let count = buffer.sampleCount
        let (left, right) = (buffer.channels[0], buffer.channels[1])
        let samples = [Float](unsafeUninitializedCapacity: count * 2) { memory, filled in
            for i in 0..<count {
                memory[2 * i] = left[i]
                memory[2 * i + 1] = right[i]
            }
            filled = count * 2
        }
        _ = samples.withUnsafeBytes { sdl.QueueAudio(device, $0.baseAddress, UInt32($0.count)) }
    }

    public func clear() { sdl.ClearQueuedAudio(device) }

    public func setPlaying(_ isPlaying: Bool) { sdl.PauseAudioDevice(device, isPlaying ? 0 : 1) }
}
