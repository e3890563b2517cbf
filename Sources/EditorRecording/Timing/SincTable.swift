internal import Glibc

/// Weights of a windowed sinc for reading sound between its samples.
package struct SincTable {
    /// Samples on each side of the place that is read.
    package static let reach = 16
    private static let phases = 512
    /// `phases + 1` rows of `2 * reach` weights.
    private let weights: [Float]

    /// - Parameter cutoff: of the source's band, 0…1; below 1 where the result has fewer samples than the source.
    package init(cutoff: Double) {
        let width = 2 * Self.reach
        var weights = [Float](repeating: 0, count: (Self.phases + 1) * width)
        for phase in 0...Self.phases {
            var row = [Double](repeating: 0, count: width)
            for tap in 0..<width {
                let x = Double(tap - Self.reach + 1) - Double(phase) / Double(Self.phases)
                let sinc = x == 0 ? 1 : sin(.pi * x * cutoff) / (.pi * x * cutoff)
                let place = x / Double(Self.reach)
                // Blackman's window: what it lets through beside the sinc lies 74 dB down.
                let window = abs(place) >= 1 ? 0 : 0.42 + 0.5 * cos(.pi * place) + 0.08 * cos(2 * .pi * place)
                row[tap] = sinc * window
            }
            // Constant sound stays as loud as it is at every phase.
            let sum = row.reduce(0, +)
            for tap in 0..<width { weights[phase * width + tap] = Float(row[tap] / sum) }
        }
        self.weights = weights
    }

    /// Weights for a place between two samples, `fraction` of the way (0…1); sample 0 of them lies `reach - 1` before.
    package func weights(at fraction: Double, into row: inout [Float]) {
        let width = 2 * Self.reach
        let place = fraction * Double(Self.phases)
        let phase = min(Self.phases - 1, Int(place))
        let rest = Float(place - Double(phase))
        for tap in 0..<width {
            let a = weights[phase * width + tap]
            row[tap] = a + (weights[(phase + 1) * width + tap] - a) * rest
        }
    }
}
