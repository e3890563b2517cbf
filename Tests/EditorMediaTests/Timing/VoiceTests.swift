import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

/// Pitch, voices and noise reduction of clips: frequencies, levels and places measured.
@Suite(.enabled(if: AssetFolder.hasFFmpeg))
struct VoiceTests {
    private static let rate = 48_000.0

    private func open(
        _ source: String, seconds: Int = 4, speed: Rational = .one, isReversed: Bool = false,
        _ treatment: SoundTreatment
    ) throws -> any AudioReading {
        let folder = try ClipFolder()
        let info = try folder.make(
            "clip.mov",
            "-f lavfi -i color=c=gray:s=32x32:r=25:d=\(seconds) -f lavfi -i \(source):d=\(seconds) -c:v mpeg4 -c:a pcm_s16le"
        )
        let sound = try folder.library.openAudio(
            info, stream: 0, range: TimeRange(start: .zero, duration: MediaTime(seconds: seconds)), speed: speed,
            isReversed: isReversed, treatment: treatment)
        return KeptSound(sound, folder)
    }

    /// A reader and the folder that its file lies in.
    private final class KeptSound: AudioReading {
        private let sound: any AudioReading
        private let folder: ClipFolder
        init(_ sound: any AudioReading, _ folder: ClipFolder) { (self.sound, self.folder) = (sound, folder) }
        var sampleCount: Int? { sound.sampleCount }
        func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int {
            try sound.read(from: position, into: &buffer)
        }
    }

    private func frequency(_ samples: [Float]) -> Double {
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        return Double(crossings) * Self.rate / Double(samples.count)
    }

