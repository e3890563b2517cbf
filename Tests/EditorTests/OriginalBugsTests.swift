import EditorCore
import Foundation
import Testing

/// The ten known bugs of SDVideoCamera, each right here.
@Suite struct OriginalBugsTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// 1. The first clip of a time range was searched with `total − start > start`.
    @Test(arguments: [(0.25, 0), (0.6, 1), (1.0, 2), (1.2, 2)])
    func aRangeBeginsInTheRightClip(start: Double, clip: Int) throws {
        let colors = ["red", "lime", "blue"]
        for color in colors { try workshop.makeColor("\(color).mov", color, seconds: 0.5) }
        try workshop.write(config: [
            "assetArray": .array(colors.map { .string("\($0).mov") }),
            "selectTimeRange": ["start": .number(start), "duration": 0.2],
        ])
        try workshop.render("m.mp4")
        let seen = try workshop.color("m.mp4", frame: 0, x: 80, y: 140)
        #expect(seen.firstIndex(of: seen.max() ?? 0) == clip && seen.max() ?? 0 > 240)
    }

    /// 2. When the range started and ended in one clip, the start trim was lost.
    @Test func aRangeInsideOneClipKeepsItsStart() throws {
        try workshop.makeCounter("a.mov")
        try workshop.write(config: ["assetArray": ["a.mov"], "selectTimeRange": ["start": 0.5, "duration": 1]])
        try workshop.render("m.mp4")
        #expect(try workshop.counters("m.mp4") == Array(15..<45))
    }

    /// 3. Export ignored the time range that preview honoured.
    @Test func theExportHonoursTheRangeAsFramesDo() throws {
        try workshop.makeCounter("a.mov", frames: 30)
        try workshop.makeCounter("b.mov", frames: 30)
        try workshop.write(config: ["assetArray": ["a.mov", "b.mov"], "selectTimeRange": ["start": 0.8, "end": 1.5]])
        try workshop.render("m.mp4")
        #expect(try workshop.counters("m.mp4") == Array(24..<30) + Array(0..<15))
        let frame = try workshop.editor("--config", "cfg.json", "frame", "--at", "0.5", "--output", "f.png")
        #expect(frame.status == 0, "\(frame.err)")
        #expect(try workshop.counters("f.png").count == 1)
        let seen = try workshop.color("f.png", frame: 0, x: 80, y: 140)
        // Picture 9 of the second clip: luma 58, full range (58 − 16) · 255 / 219.
        #expect(abs(seen[1] - 49) <= 2)
    }

    /// 4. A clip without sound crashed; it is silence of exactly the clip's length.
    @Test func aClipWithoutSoundIsSilence() throws {
        try workshop.makeColor("silent.mov", "red", seconds: 0.5)
        try workshop.makeColor("tone.mov", "blue", seconds: 0.5, tone: 1000)
        try workshop.write(config: [
            "assetArray": ["tone.mov", "silent.mov", "tone.mov"],
            "export": ["preset": "ultrafast", "audioCodec": "pcm_s16le"],
        ])
        try workshop.render("m.mov")
        let samples = try workshop.samples("m.mov")
        #expect(samples.count == 72_000)
        #expect(samples[24_000..<48_000].allSatisfy { $0 == 0 })
        #expect(abs(Workshop.amplitude(samples[..<24_000], hertz: 1000) - 0.25) < 0.002)
        #expect(abs(Workshop.amplitude(samples[48_000...], hertz: 1000) - 0.25) < 0.002)
    }

    /// 5. The volume was set at the clip's end instead of its start.
    @Test func theVolumeHoldsFromTheClipsStart() throws {
        try workshop.makeColor("tone.mov", "blue", seconds: 0.5, tone: 1000)
        try workshop.write(config: [
            "assetArray": [["path": "tone.mov", "volume": 0.2], ["path": "tone.mov", "volume": 1]],
            "export": ["preset": "ultrafast", "audioCodec": "pcm_s16le"],
        ])
        try workshop.render("m.mov")
        let samples = try workshop.samples("m.mov")
        for (start, amplitude) in [(0, 0.05), (19_200, 0.05), (24_000, 0.25), (43_200, 0.25)] {
            #expect(
                abs(Workshop.amplitude(samples[start..<start + 4800], hertz: 1000) - amplitude) < 0.003, "from \(start)"
            )
        }
    }

    /// 6. Music shorter than the movie neither looped nor ended cleanly.
    @Test(arguments: [true, false])
    func shortMusicLoopsAndEndsCleanly(loops: Bool) throws {
        try workshop.makeColor("a.mov", "red", seconds: 2)
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "sine=frequency=500:duration=0.6:sample_rate=48000", "-c:a", "pcm_s16le", "song.wav",
        ])
        try workshop.write(config: [
            "assetArray": ["a.mov"],
            "effects": [["type": "music", "source": "song.wav", "volume": 1, "loop": .bool(loops)]],
            "export": ["preset": "ultrafast", "audioCodec": "pcm_s16le"],
        ])
        try workshop.render("m.mov")
        let samples = try workshop.samples("m.mov")
        #expect(samples.count == 96_000)
        let levels = stride(from: 0, to: 96_000 - 4800, by: 4800).map { Workshop.level(samples[$0..<$0 + 4800]) }
        let first = levels[0]
        if loops {
            #expect(levels.allSatisfy { abs($0 - first) < 0.5 })
            #expect(abs(samples[95_999]) < 0.002, "it ends without a click")
        } else {
            #expect(levels[..<6].allSatisfy { abs($0 - first) < 0.5 })
            #expect(samples[28_800...].allSatisfy { $0 == 0 })
        }
    }

    /// Upper left part of the display matrix, as in the file, and where the stored picture's red upper left quarter shows.
    static let matrices: [(name: String, matrix: [Int32], isUpright: Bool, x: Double, y: Double)] = [
        ("none", [1, 0, 0, 1], true, 0.25, 0.25), ("90", [0, 1, -1, 0], false, 0.75, 0.25),
        ("180", [-1, 0, 0, -1], true, 0.75, 0.75), ("270", [0, -1, 1, 0], false, 0.25, 0.75),
        ("mirrored", [-1, 0, 0, 1], true, 0.75, 0.25), ("mirrored and upside down", [1, 0, 0, -1], true, 0.25, 0.75),
        ("transposed", [0, 1, 1, 0], false, 0.25, 0.25), ("antitransposed", [0, -1, -1, 0], false, 0.75, 0.75),
    ]

    /// 7. Only 90° was applied; 180°, 270° and mirrored were ignored.
    @Test(arguments: matrices.indices)
    func everyOrientationIsHonoured(index: Int) throws {
        let (_, matrix, isUpright, x, y) = Self.matrices[index]
        // Red, lime above blue, white.
        try workshop.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "nullsrc=s=160x96:r=30:d=0.2,format=rgb24,geq=r='if(gte(X,80),255*gte(Y,48),255*lt(Y,48))':g='255*gte(X,80)':b='255*gte(Y,48)',scale=out_color_matrix=bt709,format=yuv420p",
            ] + Workshop.exactly + ["stored.mov"])
        var file = try workshop.bytes("stored.mov")
        // The track header's matrix: nine numbers, 16.16 but for the third column's 2.30.
        let header = try #require(file.range(of: Data("tkhd".utf8)))
        let start = header.upperBound + 40
        for (place, value) in [(0, matrix[0]), (1, matrix[1]), (3, matrix[2]), (4, matrix[3])] {
            let bytes = withUnsafeBytes(of: (value << 16).bigEndian) { Data($0) }
            file.replaceSubrange(start + place * 4..<start + place * 4 + 4, with: bytes)
        }
        try file.write(to: URL(fileURLWithPath: workshop.path("a.mov")))
        let (width, height) = isUpright ? (160, 96) : (96, 160)
        try workshop.write(config: [
            "assetArray": ["a.mov"],
            "renderSize": ["width": .number(Double(width)), "height": .number(Double(height))],
            "videoGravity": "resizeAspect",
        ])
        try workshop.render("m.mp4")
        for (cornerX, cornerY) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let seen = try workshop.color(
                "m.mp4", frame: 2, x: Int(cornerX * Double(width)), y: Int(cornerY * Double(height)))
            let isRed = seen[0] > 200 && seen[1] < 60 && seen[2] < 60
            #expect(
                isRed == (cornerX == x && cornerY == y),
                "\(Self.matrices[index].name) at \(cornerX), \(cornerY): \(seen)")
        }
    }

    /// 7. Odd heights were not handled: 96×75 fitted to 160 is 125 high.
    @Test func oddHeightsFillTheirPlace() throws {
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "color=c=white:s=96x75:r=30:d=0.2,format=yuv444p", "-c:v", "ffv1", "odd.mkv",
        ])
        try workshop.write(config: ["assetArray": ["odd.mkv"], "renderSize": ["width": 160, "height": 160]])
        try workshop.render("m.mp4")
        // In the middle of black; every row within is white, to its edges.
        for y in stride(from: 20, to: 140, by: 2) {
            #expect(try workshop.lumas("m.mp4", crop: "160:2:0:\(y)")[0] > 232, "row \(y)")
        }
        #expect(try workshop.lumas("m.mp4", crop: "160:14:0:0")[0] < 20)
    }

    /// 8. A clip without video left garbage instructions.
    @Test func aClipWithoutVideoIsRefusedByName() throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        try workshop.ffmpeg(["-f", "lavfi", "-i", "sine=duration=0.5", "-c:a", "pcm_s16le", "song.wav"])
        try workshop.write(config: ["assetArray": ["a.mov", "song.wav"]])
        let result = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4")
        #expect(result.status == 65)
        #expect(result.err.contains("/assetArray/1: song.wav has no video"))
        #expect(result.out.isEmpty && !workshop.exists("m.mp4"))
    }

    /// 9. A failed export still returned the path, and an existing file made it fail.
    @Test func aFailureReturnsNoPathAndLeavesNoFile() throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        try workshop.write("the old movie", to: "m.mp4")
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let refused = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4")
        #expect(refused.status == 73 && refused.out.isEmpty)
        #expect(refused.err.contains("m.mp4 exists already") && refused.err.contains("--overwrite"))
        #expect(try workshop.bytes("m.mp4") == Data("the old movie".utf8))
        try workshop.render("m.mp4", "--overwrite")
        #expect(try workshop.probe("m.mp4", "-show_format").string("format.format_name")?.contains("mp4") == true)
        #expect(workshop.files == ["a.mov", "cfg.json", "m.mp4"])
    }

    /// 9. There was no progress.
    @Test func progressIsToldWithoutFalling() throws {
        try workshop.makeColor("a.mov", "red", seconds: 2)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let result = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4", "--progress", "json")
        let events = try result.err.split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        #expect(events.compactMap { $0.string("state") } == ["waiting", "exporting", "completed"])
        let fractions = events.filter { $0.string("event") == "progress" }.compactMap { $0.number("fraction") }
        #expect(!fractions.isEmpty && fractions.last == 1)
        #expect(fractions == fractions.sorted())
    }

    /// A run that fails speaks JSON to the end, where that was asked for.
    @Test func progressTellsOfErrors() throws {
        func lastEvent(_ status: Int32) throws -> JSONValue {
            let result = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4", "--progress", "json")
            #expect(result.status == status, "\(result.err)")
            let events = try result.err.split(separator: "\n").map {
                try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
            }
            return try #require(events.last)
        }
        try workshop.write(config: ["assetArray": ["none.mov"]])
        let missing = try lastEvent(66)
        #expect(missing.string("event") == "error" && missing.string("code") == "clip.unreadable")
        #expect(missing.string("pointer") == "/assetArray/0")
        #expect(missing.string("message")?.contains("none.mov") == true)
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        try workshop.write("there already", to: "m.mp4")
        #expect(try lastEvent(73).string("event") == "error")
    }

    /// 9. MPEG-4 files were named `.mov`; directory and name were joined without `/`.
    @Test func namesSayWhatFilesAre() throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        try FileManager.default.createDirectory(atPath: workshop.path("made"), withIntermediateDirectories: true)
        try workshop.write(config: ["assetArray": ["a.mov"], "mergeFilePath": "made", "mergeFileName": "merged.mov"])
        let result = try workshop.editor("--config", "cfg.json", "run")
        #expect(result.status == 0, "\(result.err)")
        #expect(result.out == "made/merged.mov\n")
        let brand = try workshop.bytes("made/merged.mov")[4..<12]
        #expect(String(decoding: brand, as: UTF8.self) == "ftypqt  ")
        try workshop.render("m.mp4")
        #expect(String(decoding: try workshop.bytes("m.mp4")[4..<8], as: UTF8.self) == "ftyp")
        #expect(try workshop.bytes("m.mp4")[8..<12] != Data("qt  ".utf8))
    }

    /// 10. Segments and music drifted: there was no common clock. Forty segments of 13 pictures at 29.97 a second, under
    /// music that beeps every second: the last beep is where it belongs, and so is the last segment.
    @Test func segmentsAndMusicKeepOneClock() throws {
        try workshop.makeCounter("s.mov", frames: 13, rate: "30000/1001", size: "64x64", tone: 3000)
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*800*t)*lt(mod(t,1),0.05)':s=44100:d=20", "-c:a", "pcm_s16le",
            "beeps.wav",
        ])
        try workshop.write(config: [
            "assetArray": .array(Array(repeating: ["path": "s.mov", "volume": 0.1], count: 40)),
            "frameRate": "30000/1001",
            "renderSize": ["width": 64, "height": 64],
            "effects": [["type": "music", "source": "beeps.wav", "volume": 1]],
            "export": ["preset": "ultrafast", "audioCodec": "pcm_s16le"],
        ])
        try workshop.render("m.mov")
        #expect(try workshop.counters("m.mov") == (0..<520).map { $0 % 13 })
        let samples = try workshop.samples("m.mov")
        #expect(samples.count == Int((520 * 48_000 * 1001 / 30000.0).rounded()))
        for second in [0, 8, 17] {
            let onset = samples[max(0, second * 48_000 - 2400)...].firstIndex { abs($0) > 0.1 } ?? 0
            #expect(abs(onset - second * 48_000) < 48, "the beep at \(second) s begins at sample \(onset)")
        }
    }
}
