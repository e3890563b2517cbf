import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Sound files: the first and the last sample are those that were encoded, and every read gives the same samples.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct SoundAssetTests {
    /// Samples of the original, at 48 kHz: no multiple of any codec's frame.
    static let length = 100_123

    /// A chirp with a click, the same on both sides but for sign.
    static func original() -> [Float] {
        (0..<length).map { i in
            let t = Double(i) / 48_000
            return Float(0.4 * sin(2 * .pi * (200 * t + 400 * t * t)))
        }
    }

    private func folder() throws -> AssetFolder {
        let folder = try AssetFolder()
        var raw: [UInt8] = []
        for value in Self.original() {
            for sample in [value, -value] { raw += withUnsafeBytes(of: sample.bitPattern.littleEndian) { Array($0) } }
        }
        try folder.write(raw, "raw.f32")
        return folder
    }

    private func encode(_ options: String, as name: String, in folder: AssetFolder) throws {
        try folder.ffmpeg("-f f32le -ar 48000 -ac 2 -i raw.f32 \(options) \(name)")
    }

    private func readAll(_ source: any AudioReading, block: Int = 4_096) throws -> AudioBuffer {
        var all = AudioBuffer(sampleCount: 0)
        var buffer = AudioBuffer(sampleCount: block)
        while true {
            let got = try source.read(from: all.sampleCount, into: &buffer)
            for channel in 0..<2 { all.channels[channel] += buffer.channels[channel][0..<got] }
            if got < block { return all }
        }
    }

    // The edit lists of MP4 count milliseconds.
    @Test(arguments: [
        ("a.wav", "-c:a pcm_s16le", 0, 0.0001), ("a.flac", "-c:a flac", 0, 0.0001),
        ("a.mp3", "-c:a libmp3lame -b:a 256k", 0, 0.02),
        ("a.m4a", "-c:a aac -b:a 256k", 48, 0.02), ("a.mp4", "-c:a aac -b:a 256k", 48, 0.02),
        ("a.ogg", "-c:a libvorbis -q:a 8", 0, 0.02), ("a.opus", "-c:a libopus -b:a 256k", 0, 0.03),
        ("a.mka", "-c:a libopus -b:a 256k", 0, 0.03), ("a.webm", "-c:a libopus -b:a 256k", 0, 0.03),
        ("b.flac", "-c:a flac -ar 44100", 2, 0.01), ("b.mp3", "-c:a libmp3lame -b:a 256k -ar 44100", 2, 0.02),
        ("b.m4a", "-c:a aac -b:a 256k -ar 44100", 48, 0.02),
    ])
    func `encoder delay and padding are left out`(name: String, options: String, slack: Int, error: Double) throws {
        let folder = try folder()
        try encode(options, as: name, in: folder)
        let sound = try readAll(try folder.audio(name))
        #expect(abs(sound.sampleCount - Self.length) <= slack, "\(name) gave \(sound.sampleCount) samples")
        let original = Self.original()
        // Away from the ends, where codecs ring.
        let range = 2_000..<(Self.length - 2_000)
        guard sound.sampleCount >= range.upperBound else { return }
        for (channel, sign) in [(0, Float(1)), (1, -1)] {
            let worst = range.reduce(Float(0)) { max($0, abs(sound.channels[channel][$1] - sign * original[$1])) }
            #expect(Double(worst) < error, "\(name) differs by \(worst) on channel \(channel)")
        }
    }

    // Without AAC's noise substitution, whose noise depends on what was decoded before.
    @Test(arguments: [
        ("a.wav", "-c:a pcm_s16le"), ("a.flac", "-c:a flac"), ("a.mp3", "-c:a libmp3lame -b:a 128k"),
        ("a.m4a", "-c:a aac -aac_pns 0"),
        ("b.mp3", "-c:a libmp3lame -ar 44100"), ("b.m4a", "-c:a aac -aac_pns 0 -ar 44100"),
        ("b.flac", "-c:a flac -ar 44100"),
        ("a.opus", "-c:a libopus"), ("a.ogg", "-c:a libvorbis"), ("v.mp3", "-c:a libmp3lame -q:a 4"),
    ])
    func `jumps give the samples that reading on gives`(name: String, options: String) throws {
        let folder = try AssetFolder()
        // Long enough for jumps; noise, so that no two places look alike.
        try folder.ffmpeg(
            "-f lavfi -i anoisesrc=d=24:c=pink:r=48000:a=0.3:seed=7 -f lavfi -i anoisesrc=d=24:r=48000:a=0.2:seed=9 "
                + "-filter_complex amerge -ac 2 \(options) \(name)")
        let all = try readAll(try folder.audio(name), block: 48_000)
        let jumping = try folder.audio(name)
        var random = SystemRandomNumberGenerator()
        var buffer = AudioBuffer(sampleCount: 1_000)
        var position = 0
        for round in 0..<24 {
            // Far away, or a little before the last place, where the decoder was still settling.
            position =
                round % 2 == 0
                ? Int.random(in: -500..<all.sampleCount, using: &random)
                : position - Int.random(in: 1...9_000, using: &random)
            let got = try jumping.read(from: position, into: &buffer)
            #expect(got == min(1_000, all.sampleCount - position))
            var (worst, place) = (Float(0), 0)
            for channel in 0..<2 {
                for i in 0..<1_000 {
                    let wanted =
                        all.channels[channel].indices.contains(position + i) ? all.channels[channel][position + i] : 0
                    let gap = abs(buffer.channels[channel][i] - wanted)
                    if gap > worst { (worst, place) = (gap, i) }
                }
            }
            let limit: Float = name.hasSuffix("opus") || name.hasSuffix("ogg") ? 0.01 : 1e-6
            #expect(worst <= limit, "\(name) round \(round), position \(position): sample \(place) differs by \(worst)")
        }
    }
}
