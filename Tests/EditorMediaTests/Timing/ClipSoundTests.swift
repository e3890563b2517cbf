import EditorCore
import EditorMedia
import Foundation
import Testing

/// Sound of clips at other speeds and backwards: every event where it belongs, at its own pitch.
@Suite(.enabled(if: AssetFolder.hasFFmpeg))
struct ClipSoundTests {
    static let rate = 48_000.0

    /// Short stretches of 1 kHz at 1, 2 … s, whole-second `tail` s long.
    private func beeps(
        _ folder: ClipFolder, seconds: Int, _ codec: String = "pcm_s16le", name: String = "beeps.mov",
        beep: String = "0.05"
    ) throws -> MediaInfo {
        try folder.make(
            name,
            "-f lavfi -i color=c=gray:s=32x32:r=25:d=\(seconds) -f lavfi "
                + "-i aevalsrc=if(lt(mod(t\\,1)\\,\(beep))*gte(t\\,0.9)\\,0.5*sin(2*PI*1000*t)\\,0)|0:s=48000:d=\(seconds) "
                + "-c:v mpeg4 -c:a \(codec)")
    }

    /// Seconds at which the sound becomes loud after `gap` samples of silence.
    private func onsets(_ samples: [Float], level: Float, gap: Int = 4_800) -> [Double] {
        var found: [Double] = []
        var last = Int.min / 2
        for (index, sample) in samples.enumerated() where abs(sample) > level {
            if index - last > gap { found.append(Double(index) / Self.rate) }
            last = index
        }
        return found
    }

    @Test(arguments: ["0.1", "0.25", "1/2", "0.75", "1.25", "3/2", "2", "2.7", "4", "10"])
    func eventsKeepTheirPlaceAtAnySpeed(_ text: String) throws {
        let folder = try ClipFolder()
        let info = try beeps(folder, seconds: 8, beep: text == "10" ? "0.3" : "0.05")
        let speed = Rational(text) ?? Rational(decimal: Double(text)!)!
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 8))
        let sound = try folder.sound(info, range: range, speed: speed)
        let samples = try AudioBuffer.read(sound, from: 0, count: Int(8 * Self.rate / speed.doubleValue))
        let found = onsets(samples, level: 0.12, gap: Int(Self.rate * 0.4 / speed.doubleValue))
        #expect(found.count == 7)
        // At ten times the speed a beep is hardly longer than the filter's window.
        let tolerance = speed == Rational(10) ? 0.025 : 0.010
        for (index, time) in found.enumerated() {
            #expect(abs(time - Double(index + 1) / speed.doubleValue) < tolerance, "beep \(index + 1) at \(time) s")
        }
        // The right channel is silent and stays so.
        var part = AudioBuffer(sampleCount: 48_000)
        _ = try sound.read(from: Int(0.9 * Self.rate / speed.doubleValue), into: &part)
        #expect(part.channels[1].allSatisfy { abs($0) < 0.001 })
        #expect(part.channels[0].contains { abs($0) > 0.12 })
    }

    @Test(arguments: ["0.5", "0.8", "1.6", "5"])
    func thePitchIsKept(_ text: String) throws {
        let folder = try ClipFolder()
        let info = try folder.make(
            "tone.mov",
            "-f lavfi -i color=c=gray:s=32x32:r=25:d=8 -f lavfi -i sine=440:r=44100:d=8 -c:v mpeg4 -c:a pcm_s16le")
        let speed = Rational(decimal: Double(text)!)!
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 8))
        let sound = try folder.sound(info, range: range, speed: speed)
        let samples = try AudioBuffer.read(sound, from: 24_000, count: 36_000)
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(crossings) / 0.75 - 440) < 4)
    }

    @Test func aJumpKeepsEventsInPlace() throws {
        let folder = try ClipFolder()
        let info = try beeps(folder, seconds: 60, "aac", name: "long.mp4")
        let range = TimeRange(start: MediaTime(seconds: 5), duration: MediaTime(seconds: 50))
        let sound = try folder.sound(info, range: range, speed: Rational(3, 2))
        for second in [30, 2, 20] {
            let start = Int((Double(second) - 0.3) / 1.5 * Self.rate)
            let samples = try AudioBuffer.read(sound, from: start, count: 19_200)
            let found = onsets(samples, level: 0.12)
            #expect(found.count == 1 && abs(found[0] - 0.2) < 0.010, "\(found) around \(second) s")
        }
    }

    @Test(arguments: ["pcm_s16le", "aac", "mp3"])
    func backwardsIsTheForwardSoundMirrored(_ codec: String) throws {
        let folder = try ClipFolder()
        let info = try folder.make(
            "sweep.mov",
            "-f lavfi -i color=c=gray:s=32x32:r=25:d=26 -f lavfi -i aevalsrc=0.4*sin(2*PI*(200+20*t)*t):s=44100:d=26 -c:v mpeg4 -c:a \(codec)"
        )
        let range = TimeRange(start: MediaTime(value: 3, timescale: 2), duration: MediaTime(value: 45, timescale: 2))
        let count = Int(22.5 * Self.rate)
        let forward = try AudioBuffer.read(try folder.sound(info, range: range), from: 0, count: count)
        let sound = try folder.sound(info, range: range, isReversed: true)
        let backward = try AudioBuffer.read(sound, from: 0, count: count)
        let worst = zip(backward, forward.reversed()).reduce(0) { max($0, abs($1.0 - $1.1)) }
        #expect(worst < 0.002)
        #expect(sound.sampleCount == count)
        var beyond = AudioBuffer(sampleCount: 100)
        #expect(try sound.read(from: count - 40, into: &beyond) == 40)
        #expect(beyond.channels[0].dropFirst(40).allSatisfy { $0 == 0 })
    }

    @Test func backwardsAtDoubleSpeedKeepsEventsInPlace() throws {
        let folder = try ClipFolder()
        let info = try beeps(folder, seconds: 8)
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 8))
        let sound = try folder.sound(info, range: range, speed: Rational(2), isReversed: true)
        let samples = try AudioBuffer.read(sound, from: 0, count: Int(4 * Self.rate))
        // A beep from s to s + 0.05 is heard from 8 - s - 0.05 on, at half that time.
        let expected = (1...7).map { (8 - Double($0) - 0.05) / 2 }.sorted()
        let found = onsets(samples, level: 0.12)
        #expect(found.count == 7)
        for (time, right) in zip(found, expected) { #expect(abs(time - right) < 0.010) }
    }
}
