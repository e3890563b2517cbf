internal import Glibc

/// Keeps the true peak of a sound under a ceiling, by looking ahead and turning all channels down together.
///
/// The gain falls along a Hann-shaped slope within the 3 ms before a peak, stays for 10 ms so that a steady low tone
/// is not bent by it, and comes back exponentially. Sound whose peaks lie under the ceiling passes bit for bit. The
/// output is `latency` samples late; blocks of any lengths give the same output. Samples that are no numbers, or of
/// magnitudes that no sound has, become 0.
///
/// Use one instance for one run of sound, from one thread.
package final class TruePeakLimiter {
    /// Samples from the first sign of a peak to the peak.
    static let lookahead = 144
    /// Samples the gain stays down after a peak: half a period of 50 Hz.
    static let hold = 480
    /// Seconds in which what is left of the reduction falls to 1/e.
    static let release = 0.15
    /// Samples worked on at once; bounds the memory.
    private static let chunk = 1024

    /// Largest magnitude that comes out.
    private let ceiling: Float
    /// Magnitude of samples up to which no interpolated peak can pass the ceiling.
    private let harmless: Float
    /// Hann weights that sum to 1.
    private let slope: [Float]
    private var filter = TruePeakFilter()

    /// For each channel `latency` samples of the past, then the chunk.
    private var lines: [[Float]]
    /// `lookahead - 1` depths of the past, then the chunk's. A depth is 1 minus a gain.
    private var depths: [Float]
    private var peaks: [Float]
    private var gains: [Float]
    private var follower: DepthFollower
    private var priming: AudioBuffer
    private var isPrimed = false

    /// Samples by which the output is later than the input.
    package var latency: Int { Self.lookahead - 1 + TruePeakFilter.halfLength }

    /// - Parameters:
    ///   - ceiling: largest true peak of the output, in dBTP.
    ///   - channelCount: channels of every buffer; they get one common gain.
    package init(ceiling: Double = -1, channelCount: Int = AudioFormat.channelCount) {
        self.ceiling = Float(Decibels.gain(ceiling))
        harmless = self.ceiling / filter.largestOvershoot
        follower = DepthFollower(
            ceiling: self.ceiling, hold: Self.lookahead + Self.hold,
            release: Self.release * Double(AudioFormat.sampleRate))
        let raw = (0..<Self.lookahead).map { 1 - cos(2 * .pi * (Double($0) + 0.5) / Double(Self.lookahead)) }
        slope = raw.map { Float($0 / raw.reduce(0, +)) }
        let past = Self.lookahead - 1 + TruePeakFilter.halfLength
        lines = Array(repeating: Array(repeating: 0, count: past + Self.chunk), count: channelCount)
        depths = Array(repeating: 0, count: Self.lookahead - 1 + Self.chunk)
        peaks = Array(repeating: 0, count: Self.chunk)
        gains = Array(repeating: 1, count: Self.chunk)
        priming = AudioBuffer(channelCount: channelCount, sampleCount: 0)
    }

    /// Fills `buffer` with the next limited samples, without delay: `source` is asked for the same number of samples,
    /// and before the first block for `latency` samples more. Past the end of its sound it gives silence.
    package func fill(_ buffer: inout AudioBuffer, from source: (inout AudioBuffer) throws -> Void) rethrows {
        if !isPrimed {
            priming.clear(sampleCount: latency)
            try source(&priming)
            process(&priming)
            isPrimed = true
        }
        try source(&buffer)
        process(&buffer)
    }

    /// Replaces the samples by the limited ones of `latency` samples ago, silence at first.
    package func process(_ buffer: inout AudioBuffer) {
        precondition(buffer.channels.count == lines.count, "the limiter was made for \(lines.count) channels")
        var first = 0
        while first < buffer.sampleCount {
            let count = min(Self.chunk, buffer.sampleCount - first)
            processChunk(&buffer, first..<first + count)
            first += count
        }
    }

    private func processChunk(_ buffer: inout AudioBuffer, _ range: Range<Int>) {
        let count = range.count
        let largest = takeIn(buffer, range)
        measure(count: count, largest: largest)
        let isActive = followPeaks(count: count)
        if isActive { smooth(count: count) }
        for channel in lines.indices {
            lines[channel].withUnsafeMutableBufferPointer { line in
                buffer.channels[channel].withUnsafeMutableBufferPointer { samples in
                    let out = UnsafeMutableBufferPointer(rebasing: samples[range])
                    if isActive {
                        gains.withUnsafeBufferPointer { gains in
                            for i in 0..<count { out[i] = line[i] * gains[i] }
                        }
                    } else {
                        for i in 0..<count { out[i] = line[i] }
                    }
                }
                for i in 0..<latency { line[i] = line[i + count] }
            }
        }
        depths.withUnsafeMutableBufferPointer { depths in
            for i in 0..<Self.lookahead - 1 { depths[i] = depths[i + count] }
        }
    }

    /// Appends samples to the lines; returns the largest magnitude in the lines.
    private func takeIn(_ buffer: AudioBuffer, _ range: Range<Int>) -> Float {
        var largest: Float = 0
        for channel in lines.indices {
            lines[channel].withUnsafeMutableBufferPointer { line in
                let new = UnsafeMutableBufferPointer(rebasing: line[latency..<latency + range.count])
                buffer.channels[channel].withUnsafeBufferPointer { samples in
                    for i in 0..<range.count {
                        let sample = samples[range.lowerBound + i]
                        new[i] = abs(sample) < 1e9 ? sample : 0
                    }
                }
                for i in 0..<latency + range.count {
                    let magnitude = abs(line[i])
                    largest = largest < magnitude ? magnitude : largest
                }
            }
        }
        return largest
    }

    /// Finds the true peak after each sample that has come into the filter's reach.
    private func measure(count: Int, largest: Float) {
        peaks.withUnsafeMutableBufferPointer { peaks in
            let peaks = UnsafeMutableBufferPointer(rebasing: peaks[..<count])
            for i in 0..<count { peaks[i] = 0 }
            guard largest > harmless else { return }
            let first = latency - 2 * TruePeakFilter.halfLength + 1
            for line in lines {
                line.withUnsafeBufferPointer { filter.raise(peaks, by: UnsafeBufferPointer(rebasing: $0[first...])) }
            }
        }
    }

    /// Turns peaks into depths. Returns false when the whole chunk passes unchanged.
    private func followPeaks(count: Int) -> Bool {
        let past = Self.lookahead - 1
        return peaks.withUnsafeBufferPointer { peaks in
            depths.withUnsafeMutableBufferPointer { depths in
                let isActive = follower.isActive(within: past)
                let isNewlyActive = follower.follow(
                    UnsafeBufferPointer(rebasing: peaks[..<count]),
                    into: UnsafeMutableBufferPointer(rebasing: depths[past..<past + count]))
                return isActive || isNewlyActive
            }
        }
    }

    private func smooth(count: Int) {
        gains.withUnsafeMutableBufferPointer { gains in
            let gains = UnsafeMutableBufferPointer(rebasing: gains[..<count])
            depths.withUnsafeBufferPointer { depths in
                slope.withUnsafeBufferPointer { FiniteFilter.apply($0, to: depths, into: gains) }
            }
            for i in 0..<count { gains[i] = 1 - gains[i] }
        }
    }
}
