internal import CEbur128
internal import EditorCore

/// libebur128 on the working sound. Belongs to one thread.
///
/// It keeps one number for every 100 ms: 0.3 MB an hour.
final class LoudnessGauge: LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let measuresPeak: Bool
    private var frames: [Float] = []

    /// - Parameter measuresPeak: whether the true peak is wanted, too; it takes most of the time.
    /// - Throws: `EditorError` when memory is short.
    init(measuresPeak: Bool = true) throws {
        self.measuresPeak = measuresPeak
        let mode = measuresPeak ? editor_EBUR128_INTEGRATED_AND_PEAK : editor_EBUR128_INTEGRATED
        state = ebur128_init(UInt32(AudioFormat.channelCount), UInt(AudioFormat.sampleRate), mode)
        guard state != nil else { throw EditorError(.ioFailed, "ebur128_init failed: memory is short") }
    }

    deinit { ebur128_destroy(&state) }

    func add(_ buffer: AudioBuffer) throws {
        let count = buffer.sampleCount
        guard count > 0 else { return }
        if frames.count < 2 * count { frames = Array(repeating: 0, count: 2 * count) }
        let (left, right) = (buffer.channels[0], buffer.channels[buffer.channels.count - 1])
        frames.withUnsafeMutableBufferPointer { frames in
            for i in 0..<count {
                frames[2 * i] = left[i]
                frames[2 * i + 1] = right[i]
            }
        }
        guard ebur128_add_frames_float(state, frames, count) == editor_EBUR128_SUCCESS else {
            throw EditorError(.ioFailed, "ebur128_add_frames_float failed: memory is short")
        }
    }

    func reading() throws -> LoudnessReading {
        var reading = LoudnessReading()
        var value = 0.0
        if ebur128_loudness_global(state, &value) == editor_EBUR128_SUCCESS, value.isFinite {
            reading.integrated = value
        }
        guard measuresPeak else { return reading }
        var peak = 0.0
        for channel in 0..<UInt32(AudioFormat.channelCount)
        where ebur128_true_peak(state, channel, &value) == editor_EBUR128_SUCCESS {
            peak = max(peak, value)
        }
        if peak > 0 { reading.truePeak = Decibels.level(peak) }
        return reading
    }
}
