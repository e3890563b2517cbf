/// Finds the factor that brings a movie's sound to its loudness target: the first of two passes over the sound.
///
/// Sound that stays under the ceiling needs one look. Where the limiter has to work it takes loudness away, so what comes
/// out of it is measured, too, and the factor corrected, a few times at most. Nothing is kept but the meter's numbers.
package struct LoudnessPass {
    private let plan: RenderPlan
    private let library: any MediaLibrary
    private let shouldStop: () throws -> Bool

    /// Looks at what comes out of the limiter.
    private static let corrections = 3
    /// A result this near to the target, in LU, is not corrected.
    private static let tolerance = 0.1
    /// Corrections may add up to so many dB: sound that needs more is made of peaks, and would be crushed.
    private static let largestCorrection = 9.0
    private static let blockLength = 8192

    /// - Parameter shouldStop: asked for every block; throws when the render was cancelled.
    package init(_ plan: RenderPlan, library: any MediaLibrary, shouldStop: @escaping () throws -> Bool) {
        self.plan = plan
        self.library = library
        self.shouldStop = shouldStop
    }

    /// The factor; 1 without a target, for silence and for sound that is too short to have a loudness. nil when it was
    /// told to stop.
    package func level() throws -> Double? {
        guard let target = plan.loudness else { return 1 }
        guard let source = try measure(level: 1, isLimited: false) else { return nil }
        guard let loudness = source.integrated else { return 1 }
        let plain = target.target - loudness
        var decibels = plain
        guard (source.truePeak ?? -.infinity) + plain > target.truePeak else { return Decibels.gain(plain) }
        for _ in 0..<Self.corrections {
            guard let limited = try measure(level: Decibels.gain(decibels), isLimited: true) else { return nil }
            guard let reached = limited.integrated, abs(target.target - reached) > Self.tolerance else { break }
            decibels = min(decibels + target.target - reached, plain + Self.largestCorrection)
        }
        return Decibels.gain(decibels)
    }

    private func measure(level: Double, isLimited: Bool) throws -> LoudnessReading? {
        let meter = try library.makeLoudnessMeter()
        let mixer = AudioMixer(plan, library: library, level: level, isLimited: isLimited)
        var buffer = AudioBuffer(sampleCount: 0)
        var position = 0
        while position < plan.sampleCount {
            if try shouldStop() { return nil }
            buffer.clear(sampleCount: min(Self.blockLength, plan.sampleCount - position))
            try mixer.fill(&buffer)
            try meter.add(buffer)
            position += buffer.sampleCount
        }
        return try meter.reading()
    }
}

extension LoudnessReading {
    /// As bytes that a store can keep, and back; nil for bytes that are something else.
    var packet: EncodedPacket {
        let numbers = [integrated, truePeak].map { ($0 ?? .nan).bitPattern }
        let bytes = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return EncodedPacket(data: bytes, pts: 0, dts: 0, duration: 0, isKey: true)
    }

    init?(_ packet: EncodedPacket?) {
        guard let bytes = packet?.data, bytes.count == 16 else { return nil }
        let numbers = (0..<2).map { index in
            Double(bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[index * 8 + $1]) << ($1 * 8) })
        }
        self.init(
            integrated: numbers[0].isNaN ? nil : numbers[0], truePeak: numbers[1].isNaN ? nil : numbers[1])
    }
}
