extension AudioBuffer {
    /// Multiplies all samples by one gain.
    public mutating func scale(by gain: Float) {
        guard gain != 1 else { return }
        for channel in channels.indices {
            channels[channel].withUnsafeMutableBufferPointer { samples in
                for i in 0..<samples.count { samples[i] *= gain }
            }
        }
    }

    /// Multiplies each sample by its gain; `gains` is as long as the buffer.
    public mutating func scale(by gains: SampleGains) {
        precondition(gains.count == sampleCount, "a gain for every sample")
        gains.values.withUnsafeBufferPointer { gains in
            for channel in channels.indices {
                channels[channel].withUnsafeMutableBufferPointer { samples in
                    for i in 0..<samples.count { samples[i] *= gains[i] }
                }
            }
        }
    }

    /// Adds `other` from this buffer's sample `offset` on, with one gain. What reaches beyond this buffer's end is left
    /// out.
    public mutating func add(_ other: AudioBuffer, at offset: Int = 0, gain: Float = 1) {
        let count = min(other.sampleCount, sampleCount - offset)
        guard count > 0, gain != 0 else { return }
        for channel in 0..<min(channels.count, other.channels.count) {
            other.channels[channel].withUnsafeBufferPointer { source in
                channels[channel].withUnsafeMutableBufferPointer { samples in
                    let target = UnsafeMutableBufferPointer(rebasing: samples[offset..<offset + count])
                    for i in 0..<count { target[i] += source[i] * gain }
                }
            }
        }
    }

    /// Adds `other` from this buffer's sample `offset` on, each sample with its gain; `gains` is as long as `other`.
    /// What reaches beyond this buffer's end is left out.
    public mutating func add(_ other: AudioBuffer, at offset: Int = 0, gains: SampleGains) {
        precondition(gains.count == other.sampleCount, "a gain for every sample")
        let count = min(other.sampleCount, sampleCount - offset)
        guard count > 0 else { return }
        gains.values.withUnsafeBufferPointer { gains in
            for channel in 0..<min(channels.count, other.channels.count) {
                other.channels[channel].withUnsafeBufferPointer { source in
                    channels[channel].withUnsafeMutableBufferPointer { samples in
                        let target = UnsafeMutableBufferPointer(rebasing: samples[offset..<offset + count])
                        for i in 0..<count { target[i] += source[i] * gains[i] }
                    }
                }
            }
        }
    }

    /// Copies the whole of `other` over this buffer's samples from `offset` on.
    public mutating func replace(at offset: Int, with other: AudioBuffer) {
        for channel in 0..<min(channels.count, other.channels.count) {
            channels[channel].replaceSubrange(offset..<offset + other.sampleCount, with: other.channels[channel])
        }
    }
}
