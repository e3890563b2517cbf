/// A filter of finite length, for whole blocks.
enum FiniteFilter {
    /// Makes `output[i]` the sum of `taps[k] × input[i + k]`.
    ///
    /// Four taps in one pass over the block keep the sums in registers for as long as the loop stays vectorised. The order
    /// of the additions is the same for every sample, wherever it lies in the block.
    /// - Parameters:
    ///   - taps: a multiple of four of them.
    ///   - input: at least `output.count + taps.count - 1` samples, apart from the output.
    static func apply(
        _ taps: UnsafeBufferPointer<Float>, to input: UnsafeBufferPointer<Float>,
        into output: UnsafeMutableBufferPointer<Float>
    ) {
        let count = output.count
        precondition(taps.count % 4 == 0 && input.count >= count + taps.count - 1, "an input for every tap")
        guard count > 0, let input = input.baseAddress, let output = output.baseAddress else { return }
        for i in 0..<count { output[i] = 0 }
        var k = 0
        while k < taps.count {
            let (a, b, c, d) = (taps[k], taps[k + 1], taps[k + 2], taps[k + 3])
            let source = input + k
            for i in 0..<count {
                let sum = a * source[i] + b * source[i &+ 1] + (c * source[i &+ 2] + d * source[i &+ 3])
                output[i] += sum
            }
            k += 4
        }
    }
}
