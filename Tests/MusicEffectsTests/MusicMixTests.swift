import EditorTestSupport
import Foundation
import MusicEffects
import Testing

@testable import EditorCore

/// Several musics and clips through the mixer.
@Suite struct MusicMixTests {
    private static let steady = AudioBuffer(
        channels: Array(repeating: Array(repeating: 0.2, count: 48_000 * 8), count: 2))

    private func mix(_ effects: [JSONValue], clip: AudioBuffer? = nil, _ sounds: [String: AudioBuffer]) throws
        -> AudioBuffer
    {
        var assets = FakeAssets()
        assets.sounds = sounds
        let library = FakeMediaLibrary(
            ["clip": .init(number: 1, frameCount: 240, sound: clip)], assets: assets)
        var registry = EffectRegistry()
        try registry.register(MusicModule.self)
        let document = ConfigurationDocument(
            ["assetArray": ["clip"], "renderSize": ["width": 32, "height": 32], "effects": .array(effects)],
            name: "test")
        let configuration = Configuration.read(document, requiresClips: true).configuration
        let plan = try RenderPlanner(registry: registry, library: library).plan(
            configuration, settings: ExportSettings(configuration, fileName: "movie.mp4"))
        let mixer = AudioMixer(plan, library: library)
        var result = AudioBuffer(channels: [[], []])
        while result.sampleCount < plan.sampleCount {
            var buffer = AudioBuffer(sampleCount: min(8_192, plan.sampleCount - result.sampleCount))
            try mixer.fill(&buffer)
            for channel in 0..<2 { result.channels[channel] += buffer.channels[channel] }
        }
        return result
    }

    /// Speech of a voice-over from 2 to 4 s.
    private static let voice = SyntheticSound.tone(1000, amplitude: 0.25, seconds: 2)

    /// The music's level in dB against its own, the voice taken away.
    private func duck(_ mixed: AudioBuffer, at seconds: Double) -> Double {
        duck(mixed, place: Int((seconds * 48_000).rounded()))
    }

    private func duck(_ mixed: AudioBuffer, place: Int) -> Double {
        var sample = Double(mixed.channels[0][place])
        if (96_000..<192_000).contains(place) { sample -= Double(Self.voice.channels[0][place - 96_000]) }
        return 20 * log10(sample / 0.2)
    }

    private static let music: JSONValue = ["type": "music", "source": "music", "volume": 1, "duck": true]
    private static func voice(_ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(["type": "music", "source": "voice", "volume": 1, "start": 2, "loop": false].merging(more) { $1 })
    }

    /// Wherever the voice stands in the list, the music gives way to it, and neither is heard twice.
    @Test(arguments: [false, true])
    func musicGivesWayToVoices(_ voiceIsFirst: Bool) throws {
        let voice = Self.voice(["role": "voice"])
        let mixed = try mix(
            voiceIsFirst ? [voice, Self.music] : [Self.music, voice], ["music": Self.steady, "voice": Self.voice])
        #expect(abs(duck(mixed, at: 1.9)) < 0.01)
        #expect(abs(duck(mixed, at: 3) + 12) < 0.02)
        #expect(abs(duck(mixed, at: 4.3) + 12) < 0.02)
        #expect(abs(duck(mixed, at: 6)) < 0.02)
    }

    @Test func otherMusicAboveIsNoVoice() throws {
        let mixed = try mix([Self.music, Self.voice()], ["music": Self.steady, "voice": Self.voice])
        for time in [1.9, 3, 3.9, 4.3, 6] { #expect(abs(duck(mixed, at: time)) < 0.01) }
    }

    /// The curve under speech, from its first sample and from its last: 12 dB within 250 ms, and back within 1500 ms.
    @Test(arguments: [(false, -12.0, 0.25, 1.5), (true, -18, 0.4, 0.9)])
    func theCurveKeepsItsNumbers(_ isOwn: Bool, _ attenuation: Double, _ down: Double, _ up: Double) throws {
        let config: JSONValue = isOwn ? ["attenuation": -18, "fadeOut": 400, "fadeIn": 900] : true
        var clip = AudioBuffer(sampleCount: 8 * 48_000)
        clip.add(Self.voice, at: 96_000)
        let mixed = try mix(
            [["type": "music", "source": "music", "volume": 1, "duck": config]], clip: clip, ["music": Self.steady])
        func level(_ place: Int) -> Double { duck(mixed, place: place) }
        #expect(abs(level(3 * 48_000) - attenuation) < 0.1 * -attenuation)
        let reached = (96_000..<192_000).first { level($0) < attenuation + 0.05 } ?? 0
        #expect(abs(Double(reached - 96_000) / 48_000 - down) < 0.1 * down)
        let back = (192_000..<384_000).first { level($0) > -0.05 } ?? 0
        #expect(abs(Double(back - 192_000) / 48_000 - up) < 0.1 * up)
    }

    /// Two tones of full scale: the sum stays under -0.9 dBTP, and is not bent where the limiter has nothing to do.
    @Test func twoFullScaleTonesStayUnderTheCeiling() throws {
        let (low, high) = (
            SyntheticSound.tone(440, amplitude: 1, seconds: 8), SyntheticSound.tone(997, amplitude: 1, seconds: 8)
        )
        let mixed = try mix([["type": "music", "source": "music", "volume": 1]], clip: low, ["music": high])
        let peak = mixed.channels[0][4_800..<340_000].map(abs).max()!
        #expect(Double(peak) <= Decibels.gain(-0.9) && Double(peak) > Decibels.gain(-1.3))
        let quiet = try mix(
            [["type": "music", "source": "music", "volume": 0.4]],
            clip: AudioBuffer(channels: low.channels.map { $0.map { $0 * 0.4 } }), ["music": high])
        for i in stride(from: 4_800, to: 48_000, by: 97) {
            #expect(abs(quiet.channels[0][i] - 0.4 * (low.channels[0][i] + high.channels[0][i])) < 1e-6)
        }
        // When one of them ends, the other keeps its level.
        let ending = try mix(
            [["type": "music", "source": "music", "volume": 0.4, "loop": false]],
            clip: AudioBuffer(channels: low.channels.map { $0.map { $0 * 0.4 } }),
            ["music": SyntheticSound.tone(997, amplitude: 1, seconds: 3)])
        #expect(abs(SyntheticSound.amplitude(ending, hertz: 440, from: 1, to: 2) - 0.4) < 1e-4)
        #expect(abs(SyntheticSound.amplitude(ending, hertz: 440, from: 4, to: 5) - 0.4) < 1e-4)
    }
}
