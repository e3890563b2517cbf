internal import EditorCore
internal import Glibc

/// Sound without its steady noise: libavfilter's `afftdn`, which first hears what the noise alone sounds like.
/// Belongs to one thread.
///
/// The noise is taken from the quietest stretch near the beginning. Sound that is never quiet has none to learn from and
/// stays as it is.
final class DenoisedSound: AudioReading {
    private let source: any AudioReading
    private let noise: Noise?
    private let chain: String
    private var graph: FilterGraph?
    private let frame: MediaFrame
    private var input = AudioBuffer(sampleCount: 0)
    private var inputPosition = 0
    private var inputEnd: Int?
    private var ahead = ReadAhead()
    private var discarded = 0

    /// Samples by which the filter is late at 48 kHz.
    private static let latency = 1_200
    /// After a jump the filter hears so much before the first sample that is given out.
    private static let preroll = 24_000
    private static let blockLength = 4_096

    /// A stretch of noise alone.
    private struct Noise {
        var samples: AudioBuffer
        /// RMS in dBFS.
        var level: Double
    }

    /// - Parameters:
    ///   - source: where it ends need not be known.
    ///   - length: samples of it that are played.
    ///   - strength: 0…1; 1 takes the noise down by 40 dB.
    init(_ source: any AudioReading, sampleCount length: Int, strength: Double) throws {
        self.source = source
        frame = try MediaFrame()
        noise = try Self.findNoise(in: source, sampleCount: length)
        // The filter wants its floor somewhat above the noise to take all of it.
        let floor = max(-80, min(-20, (noise?.level ?? -80) + 7))
        chain = "afftdn=nr=\(max(0.01, 40 * strength)):nf=\(floor)"
        try begin(at: 0)
    }

    var sampleCount: Int? { source.sampleCount ?? inputEnd }

    func read(from position: Int, into output: inout AudioBuffer) throws -> Int {
        guard graph != nil else { return try source.read(from: position, into: &output) }
        do {
            return try readFiltered(from: position, into: &output)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "sound could not be freed of noise: \(error)")
        }
    }

    private func readFiltered(from position: Int, into output: inout AudioBuffer) throws -> Int {
        let count = output.sampleCount
        if position < ahead.start || position > ahead.end + 10 * AudioFormat.sampleRate { try begin(at: position) }
        while ahead.end < position + count {
            ahead.discard(before: position)
            input.clear(sampleCount: Self.blockLength)
            let got = try source.read(from: inputPosition, into: &input)
            if got < Self.blockLength, inputEnd == nil { inputEnd = inputPosition + got }
            inputPosition += Self.blockLength
            try filter(input)
        }
        ahead.copy(from: position, into: &output)
        ahead.discard(before: position + count)
        return sampleCount.map { max(0, min(count, $0 - position)) } ?? count
    }

    private func begin(at position: Int) throws {
        guard let noise else { return }
        let graph = try FilterGraph(sound: chain)
        self.graph = graph
        ahead.begin(at: position)
        inputPosition = position - Self.preroll
        discarded = 3 * noise.samples.sampleCount + Self.preroll + Self.latency
        try filter(noise.samples)
        try graph.command("afftdn", "sn", "start")
        try filter(noise.samples)
        try graph.command("afftdn", "sn", "stop")
        try filter(noise.samples)
    }

    private func filter(_ block: AudioBuffer) throws {
        try frame.copySamples(of: block)
        try graph?.push(frame)
        while try graph?.pull(into: frame) == true {
            ahead.append { frame.appendSamples(to: &$0) }
            if discarded > 0 { discarded -= ahead.leaveOut(discarded) }
        }
    }

    /// The quietest quarter of a second of the first half minute, digital silence aside; nil when it is as loud as
    /// speech, or inaudible anyway.
    private static func findNoise(in source: any AudioReading, sampleCount length: Int) throws -> Noise? {
        let window = AudioFormat.sampleRate / 4
        let end = min(length, 30 * AudioFormat.sampleRate)
        var best: Noise?
        var block = AudioBuffer(sampleCount: window)
        for position in stride(from: 0, through: end - window, by: window / 2) {
            block.clear(sampleCount: window)
            guard try source.read(from: position, into: &block) == window else { break }
            // The loudest twentieth tells: a stretch must be quiet all through.
            let part = window / 20
            var loudest = 0.0
            for first in stride(from: 0, to: window, by: part) {
                let power = block.channels.reduce(0.0) { sum, samples in
                    samples[first..<min(first + part, window)].reduce(sum) { $0 + Double($1) * Double($1) }
                }
                loudest = max(loudest, power / Double(part * block.channels.count))
            }
            guard loudest > 1e-9 else { continue }
            let level = 10 * log10(loudest)
            if level < best?.level ?? .infinity { best = Noise(samples: block, level: level) }
        }
        guard let best, best.level < -25 else { return nil }
        return best
    }
}
