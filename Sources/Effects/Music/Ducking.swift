internal import EditorCore

/// Turns music down while other sound is loud.
///
/// The other sound's RMS is taken every 10 ms over the last 30 ms. From the threshold on, the music goes down along a
/// straight line in decibels; it comes back along another one after the sound has been quiet for half a second (or a
/// third of `fadeIn`, if that is shorter), so that it does not pump in the gaps between words. The 10 ms lie on the
/// movie's clock, so blocks of any lengths give the same gains.
struct Ducking {
    private static let hop = AudioFormat.sampleRate / 100
    private static let window = 3
    private static let longestHold = 0.5

    private let attenuation: Double
    /// Mean square from which the other sound counts.
    private let threshold: Double
    /// Hops of quiet after which the music begins to come back.
    private let hold: Int
    /// Shares of the whole way that one hop takes.
    private let fall: Double
    private let rise: Double

    private var energy = 0.0
    private var samples = 0
    private var recent = [Double](repeating: 0, count: window)
    private var quietHops = Int.max / 2
    /// How far the music is down where the current hop starts and where it ends: 0 not at all, 1 by `attenuation`.
    private var from = 0.0
    private var to = 0.0
    /// Number of the sample that comes next.
    private var next: Int?

    init(_ parameters: DuckingParameters) {
        attenuation = parameters.attenuation
        let amplitude = Decibels.gain(parameters.threshold)
        threshold = amplitude * amplitude
        let hopMilliseconds = 1000 * Double(Self.hop) / Double(AudioFormat.sampleRate)
        let hold = min(Self.longestHold * 1000, parameters.fadeIn / 3)
        self.hold = Int((hold / hopMilliseconds).rounded())
        fall = min(1, hopMilliseconds / max(parameters.fadeOut, 1e-9))
        rise = min(1, hopMilliseconds / max(parameters.fadeIn - hold, 1e-9))
    }

    /// Multiplies `gains` by the gains of the music over `sound`, which starts at the absolute sample `first`. The gains
    /// may cover a part of the sound only. Sound that does not follow on the last block starts afresh.
    mutating func follow(_ sound: AudioBuffer, from first: Int, gains: inout SampleGains) {
        if next != first { restart() }
        next = first + sound.sampleCount
        var position = first
        while position < first + sound.sampleCount {
            let hopStart = position - position % Self.hop
            let end = min(hopStart + Self.hop, first + sound.sampleCount)
            if from > 0 || to > 0 {
                let (from, to, attenuation) = (from, to, attenuation)
                gains.multiply(over: position..<end) { sample in
                    let share = from + (to - from) * Double(sample - hopStart) / Double(Self.hop)
                    return Decibels.gain(attenuation * share)
                }
            }
            listen(to: sound, position - first..<end - first)
            if end == hopStart + Self.hop { decide() }
            position = end
        }
    }

    private mutating func restart() {
        (energy, samples, from, to) = (0, 0, 0, 0)
        quietHops = .max / 2
        for i in recent.indices { recent[i] = 0 }
    }

    private mutating func listen(to sound: AudioBuffer, _ range: Range<Int>) {
        let (left, right) = (sound.channels[0], sound.channels[sound.channels.count - 1])
        for i in range {
            let (a, b) = (Double(left[i]), Double(right[i]))
            energy += (a * a + b * b) / 2
        }
        samples += range.count
    }

    /// At the end of a hop: where the music goes during the next one.
    private mutating func decide() {
        for i in 1..<recent.count { recent[i - 1] = recent[i] }
        recent[recent.count - 1] = energy / Double(max(samples, 1))
        (energy, samples) = (0, 0)
        let level = recent.reduce(0, +) / Double(recent.count)
        quietHops = level > threshold ? 0 : quietHops + 1
        from = to
        to = quietHops <= hold ? min(1, from + fall) : max(0, from - rise)
    }
}
