import EditorCore
import Foundation
import Testing

/// Many clips, and very long ones: nothing drifts, and neither memory nor waiting grows with them.
@Suite("long", .serialized, .enabled(if: isEnabled, "needs EDITOR_BIN, a release build, and /usr/bin/time"))
struct LongMovieTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// Clips of mixed rates and sounds; each begins with a white picture and a beep of a tenth of a second, on both
    /// channels of whatever it has.
    private static let kinds = [
        (rate: "24000/1001", length: 3.003, layout: "mono", sampleRate: 8_000, codec: "pcm_s16le"),
        (rate: "25", length: 2.96, layout: "stereo", sampleRate: 44_100, codec: "aac"),
        (rate: "30000/1001", length: 3.003, layout: "5.1", sampleRate: 48_000, codec: "aac"),
        (rate: "60", length: 3.05, layout: "stereo", sampleRate: 96_000, codec: "pcm_s16le"),
        (rate: "30", length: 2.9, layout: "mono", sampleRate: 22_050, codec: "aac"),
    ]

    private func makeClips() throws {
        for (number, kind) in Self.kinds.enumerated() {
            let count = Int((kind.length * (try #require(Rational(kind.rate))).doubleValue).rounded())
            try workshop.ffmpeg([
                "-f", "lavfi", "-i",
                "color=black:s=64x64:r=\(kind.rate),trim=end_frame=\(count),drawbox=t=fill:c=white:enable=lt(t\\,0.1)",
                "-f", "lavfi", "-i",
                "sine=f=1000:r=\(kind.sampleRate):d=\(kind.length),volume='8*lt(t,0.1)':eval=frame,"
                    + "aformat=channel_layouts=\(kind.layout)",
                "-c:v", "libx264", "-preset", "ultrafast", "-crf", "10", "-c:a", kind.codec, "clip\(number).mov",
            ])
        }
    }

    /// - Returns: peak memory in KiB.
    private func render(_ clips: Int, of kind: String, to movie: String) throws -> Int {
        let paths = (0..<clips).map { JSONValue.string("\(kind)\($0 % Self.kinds.count).mov") }
        try workshop.write(
            config: [
                "assetArray": .array(paths), "renderSize": ["width": 64, "height": 64], "frameRate": 60,
                "export": ["preset": "ultrafast", "crf": 20],
            ], to: "\(movie).json")
        let report = workshop.path("tmp/\(movie).memory")
        let result = try workshop.run(
            "/usr/bin/time",
            [
                "-q", "-o", report, "-f", "%M", Workshop.editor, "--config", "\(movie).json", "run", "--output", movie,
                "--no-cache", "--progress", "none",
            ])
        try #require(result.status == 0, "\(result.err)")
        return Int(try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").last ?? "") ?? 0
    }

    /// Five minutes of a hundred clips.
    @Test func aHundredClipsStayInStepInTheMemoryOfTen() throws {
        try makeClips()
        // Ten that are ten times as long: the encoded sound of a movie is held until it is written.
        for number in Self.kinds.indices {
            try workshop.ffmpeg(["-stream_loop", "9", "-i", "clip\(number).mov", "-c", "copy", "long\(number).mov"])
        }
        let few = try render(10, of: "long", to: "few.mp4")
        let many = try render(100, of: "clip", to: "many.mp4")
        print("peak memory of five minutes: \(few / 1024) MiB of 10 clips, \(many / 1024) MiB of 100")
        #expect(Double(many) < 1.1 * Double(few), "\(few) and \(many) KiB")

        // A clip is as long as its pictures, whole ones.
        let lengths = try Self.kinds.map { kind in
            let rate = try #require(Rational(kind.rate)).doubleValue
            return (kind.length * rate).rounded() / rate
        }
        let starts = (0..<100).map { clip in (0..<clip).reduce(0.0) { $0 + lengths[$1 % lengths.count] } }
        let flashes = Self.rises(try workshop.lumas("many.mp4").map { $0 > 128 }).map { Double($0) / 60 }
        let samples = try workshop.samples("many.mp4")
        let window = 48
        let beeps = Self.rises(
            stride(from: 0, to: samples.count - window, by: window).map { start in
                samples[start..<start + window].contains { abs($0) > 0.05 }
            }, quietFor: 500
        ).map { Double($0) / 1000 }
        #expect(flashes.count == 100 && beeps.count == 100, "\(flashes.count) flashes, \(beeps.count) beeps")
        guard flashes.count == 100, beeps.count == 100 else { return }
        var worst = (flash: 0.0, beep: 0.0, apart: 0.0)
        for clip in 0..<100 {
            // The first frame of the grid at or after its start shows the clip.
            worst.flash = max(worst.flash, abs(flashes[clip] - (starts[clip] * 60 - 0.04).rounded(.up) / 60))
            worst.beep = max(worst.beep, abs(beeps[clip] - starts[clip]))
            worst.apart = max(worst.apart, abs(beeps[clip] - flashes[clip]))
        }
        print("last clip at \(starts[99]) s: flash \(flashes[99]), beep \(beeps[99]); at worst \(worst)")
        #expect(worst.flash < 0.001 && worst.beep < 0.020)
        #expect(worst.apart < 0.020)
    }

    /// Where runs of true begin that come after so many false ones.
    private static func rises(_ values: [Bool], quietFor quiet: Int = 1) -> [Int] {
        var (result, silence): ([Int], Int) = ([], .max / 2)
        for (index, value) in values.enumerated() {
            if value, silence >= quiet { result.append(index) }
            silence = value ? 0 : silence + 1
        }
        return result
    }

    /// Two hours of 1080p, of which the last three seconds are wanted: found by a jump.
    @Test func theEndOfATwoHourMovieComesAtOnce() throws {
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "color=gray:s=1920x1080:r=30:d=10", "-c:v", "libx264", "-preset", "ultrafast", "-g",
            "60", "-pix_fmt", "yuv420p", "ten.mp4",
        ])
        try workshop.ffmpeg(["-stream_loop", "719", "-i", "ten.mp4", "-c", "copy", "-t", "7200", "long.mp4"])
        try workshop.write(
            config: [
                "assetArray": [["path": "long.mp4", "timeRange": ["start": 7197, "duration": 3]]],
                "renderSize": ["width": 320, "height": 180], "export": ["preset": "ultrafast"],
            ])
        let start = ContinuousClock.now
        let process = workshop.process(
            Workshop.editor, ["--config", "cfg.json", "run", "--output", "end.mp4", "--no-cache", "--progress", "json"])
        let pipe = Pipe()
        (process.standardError, process.standardOutput) = (pipe, FileHandle.nullDevice)
        try process.start()
        var text = ""
        var first: Double?
        while let line = try pipe.fileHandleForReading.read(upToCount: 256), !line.isEmpty {
            text += String(decoding: line, as: UTF8.self)
            let hasPictures = text.split(separator: "\n").contains {
                $0.contains("\"progress\"") && !$0.contains("\"frame\": 0,")
            }
            if first == nil, hasPictures { first = (ContinuousClock.now - start) / .seconds(1) }
        }
        process.waitUntilExit()
        let whole = (ContinuousClock.now - start) / .seconds(1)
        try #require(process.terminationStatus == 0, "\(text)")
        print("two hours: the first pictures after \(first ?? -1) s, all 90 after \(whole) s")
        // On an idle machine a third of a second and half a second; all of it would be minutes.
        #expect(try #require(first) < 10)
        #expect(try workshop.lumas("end.mp4").count == 90)
    }
}

private let isEnabled =
    ProcessInfo.processInfo.environment["EDITOR_BIN"] != nil
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/time")
