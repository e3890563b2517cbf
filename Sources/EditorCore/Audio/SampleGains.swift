/// A gain for every sample of a block: the product of volume, fades and whatever else moves a level.
///
/// Everything depends on the samples' absolute numbers alone, so that blocks of any length give the same gains. The
/// memory is kept from block to block.
public struct SampleGains: Sendable {
    /// Samples from one point to the next at which a curve is asked; between them the gain moves in a straight line.
    /// 32 samples are 0.7 ms: too short to hear as steps, long enough to make a curve cheap.
    public static let step = 32

    /// One gain a sample.
    public private(set) var values: [Float] = []
    /// Absolute number of the first sample.
    public private(set) var start = 0

    public init() {}

    public var count: Int { values.count }

    /// Begins a block of `count` samples from the absolute sample `start` on, all with one gain.
    public mutating func reset(from start: Int, count: Int, to gain: Float = 1) {
        self.start = start
        values.removeAll(keepingCapacity: true)
        values.append(contentsOf: repeatElement(gain, count: count))
    }

    /// Multiplies by a curve over absolute samples within `range`, or over the whole block.
    /// - Parameter curve: the gain at an absolute sample. It is asked at multiples of `step` only, also at those just
    ///   outside of the block.
    public mutating func multiply(over range: Range<Int>? = nil, by curve: (Int) -> Double) {
        let range = (range ?? start..<start + count).clamped(to: start..<start + count)
        guard !range.isEmpty else { return }
        let step = Self.step
        var point = range.lowerBound - ((range.lowerBound % step) + step) % step
        var left = Float(curve(point))
        while point < range.upperBound {
            let right = Float(curve(point + step))
            let (from, to) = (max(point, range.lowerBound), min(point + step, range.upperBound))
            if left != 1 || right != 1 {
                let slope = (right - left) / Float(step)
                let (origin, offset) = (left, from - point)
                values.withUnsafeMutableBufferPointer { values in
                    let run = UnsafeMutableBufferPointer(rebasing: values[from - start..<to - start])
                    for i in 0..<run.count { run[i] *= origin + slope * Float(Int32(truncatingIfNeeded: offset &+ i)) }
                }
            }
            left = right
            point += step
        }
    }

    /// Multiplies by a fade from silence at the absolute sample `first` to full level `length` samples later; all before
    /// is silent. Exact to the sample.
    public mutating func fadeIn(from first: Int, length: Int, _ curve: FadeCurve) {
        guard length > 0 else { return }
        scale(until: first + length) { curve.gain(at: Double($0 - first) / Double(length)) }
    }

    /// Multiplies by a fade from full level, `length` samples before the absolute sample `end`, to silence there; all
    /// from `end` on is silent. Exact to the sample.
    public mutating func fadeOut(to end: Int, length: Int, _ curve: FadeCurve) {
        guard length > 0 else { return }
        scale(from: end - length) { curve.gain(at: Double(end - $0) / Double(length)) }
    }

    private mutating func scale(from: Int = .min, until: Int = .max, _ gain: (Int) -> Double) {
        let range = (max(from, start)..<max(from, start, min(until, start + count)))
        for sample in range { values[sample - start] *= Float(gain(sample)) }
    }
}
