internal import EditorCore

/// A stretch of sound played backwards, in bounded memory: it is read in blocks from its end to its start.
/// Belongs to one thread.
final class ReversedSound: AudioReading {
    private let source: any AudioReading
    private let length: Int
    /// Samples of the source, forwards; the last one is the reversed sample `blockStart`.
    private var block = AudioBuffer(sampleCount: 0)
    private var blockStart = 0

    /// Every block costs a jump in the source, so blocks are long: 10 s, 4 MB.
    private static let blockLength = 10 * AudioFormat.sampleRate

    var sampleCount: Int? { length }

    /// - Parameter length: samples of `source`, from its position 0 on, that are played.
    init(_ source: any AudioReading, sampleCount length: Int) {
        self.source = source
        self.length = length
    }

    func read(from position: Int, into output: inout AudioBuffer) throws -> Int {
        let count = output.sampleCount
        for channel in output.channels.indices {
            output.channels[channel].withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        }
        var next = max(position, 0)
        let end = min(position + count, length)
        while next < end {
            if next < blockStart || next >= blockStart + block.sampleCount { try load(from: next) }
            let part = min(end, blockStart + block.sampleCount) - next
            let last = block.sampleCount - 1 - (next - blockStart)
            for channel in output.channels.indices {
                let samples = block.channels[min(channel, block.channels.count - 1)]
                for i in 0..<part { output.channels[channel][next - position + i] = samples[last - i] }
            }
            next += part
        }
        return max(0, min(count, length - position))
    }

    private func load(from position: Int) throws {
        let count = min(Self.blockLength, length - position)
        block.clear(sampleCount: count)
        blockStart = position
        _ = try source.read(from: length - position - count, into: &block)
    }
}
