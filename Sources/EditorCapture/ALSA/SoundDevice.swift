internal import CCapture
internal import EditorCore
internal import Glibc

/// An open ALSA device, capturing or playing. Belongs to one thread at a time.
///
/// The only file that calls libasound.
final class SoundDevice {
    enum Direction { case capture, playback }

    /// What messages call it.
    let label: String
    let channelCount: Int
    /// Samples a second.
    let rate: Int
    /// Samples that the device's buffer holds.
    let bufferSize: Int
    private let pcm: OpaquePointer
    private let format: snd_pcm_format_t
    private var bytes: [UInt8] = []

    /// - Parameter name: ALSA's name of it, such as `default` or `hw:1,0`.
    /// - Throws: `EditorError` that names the device.
    init(_ name: String, _ direction: Direction) throws {
        Self.beQuiet()
        label = "\(direction == .capture ? "microphone" : "speaker") \(name)"
        var opened: OpaquePointer?
        let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        let result = snd_pcm_open(&opened, name, stream, Int32(SND_PCM_NONBLOCK))
        guard result >= 0, let opened else { throw Self.error(result, label, doing: "cannot be opened") }
        pcm = opened
        do {
            let settings = try Self.configure(opened, label, direction)
            (format, channelCount, rate, bufferSize) = settings
        } catch {
            snd_pcm_close(opened)
            throw error
        }
    }

    deinit { snd_pcm_close(pcm) }

    private static func beQuiet() { _ = silence }
    private static let silence: Void = { editor_alsa_be_quiet() }()

