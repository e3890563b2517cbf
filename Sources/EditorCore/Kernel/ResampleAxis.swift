/// How the samples of one axis of a plane become those of another, with a shift and a scale that need not be whole.
///
/// The filter is the cubic of Keys with a = −1/2 (Catmull–Rom): it passes through the samples, so a picture at its own
/// size and a whole offset is copied. When the picture shrinks it is stretched with it, which removes what is finer than
/// the result can show. Beyond its ends a plane repeats its outermost samples.
struct ResampleAxis {
    /// How samples lie along an axis, in pixels of luma: sample `k` at `k · step + site` from the picture's edge.
    struct Sampling {
        var step: Double
        var site: Double

        static let luma = Sampling(step: 1, site: 0.5)
        /// Left-sited chroma across: in the middle of every other pixel.
        static let chromaAcross = Sampling(step: 2, site: 0.5)
        /// And down: between two rows.
        static let chromaDown = Sampling(step: 2, site: 1)
    }

    /// Input samples that each output sample is made of.
    private(set) var taps = 0
    /// The first of them for each output sample.
    private(set) var starts: [Int] = []
    /// `taps` weights for each output sample, of sum 1.
    private(set) var weights: [Float] = []

    /// The input samples that are needed at all.
    var inputs: Range<Int> { starts.isEmpty ? 0..<0 : starts[0]..<starts[starts.count - 1] + taps }

    /// Fills the tables; they keep their memory from one move to the next.
    /// - Parameters:
    ///   - outputs: samples of the result, counted on the canvas.
    ///   - origin: where the picture's edge lies on the canvas, in luma pixels.
    ///   - scale: luma pixels of the picture per luma pixel of the canvas.
    ///   - count: samples of the picture along this axis, at least one.
    mutating func lay(
        _ outputs: Range<Int>, origin: Double, scale: Double, count: Int, _ sampling: Sampling
    ) {
        let stretch = max(1, scale)
        let support = 2 * stretch
        taps = min(count, Int((2 * support).rounded(.up)))
        starts.removeAll(keepingCapacity: true)
        weights.removeAll(keepingCapacity: true)
        for output in outputs {
            let place = (Double(output) * sampling.step + sampling.site - origin) * scale
            let middle = (place - sampling.site) / sampling.step
            let first = Int((middle - support).rounded(.down)) + 1
            let last = max(first, Int((middle + support).rounded(.up)) - 1)
            let start = min(max(first, 0), count - taps)
            starts.append(start)
            let base = weights.count
            for _ in 0..<taps { weights.append(0) }
            var sum: Float = 0
            for input in first...last {
                let weight = Float(Self.cubic(abs(Double(input) - middle) / stretch))
                weights[base + min(max(input, start), start + taps - 1) - start] += weight
                sum += weight
            }
            for tap in base..<base + taps { weights[tap] /= sum }
        }
    }

    private static func cubic(_ x: Double) -> Double {
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
        return 0
    }
}
