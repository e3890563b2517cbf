import EditorCore
import EditorTestSupport
import Foundation
import MusicEffects
import Testing

/// A movie with sounds in memory, in which music effects are played as the core would.
struct MusicStage {
    var assets = FakeAssets()
    /// Seconds.
    var duration = 4.0
    /// Lengths of the blocks, again and again.
    var blocks = [1024]

    init(_ music: AudioBuffer, duration: Double = 4) {
        assets.sounds["m.wav"] = music
        self.duration = duration
    }

    /// Plays effects one after the other over `under` (default silence) and returns the movie's sound.
    func play(_ configs: JSONValue..., over under: AudioBuffer? = nil) throws -> AudioBuffer {
        let count = Int((duration * Double(AudioFormat.sampleRate)).rounded())
        var movie = under ?? AudioBuffer(sampleCount: count)
        for config in configs {
            let (effect, range) = try make(config)
            var position = Int(range.start.ticksRoundedUp(per: Rational(48_000)))
            let end = min(Int(range.end.ticksRoundedUp(per: Rational(48_000))), count)
            for turn in 0... where position < end {
                let length = min(blocks[turn % blocks.count], end - position)
                let span = position..<position + length
                var block = AudioBuffer(channels: movie.channels.map { Array($0[span]) })
                let time = EffectTime(
                    time: MediaTime(value: Int64(position), timescale: 48_000), index: position, activeRange: range)
                try effect.process(&block, at: time)
                for channel in 0..<2 { movie.channels[channel].replaceSubrange(span, with: block.channels[channel]) }
                position += length
                if position == end { break }
            }
        }
        return movie
    }

    func make(_ config: JSONValue, report: @escaping @Sendable (Finding) -> Void = { _ in }) throws -> (
        MusicEffect, TimeRange
    ) {
        guard case .object(var members) = config else { throw EditorError(.usage, "no object") }
        members["source"] = members["source"] ?? "m.wav"
        let whole = TimeRange(start: .zero, end: try #require(MediaTime(decimal: duration)))
        var reading = ParameterReading()
        var range = whole
        if let value = members.removeValue(forKey: "timeRange") {
            range = try #require(ParameterType<TimeRange>.timeRange.read(value, JSONPointer(), &reading))
        }
        let parameters = try #require(MusicParameters.read(.object(members), at: JSONPointer(), into: &reading))
        try #require(reading.findings.isEmpty, "\(reading.findings)")
        let active = try #require(range.intersection(whole))
        let context = EffectContext(
            canvas: PixelSize(width: 16, height: 16), frameRate: Rational(30), duration: whole.end, activeRange: active,
            assets: assets, report: report)
        return (try MusicEffect(parameters, context: context), active)
    }
}

/// A sound that does not know its length.
final class EndlessLookingAudio: AudioReading {
    private let sound: MemoryAudio
    init(_ sound: AudioBuffer) { self.sound = MemoryAudio(sound) }
    var sampleCount: Int? { nil }
    func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int {
        try sound.read(from: position, into: &buffer)
    }
}

/// A sound whose file states a wrong length.
final class BoastingAudio: AudioReading {
    private let sound: MemoryAudio
    let sampleCount: Int?
    init(_ sound: AudioBuffer, claiming count: Int) {
        self.sound = MemoryAudio(sound)
        sampleCount = count
    }
    func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int {
        try sound.read(from: position, into: &buffer)
    }
}

/// One sound behind a reader of any kind.
struct OneSound: AssetLoading {
    var reader: @Sendable () -> any AudioReading
    func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset {
        throw EditorError(.missingInput, "no image")
    }
    func audio(_ asset: AssetReference) throws -> any AudioReading { reader() }
    func text(_ asset: AssetReference) throws -> String { throw EditorError(.missingInput, "no text") }
    func fontFamily(_ asset: AssetReference) throws -> String { throw EditorError(.missingInput, "no font") }
}
