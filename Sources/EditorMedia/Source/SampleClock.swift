internal import EditorCore

/// Where the samples of a stream stand among those at 48 kHz.
struct SampleClock {
    /// Of the stream's first decoded sample, on the file's own clock.
    private let first: MediaTime
    /// Where the first decoded sample stands.
    let firstPlace: Int
    /// Samples of the stream, and at 48 kHz, after which both clocks meet again.
    private let step: (stream: Int, output: Int)
    private let rate: Int
    /// Where the sound ends, when the file tells that.
    var end: Int?

    /// - Parameters:
    ///   - origin: what counts as position 0.
    ///   - rate: samples a second of the stream.
    init(first: MediaTime, origin: MediaTime, rate: Int) {
        self.first = first
        self.rate = rate
        firstPlace = Int((first - origin).ticksRounded(per: AudioFormat.rate))
        let common = Self.commonDivisor(rate, AudioFormat.sampleRate)
        step = (rate / common, AudioFormat.sampleRate / common)
    }

    func place(of time: MediaTime) -> Int { firstPlace + Int((time - first).ticksRounded(per: AudioFormat.rate)) }

    func time(of place: Int) -> MediaTime {
        first + MediaTime(value: Int64(place - firstPlace), timescale: Int64(AudioFormat.sampleRate))
    }

    /// The first place at or after `time` where a sample of the stream meets one at 48 kHz, and how many samples of the
    /// stream come before it. A resampler that starts there gives what one that ran from the beginning gives.
    func stepPlace(atOrAfter time: MediaTime, _ rateThere: Int) -> (place: Int, skipped: Int) {
        guard rateThere == rate else { return (place(of: time), 0) }
        let sample = Int((time - first).ticksRounded(per: Rational(Int64(rate))))
        let steps = sample <= 0 ? 0 : (sample + step.stream - 1) / step.stream
        return (firstPlace + steps * step.output, max(0, steps * step.stream - sample))
    }

    private static func commonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : commonDivisor(b, a % b) }
}
