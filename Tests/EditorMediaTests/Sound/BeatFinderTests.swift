import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

/// aubio on clicks whose times are known.
@Suite struct BeatFinderTests {
    /// Short bursts that die away, one a beat, the first at `first` seconds; every fourth is louder.
    static func clicks(_ tempo: Double, first: Double, seconds: Double) -> AudioBuffer {
        var sound = SyntheticSound.noise(amplitude: 0.001, count: Int(seconds * 48_000))
        let noise = SyntheticSound.noise(amplitude: 1, count: 2_400, seed: 9)
        for (number, time) in stride(from: first, to: seconds - 0.06, by: 60 / tempo).enumerated() {
            let start = Int((time * 48_000).rounded())
            for channel in 0..<2 {
                for i in 0..<2_400 {
                    let level: Float = number % 4 == 0 ? 0.8 : 0.5
                    sound.channels[channel][start + i] += level * noise.channels[channel][i] * exp(-Float(i) / 400)
                }
            }
        }
        return sound
    }

    @Test(arguments: [(120.0, 0.5, 20.0), (97, 0.2, 25), (140, 0.1, 30), (75.5, 0.3, 30), (97, 0.2, 10)])
    func findsTempoAndBeats(_ tempo: Double, _ first: Double, _ seconds: Double) throws {
        let sound = Self.clicks(tempo, first: first, seconds: seconds)
        let track = try BeatFinder().beats(of: MemoryAudio(sound), cancellation: Cancellation())
        #expect(abs(try #require(track.tempo) - tempo) < tempo * 0.002)
        let clicks = Array(stride(from: first, to: seconds - 0.06, by: 60 / tempo))
        // Every click but those at the very ends has a beat near it, and every beat a click.
        for click in clicks.dropFirst().dropLast() {
            let distance = track.times.map { abs($0 - click) }.min() ?? 9
            #expect(distance < 0.01, "no beat near \(click)")
        }
        for beat in track.times {
            let distance = clicks.map { abs($0 - beat) }.min() ?? 9
            #expect(distance < 0.01 || beat > clicks.last!, "no click near \(beat)")
        }
        #expect(abs(track.duration - seconds) < 0.001)
        #expect(zip(track.times, track.times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func silenceHasNone() throws {
        let track = try BeatFinder().beats(
            of: MemoryAudio(AudioBuffer(sampleCount: 5 * 48_000)), cancellation: Cancellation())
        #expect(track.tempo == nil && track.times.isEmpty)
    }

    @Test func canBeCancelled() {
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: EditorError.self) {
            try BeatFinder().beats(of: MemoryAudio(AudioBuffer(sampleCount: 480_000)), cancellation: cancellation)
        }
        #expect(error?.kind == .cancelled)
    }
}
