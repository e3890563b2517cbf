import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import MusicEffects
import Testing

/// Music from real files: what encoders put before and behind it is not heard.
@Suite struct MusicFilesTests {
    private static let rate = 48_000

    /// A file of three seconds of reproducible noise and tones, which is unlike itself everywhere.
    private func make(_ arguments: [String], _ name: String) throws -> (folder: String, loader: FileAssetLoader) {
        let folder = NSTemporaryDirectory() + "music-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "aevalsrc='0.3*sin(2*PI*(300+400*t)*t)|0.3*sin(2*PI*(300+400*t)*t)':s=48000:d=3",
            ] + arguments + [folder + "/" + name]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return (folder, FileAssetLoader(baseDirectory: folder))
    }

    private func effect(_ loader: FileAssetLoader, _ config: [String: JSONValue], seconds: Int) throws -> (
        MusicEffect, TimeRange
    ) {
        var reading = ParameterReading()
        let parameters = try #require(MusicParameters.read(.object(config), at: JSONPointer(), into: &reading))
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: seconds))
        let context = EffectContext(
            canvas: PixelSize(width: 16, height: 16), frameRate: Rational(30), duration: range.end, activeRange: range,
            assets: loader)
        return (try MusicEffect(parameters, context: context), range)
    }

    private func play(_ effect: MusicEffect, _ range: TimeRange, _ position: Int, _ count: Int) throws -> [Float] {
        var block = AudioBuffer(sampleCount: count)
        let time = MediaTime(value: Int64(position), timescale: Int64(Self.rate))
        try effect.process(&block, at: EffectTime(time: time, index: position, activeRange: range))
        return block.channels[0]
    }

    /// Ten minutes of a loop of three seconds: the last round sounds to the sample like the first, and a round is as long
    /// as the sound was before it was encoded.
    @Test(arguments: [
        ("a.mp3", ["-c:a", "libmp3lame"]), ("a.m4a", ["-c:a", "aac"]), ("a.ogg", ["-c:a", "libvorbis"]),
    ])
    func aLoopOfTenMinutesDoesNotDrift(_ name: String, _ codec: [String]) throws {
        let (folder, loader) = try make(codec, name)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (music, range) = try effect(loader, ["source": .string(name), "volume": 1], seconds: 600)
        var first: [Float] = []
        let block = 9_600
        for position in stride(from: 0, to: 600 * Self.rate, by: block) {
            let samples = try play(music, range, position, block)
            if first.count < 3 * Self.rate { first += samples }
            let place = position % (3 * Self.rate)
            // The movie's end is faded.
            guard position + block < 600 * Self.rate else { break }
            try #require(samples == Array(first[place..<place + block]), "at \(position)")
        }
        // The round itself is the sound that was encoded: the sweep's phase is where the formula says.
        for place in [4_800, 72_000, 139_000] {
            let window = first[place..<place + 2_400]
            var (same, off) = (0.0, 0.0)
            for (i, sample) in window.enumerated() {
                let t = Double(place + i) / Double(Self.rate)
                same += Double(sample) * sin(2 * .pi * (300 + 400 * t) * t)
                off += Double(sample) * cos(2 * .pi * (300 + 400 * t) * t)
            }
            // A tenth of a radian at 1 kHz is a sample.
            #expect(abs(atan2(off, same)) < 0.15, "\(name) at \(place)")
        }
    }

    /// At the seam there is no step that the sound does not have elsewhere. The sweep ends in a zero crossing and begins in
    /// one.
    @Test(arguments: [("a.mp3", ["-c:a", "libmp3lame"]), ("a.m4a", ["-c:a", "aac"])])
    func theSeamHasNoStep(_ name: String, _ codec: [String]) throws {
        let (folder, loader) = try make(codec + ["-b:a", "256k"], name)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (music, range) = try effect(loader, ["source": .string(name), "volume": 1], seconds: 10)
        let samples = try (0..<50).flatMap { try play(music, range, $0 * 9_600, 9_600) }
        func largestStep(_ range: Range<Int>) -> Float {
            range.map { abs(samples[$0 + 1] - samples[$0]) }.max()!
        }
        // Steepest where the frequency is highest: 0.3 · 2π · 2700 / 48000.
        for seam in [144_000, 288_000] {
            #expect(largestStep(seam - 50..<seam + 50) < 0.3 * 2 * .pi * 2_700 / 48_000 * 1.1)
        }
        // And no gap: the level around it is that of the sweep.
        for seam in [144_000, 288_000] {
            let part = samples[seam - 480..<seam + 480]
            let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
            #expect(abs(10 * log10(power) + 13.47) < 1)
        }
    }

    @Test func measuringTheLoudnessCanBeCancelled() throws {
        let (folder, loader) = try make([], "a.wav")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cancellation = Cancellation()
        let asset = AssetReference(path: "a.wav", kind: .audio)
        cancellation.cancel()
        let error = #expect(throws: EditorError.self) { try loader.loudness(of: asset, cancellation: cancellation) }
        #expect(error?.kind == .cancelled)
        #expect(try loader.loudness(of: asset, cancellation: Cancellation()) != nil)
    }
}