    private func level(_ samples: some Collection<Float>) -> Double {
        10 * log10(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count)) + 1e-20)
    }

    @Test(arguments: [(12.0, "1"), (-12, "1"), (7, "1"), (-5, "1"), (3, "2"), (-4, "0.5"), (4, "1.5")])
    func pitchMovesFrequenciesAndNothingElse(_ semitones: Double, _ speed: String) throws {
        let sound = try open(
            "sine=440:r=48000", speed: Rational(decimal: Double(speed)!)!, SoundTreatment(pitch: semitones))
        let samples = try AudioBuffer.read(sound, from: 24_000, count: 36_000)
        let wanted = 440 * pow(2, semitones / 12)
        #expect(abs(frequency(samples) - wanted) < wanted * 0.01)
        // sine is 1/8 of full scale.
        #expect(abs(level(samples) + 21.07) < 1.5)
    }

    @Test(arguments: [
        (SoundTreatment(pitch: 7), 0.012), (SoundTreatment(pitch: -7), 0.012),
        (SoundTreatment(voice: .chipmunk), 0.012),
        (SoundTreatment(voice: .deep), 0.012), (SoundTreatment(voice: .robot), 0.012),
        (SoundTreatment(voice: .echo), 0.001),
        (SoundTreatment(denoise: 0.5), 0.001),
    ])
    func eventsKeepTheirPlace(_ treatment: SoundTreatment, _ tolerance: Double) throws {
        let sound = try open(
            "aevalsrc=0.001*random(0)+if(lt(mod(t\\,1)\\,0.05)*gte(t\\,0.9)\\,0.5*sin(2*PI*1000*t)\\,0)|0:s=48000",
            treatment)
        let samples = try AudioBuffer.read(sound, from: 0, count: 4 * 48_000)
        for second in 1...3 {
            let from = second * 48_000 - 4_800
            let window = samples[from..<second * 48_000 + 4_800]
            let loudest = window.map(abs).max()!
            let onset = try #require(window.firstIndex { abs($0) > loudest * 0.35 })
            #expect(abs(Double(onset) / Self.rate - Double(second)) < tolerance, "\(treatment)")
        }
    }

    @Test func chipmunksAreHighAndGiantsAreDeep() throws {
        for (voice, semitones) in [(VoiceEffect.chipmunk, 8.0), (.deep, -5)] {
            let samples = try AudioBuffer.read(
                try open("sine=300:r=48000", SoundTreatment(voice: voice)), from: 24_000, count: 48_000)
            let wanted = 300 * pow(2, semitones / 12)
            #expect(abs(frequency(samples) - wanted) < wanted * 0.01)
        }
    }

    /// Whatever the pitch of the speaker, a robot has one: 48000 / 256 Hz and its harmonics.
    @Test func aRobotHasOnePitch() throws {
        for hertz in [130.0, 170, 210] {
            let terms = (1...12).map { "sin(2*PI*\(hertz * Double($0))*t)/\($0)" }.joined(separator: "+")
            let samples = try AudioBuffer.read(
                try open("aevalsrc=0.15*(\(terms)):s=48000", SoundTreatment(voice: .robot)), from: 24_000,
                count: 48_000)
            func amplitude(_ hertz: Double) -> Double {
                let buffer = AudioBuffer(channels: [samples, samples])
                return SyntheticSound.amplitude(buffer, hertz: hertz, from: 0, to: 1)
            }
            let robot = [1.0, 2, 3, 4].map { amplitude(187.5 * $0) }.reduce(0, +)
            let speaker = [1.0, 2, 3, 4].map { amplitude(hertz * $0) }.reduce(0, +)
            #expect(robot > 5 * speaker, "\(hertz) Hz: \(robot), \(speaker)")
            #expect(level(samples) > -30 && level(samples) < -10)
        }
    }

    @Test func anEchoComesTwice() throws {
        let sound = try open(
            "aevalsrc=if(between(t\\,1\\,1.02)\\,0.5*sin(2*PI*1000*t)\\,0):s=48000", SoundTreatment(voice: .echo))
        let samples = try AudioBuffer.read(sound, from: 0, count: 3 * 48_000)
        func level(at seconds: Double) -> Double {
            self.level(samples[Int((seconds + 0.002) * Self.rate)..<Int((seconds + 0.018) * Self.rate)])
        }
        #expect(abs(level(at: 1) + 9.03) < 0.1)
        #expect(abs(level(at: 1.13) + 9.03 - 20 * log10(0.35)) < 0.2)
        #expect(abs(level(at: 1.26) + 9.03 - 20 * log10(0.15)) < 0.2)
        #expect(level(at: 1.06) < -80 && level(at: 1.4) < -80)
    }

    /// Bursts of a tone over noise at -45 dBFS: the pauses become quieter by more than 12 dB, the bursts stay.
    @Test(arguments: [false, true])
    func denoiseTakesTheNoiseAndLeavesTheVoice(_ isReversed: Bool) throws {
        let noise = pow(10, -45 / 20.0) * 3.0.squareRoot()
        let source =
            "aevalsrc=\(noise)*(2*random(0)-1)+if(lt(mod(t\\,1)\\,0.5)\\,0.25*sin(2*PI*500*t)\\,0)|\(noise)*(2*random(1)-1):s=48000"
        let plain = try AudioBuffer.read(
            try open(source, isReversed: isReversed, SoundTreatment()), from: 0, count: 4 * 48_000)
        let clean = try AudioBuffer.read(
            try open(source, isReversed: isReversed, SoundTreatment(denoise: 0.5)), from: 0, count: 4 * 48_000)
        let shift = isReversed ? 0.5 : 0
        func part(_ samples: [Float], _ from: Double) -> ArraySlice<Float> {
            samples[Int((from + 0.1) * Self.rate)..<Int((from + 0.4) * Self.rate)]
        }
        #expect(abs(level(part(plain, 1.5 - shift)) + 45) < 1)
        for second in 1...2 {
            #expect(level(part(clean, Double(second) + 0.5 - shift)) < -57)
            #expect(abs(level(part(clean, Double(second) + shift)) + 15.05) < 0.3)
        }
    }

    /// Without a pause there is nothing to learn from, and music is not taken for noise.
    @Test func denoiseLeavesSteadyMusicAlone() throws {
        let source = "aevalsrc=0.2*sin(2*PI*330*t)+0.2*sin(2*PI*440*t):s=48000"
        let plain = try AudioBuffer.read(try open(source, SoundTreatment()), from: 48_000, count: 48_000)
        let clean = try AudioBuffer.read(try open(source, SoundTreatment(denoise: 1)), from: 48_000, count: 48_000)
        #expect(plain == clean)
    }

    @Test func aJumpKeepsEventsInPlace() throws {
        let sound = try open(
            "aevalsrc=0.001*random(0)+if(lt(mod(t\\,1)\\,0.05)*gte(t\\,0.9)\\,0.5*sin(2*PI*1000*t)\\,0)|0:s=48000",
            seconds: 20,
            SoundTreatment(pitch: 3, voice: .robot, denoise: 0.5))
        for second in [15, 2, 9] {
            let samples = try AudioBuffer.read(sound, from: second * 48_000 - 9_600, count: 19_200)
            let loudest = samples.map(abs).max()!
            let onset = try #require(samples.firstIndex { abs($0) > loudest * 0.35 })
            #expect(abs(Double(onset - 9_600) / Self.rate) < 0.02)
        }
    }
}