    private static func configure(_ pcm: OpaquePointer, _ label: String, _ direction: Direction) throws -> (
        snd_pcm_format_t, Int, Int, Int
    ) {
        func require(_ result: Int32, _ doing: String) throws {
            if result < 0 { throw error(result, label, doing: doing) }
        }
        var parameters: OpaquePointer?
        try require(snd_pcm_hw_params_malloc(&parameters), "cannot be set up")
        defer { snd_pcm_hw_params_free(parameters) }
        try require(snd_pcm_hw_params_any(pcm, parameters), "cannot be set up")
        try require(
            snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED), "cannot be read in blocks")
        let formats = [SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE]
        guard let format = formats.first(where: { snd_pcm_hw_params_set_format(pcm, parameters, $0) >= 0 }) else {
            throw error(-EINVAL, label, doing: "has a sample format of its own; name it as plug:… with --microphone")
        }
        var channels = UInt32(AudioFormat.channelCount)
        try require(snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels), "cannot be set up")
        var rate = UInt32(AudioFormat.sampleRate)
        try require(snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "cannot be set up")
        // Half a second of sound may wait to be read; what is played should be heard soon.
        var buffer = snd_pcm_uframes_t(direction == .capture ? rate / 2 : rate / 12)
        try require(snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer), "cannot be set up")
        var period = snd_pcm_uframes_t(rate / 100)
        try require(snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil), "cannot be set up")
        try require(snd_pcm_hw_params(pcm, parameters), "cannot be set up")
        var size = snd_pcm_uframes_t(0)
        snd_pcm_hw_params_get_buffer_size(parameters, &size)
        return (format, Int(channels), Int(rate), Int(size))
    }

    /// A sentence for a failed call.
    static func error(_ code: Int32, _ label: String, doing: String) -> EditorError {
        let words = String(cString: snd_strerror(code))
        let option = label.hasPrefix("speaker") ? "--speaker" : "--microphone"
        switch -code {
        case ENOENT, ENODEV, ENXIO:
            return EditorError(
                .missingInput,
                "the \(label) \(doing): it is not there (\(words)); plug it in, choose another with \(option), or none with \(option) none"
            )
        case EBUSY:
            return EditorError(
                .unavailable,
                "the \(label) \(doing): another program uses it (\(words)); close that one, choose another with \(option), or none with \(option) none"
            )
        case EACCES, EPERM:
            return EditorError(
                .unavailable,
                "the \(label) \(doing): \(words); add yourself to the group audio (sudo usermod -aG audio $USER) and log in anew"
            )
        default:
            return EditorError(
                .unavailable,
                "the \(label) \(doing): \(words); choose another with \(option), or none with \(option) none")
        }
    }

    /// - Throws: `EditorError` that names the device.
    func start() throws {
        let result = snd_pcm_start(pcm)
        if result < 0 { throw Self.error(result, label, doing: "cannot be started") }
    }

    enum Wait { case ready, timeout, woken }

    func wait(_ signal: WakeSignal, milliseconds: Int32) -> Wait {
        let count = max(0, snd_pcm_poll_descriptors_count(pcm))
        var files = [pollfd](repeating: pollfd(), count: Int(count) + 1)
        snd_pcm_poll_descriptors(pcm, &files, UInt32(count))
        files[Int(count)] = pollfd(fd: signal.file, events: Int16(POLLIN), revents: 0)
        let result = poll(&files, nfds_t(files.count), milliseconds)
        if result < 0 { return .timeout }
        if files[Int(count)].revents != 0 { return .woken }
        if result == 0 { return .timeout }
        var events: UInt16 = 0
        snd_pcm_poll_descriptors_revents(pcm, &files, UInt32(count), &events)
        // A lasting error must not become a busy loop; reading finds out what it is.
        return events == 0 ? .timeout : .ready
    }

    /// Samples that can be read, or written; a negative error number when the device has stopped.
    func available() -> Int { Int(snd_pcm_avail(pcm)) }

    /// Samples that were written and are not heard yet.
    func delay() -> Int? {
        var delay = snd_pcm_sframes_t(0)
        return snd_pcm_delay(pcm, &delay) < 0 ? nil : Int(delay)
    }

    /// Reads up to `count` samples as stereo; one channel sounds on both sides.
    /// - Returns: how many; a negative error number when the device has stopped.
    func read(_ count: Int, into buffer: inout AudioBuffer) -> Int {
        let width = format == SND_PCM_FORMAT_S16_LE ? 2 : 4
        let needed = count * channelCount * width
        if bytes.count < needed { bytes = [UInt8](repeating: 0, count: needed) }
        let got = bytes.withUnsafeMutableBytes { Int(snd_pcm_readi(pcm, $0.baseAddress, snd_pcm_uframes_t(count))) }
        guard got > 0 else { return got == -Int(EAGAIN) ? 0 : got }
        buffer.clear(sampleCount: got)
        bytes.withUnsafeBytes { raw in
            for channel in buffer.channels.indices {
                let source = min(channel, channelCount - 1)
                for index in 0..<got {
                    let offset = (index * channelCount + source) * width
                    buffer.channels[channel][index] =
                        switch format {
                        case SND_PCM_FORMAT_S16_LE:
                            Float(raw.loadUnaligned(fromByteOffset: offset, as: Int16.self)) / 32768
                        case SND_PCM_FORMAT_S32_LE:
                            Float(raw.loadUnaligned(fromByteOffset: offset, as: Int32.self)) / 2_147_483_648
                        default: raw.loadUnaligned(fromByteOffset: offset, as: Float.self)
                        }
                }
            }
        }
        return got
    }

    /// Writes as many of the stereo samples as there is room for, from `first` on.
    /// - Returns: how many; a negative error number when the device has stopped.
    func write(_ buffer: AudioBuffer, from first: Int = 0) -> Int {
        let count = buffer.sampleCount - first
        let width = format == SND_PCM_FORMAT_S16_LE ? 2 : 4
        let needed = count * channelCount * width
        if bytes.count < needed { bytes = [UInt8](repeating: 0, count: needed) }
        bytes.withUnsafeMutableBytes { raw in
            for channel in 0..<channelCount {
                let source = min(channel, buffer.channels.count - 1)
                for index in 0..<count {
                    let offset = (index * channelCount + channel) * width
                    let sample = max(-1, min(1, buffer.channels[source][first + index]))
                    switch format {
                    case SND_PCM_FORMAT_S16_LE:
                        raw.storeBytes(of: Int16(sample * 32767), toByteOffset: offset, as: Int16.self)
                    case SND_PCM_FORMAT_S32_LE:
                        raw.storeBytes(
                            of: Int32(Double(sample) * 2_147_483_647), toByteOffset: offset, as: Int32.self)
                    default: raw.storeBytes(of: sample, toByteOffset: offset, as: Float.self)
                    }
                }
            }
        }
        let put = bytes.withUnsafeBytes { Int(snd_pcm_writei(pcm, $0.baseAddress, snd_pcm_uframes_t(count))) }
        return put == -Int(EAGAIN) ? 0 : put
    }

    /// Gets a playing device that ran out of sound ready to be written to.
    func prepare() -> Bool { snd_pcm_prepare(pcm) >= 0 }

    /// Gets a device that overran going again. Returns false when it is beyond that.
    func restart() -> Bool { snd_pcm_prepare(pcm) >= 0 && snd_pcm_start(pcm) >= 0 }

    // MARK: What there is

    /// Names and descriptions of the devices of one direction.
    static func entries(_ direction: Direction) -> [(name: String, description: String)] {
        beQuiet()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let list = hints else { return [] }
        defer { snd_device_name_free_hint(list) }
        func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
            guard let value = snd_device_name_get_hint(hint, key) else { return nil }
            defer { free(value) }
            return String(cString: value)
        }
        var found: [(String, String)] = []
        var index = 0
        while let hint = list[index] {
            index += 1
            let way = text(hint, "IOID")
            guard way == nil || way == (direction == .capture ? "Input" : "Output"), let name = text(hint, "NAME"),
                name != "null"
            else { continue }
            let words = (text(hint, "DESC") ?? "").split(separator: "\n").joined(separator: ", ")
            found.append((name, words))
        }
        return found
    }
}
