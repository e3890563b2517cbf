internal import EditorCore

extension ContractCheck {
    /// What two runs may differ by: sums in another order, at full scale.
    private static let tolerance: Float = 1e-4

    mutating func audio(_ a: any AudioEffect, _ b: any AudioEffect, isNeutral: Bool, place: String) throws {
        let input = Self.noise()
        let even = try run(a, over: input, blocks: [1024], isNeutral: isNeutral, place: place)
        let odd = try run(b, over: input, blocks: [1, 7, 480, 1024, 333], isNeutral: isNeutral, place: place)
        guard let even, let odd else { return }
        for channel in even.channels.indices {
            let worst = zip(even.channels[channel], odd.channels[channel]).reduce(Float(0)) {
                max($0, abs($1.0 - $1.1))
            }
            if !(worst <= Self.tolerance) {
                fail("\(place): another instance or block length gives a result that differs by \(worst)")
            }
        }
    }

    /// The whole active range in blocks whose lengths go round `blocks`.
    private mutating func run(
        _ effect: any AudioEffect, over input: AudioBuffer, blocks: [Int], isNeutral: Bool, place: String
    ) throws -> AudioBuffer? {
        let first = Int(Self.activeRange.start.ticksRounded(per: AudioFormat.rate))
        var result = AudioBuffer(channels: input.channels.map { _ in [] })
        var (done, block) = (0, 0)
        while done < input.sampleCount {
            let count = min(blocks[block % blocks.count], input.sampleCount - done)
            let before = AudioBuffer(channels: input.channels.map { Array($0[done..<done + count]) })
            var buffer = before
            let index = first + done
            let time = EffectTime(
                time: AudioFormat.rate.duration(ofTicks: Int64(index)), index: index, activeRange: Self.activeRange)
            let mustStay = isNeutral || effect.isIdentity(at: time)
            try effect.process(&buffer, at: time)
            guard buffer.channels.count == before.channels.count, buffer.channels.allSatisfy({ $0.count == count })
            else {
                fail("\(place), sample \(index): gives back a block of another shape")
                return nil
            }
            if !buffer.channels.allSatisfy({ $0.allSatisfy(\.isFinite) }) {
                fail("\(place), sample \(index): gives NaN or infinity")
                return nil
            }
            if mustStay, buffer.channels != before.channels {
                fail(
                    "\(place), sample \(index): changes the sound \(isNeutral ? "with neutral parameters" : "where it says it does not")"
                )
            }
            for channel in buffer.channels.indices { result.channels[channel] += buffer.channels[channel] }
            done += count
            block += 1
        }
        return result
    }

    private static func noise() -> AudioBuffer {
        var random = SplitMix64(3)
        let count = Int(activeRange.duration.ticksRounded(per: AudioFormat.rate))
        return AudioBuffer(
            channels: (0..<AudioFormat.channelCount).map { _ in
                (0..<count).map { _ in Float.random(in: -0.4...0.4, using: &random) }
            })
    }
}
