/// How loud a sound is over its time: the extremes and the power of short stretches, of any length of sound in bounded
/// memory.
public struct Waveform: Sendable {
    /// A stretch of one channel.
    public struct Stretch: Sendable, Hashable {
        public var least: Float = 0
        public var most: Float = 0
        var squares = 0.0
        var count = 0

        /// Root of the mean square.
        public var rms: Float { count == 0 ? 0 : Float((squares / Double(count)).squareRoot()) }

        fileprivate mutating func add(_ sample: Float) {
            if count == 0 { (least, most) = (sample, sample) }
            least = min(least, sample)
            most = max(most, sample)
            squares += Double(sample) * Double(sample)
            count += 1
        }

        fileprivate mutating func add(_ other: Stretch) {
            guard other.count > 0 else { return }
            if count == 0 { (least, most) = (other.least, other.most) }
            least = min(least, other.least)
            most = max(most, other.most)
            squares += other.squares
            count += other.count
        }
    }

    /// Stretches by channel; each holds `length` samples, the last one maybe fewer.
    private var stretches: [[Stretch]]
    private var length = 16
    public private(set) var sampleCount = 0

    private static let mostStretches = 1 << 16

    public init(channelCount: Int = AudioFormat.channelCount) {
        stretches = Array(repeating: [], count: channelCount)
    }

    public var channelCount: Int { stretches.count }

    /// Appends a block of sound.
    public mutating func add(_ buffer: AudioBuffer) {
        for offset in 0..<buffer.sampleCount {
            if sampleCount % length == 0 {
                if stretches[0].count == Self.mostStretches { halve() }
                if sampleCount % length == 0 {
                    for channel in stretches.indices { stretches[channel].append(Stretch()) }
                }
            }
            for channel in stretches.indices {
                stretches[channel][stretches[channel].count - 1].add(buffer.channels[channel][offset])
            }
            sampleCount += 1
        }
    }

    /// Puts neighbours together.
    private mutating func halve() {
        for channel in stretches.indices {
            stretches[channel] = stride(from: 0, to: stretches[channel].count, by: 2).map { index in
                var pair = stretches[channel][index]
                if index + 1 < stretches[channel].count { pair.add(stretches[channel][index + 1]) }
                return pair
            }
        }
        length *= 2
    }

    /// A channel in `count` columns of equal length, from the first sample to the last; of a sound with fewer stretches
    /// neighbours repeat.
    public func columns(_ count: Int, ofChannel channel: Int) -> [Stretch] {
        let all = stretches[channel]
        guard sampleCount > 0 else { return Array(repeating: Stretch(), count: count) }
        return (0..<count).map { column in
            let first = min(all.count - 1, column * sampleCount / count / length)
            let end = max(first + 1, min(all.count, ((column + 1) * sampleCount / count + length - 1) / length))
            return all[first..<end].reduce(into: Stretch()) { $0.add($1) }
        }
    }
}
