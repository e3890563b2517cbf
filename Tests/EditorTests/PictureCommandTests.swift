import EditorCore
import EditorKit
import Foundation
import Testing

/// `frame` and `thumbnails`: which pictures, in which files.
@Suite struct PictureCommandTests {
    /// A clip whose picture `n` has the luma 40 + 2n, with a key frame every ten pictures.
    private func makeSource(_ workshop: Workshop, _ name: String = "a.mp4", frames: Int = 60) throws {
        try workshop.makeCounter("plain.mp4", frames: frames)
        try workshop.ffmpeg(
            ["-i", "plain.mp4"] + Workshop.exactly + ["-g", "10", "-keyint_min", "10", "-bf", "2", name])
    }

    private func index(_ workshop: Workshop, _ name: String) throws -> [JSONValue] {
        let value = try JSONDecoder().decode(JSONValue.self, from: try workshop.bytes(name))
        guard case .array(let pictures)? = value["pictures"] else { return [] }
        return pictures
    }

    @Test func picturesOfASourceAreThoseOfItsTimes() throws {
        let workshop = try Workshop()
        try makeSource(workshop)
        let result = try workshop.editor(
            "thumbnails", "--source", "a.mp4", "--at", "0", "--at", "0.51", "--at", "37f", "--at", "00:01.9",
            "--output",
            "t")
        #expect(result.status == 0, "\(result.err)")
        let pictures = try index(workshop, "t/index.json")
        #expect(pictures.compactMap { $0.number("time") } == [0, 0.51, 37.0 / 30, 1.9])
        #expect(pictures.compactMap { $0.string("file") } == ["0.png", "1.png", "2.png", "3.png"])
        #expect(try (0..<4).flatMap { try workshop.counters("t/\($0).png") } == [0, 15, 37, 57])
    }

    /// The nearest key frame, before or after.
    @Test func fastGivesKeyFrames() throws {
        let workshop = try Workshop()
        try makeSource(workshop)
        let times = [0, 4, 6, 12, 16, 38, 59]
        let result = try workshop.run(
            Workshop.editor,
            ["thumbnails", "--source", "a.mp4", "--fast", "--no-cache", "--output", "t"]
                + times.flatMap { ["--at", "\($0)f"] })
        #expect(result.status == 0, "\(result.err)")
        let shown = try times.indices.flatMap { try workshop.counters("t/\($0).png") }
        #expect(shown == [0, 0, 10, 10, 20, 40, 50])
        // In a composition too, where a clip begins in the middle of a group.
        try workshop.write(config: ["assetArray": [["path": "a.mp4", "timeRange": ["start": 0.5, "duration": 1]]]])
        try workshop.editor("--config", "cfg.json", "frame", "--at", "0.3", "--fast", "--output", "fast.png")
        try workshop.editor("--config", "cfg.json", "frame", "--at", "0.3", "--output", "exact.png")
        #expect(try workshop.counters("fast.png") == [20] && workshop.counters("exact.png") == [24])
    }

    @Test func everyFormAndFormatIsWritten() throws {
        let workshop = try Workshop()
        try makeSource(workshop)
        for name in ["s.png", "s.jpg", "s.webp"] {
            let result = try workshop.editor(
                "thumbnails", "--source", "a.mp4", "--count", "3", "--width", "40", "--output", name, "--json")
            let list = try result.json
            #expect(list.number("width") == 40 && list.number("height") == 72)
            #expect(list.number("pictures.2.x") == 80 && list.string("pictures.2.file") == name)
            let facts = try workshop.probe(name, "-show_streams")
            #expect(facts.number("streams.0.width") == 120 && facts.number("streams.0.height") == 72)
        }
        let result = try workshop.editor(
            "thumbnails", "--source", "a.mp4", "--every", "0.5", "--format", "webp", "--output", "t")
        #expect(result.out == "t/0.webp\nt/1.webp\nt/2.webp\nt/3.webp\n", "\(result.err)")
        #expect(try workshop.editor("thumbnails", "--source", "a.mp4", "--every", "0.5", "--output", "t").status == 73)
        for wrong in [["--format", "tiff"], ["--at", "0", "--every", "1"], ["--at", "9"], ["--draft"]] {
            let arguments = ["thumbnails", "--source", "a.mp4", "--count", "2", "--output", "u"] + wrong
            let result = try workshop.run(Workshop.editor, arguments)
            #expect([64, 65].contains(result.status), "\(wrong): \(result.err)")
        }
        #expect(!workshop.exists("u"))
    }

    /// A label changes the lower edge and nothing above it.
    @Test func labelsStandAtTheLowerEdge() throws {
        let workshop = try Workshop()
        try makeSource(workshop)
        try workshop.editor("frame", "--source", "a.mp4", "--at", "1", "--output", "bare.png")
        try workshop.editor("frame", "--source", "a.mp4", "--at", "1", "--labels", "--output", "told.png")
        for (crop, isEqual) in [("160:220:0:0", true), ("160:50:0:234", false)] {
            let (bare, told) = (try workshop.lumas("bare.png", crop: crop), try workshop.lumas("told.png", crop: crop))
            #expect((bare == told) == isEqual, "\(crop)")
        }
    }

    /// What the cache gives is what was made, whoever asks; damage is noticed; `cache` knows of it.
    @Test func keptPicturesAreTheSame() throws {
        let workshop = try Workshop()
        try makeSource(workshop)
        func strip(_ name: String, _ extra: String...) throws -> Data {
            let result = try workshop.run(
                Workshop.editor,
                ["thumbnails", "--source", "a.mp4", "--count", "5", "--output", name] + extra)
            #expect(result.status == 0, "\(result.err)")
            return try workshop.bytes(name)
        }
        let plain = try strip("plain.png", "--no-cache")
        #expect(!workshop.exists("cache/editor/pictures"))
        #expect(try strip("first.png") == plain)
        let folder = "cache/editor/pictures"
        let files = try FileManager.default.contentsOfDirectory(atPath: workshop.path(folder))
        // Five pictures, and what is known of the source.
        #expect(files.count == 6)
        #expect(try strip("second.png") == plain)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path(folder)).sorted() == files.sorted())
        for file in files {
            var bytes = try workshop.bytes("\(folder)/\(file)")
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: workshop.path("\(folder)/\(file)")))
        }
        #expect(try strip("third.png") == plain)
        // Another content under the same name is another picture.
        try workshop.makeCounter("b.mp4", frames: 30, chroma: (90, 160))
        try FileManager.default.removeItem(atPath: workshop.path("a.mp4"))
        try FileManager.default.moveItem(atPath: workshop.path("b.mp4"), toPath: workshop.path("a.mp4"))
        #expect(try strip("other.png") != plain)
        #expect(try workshop.editor("cache", "list").out.contains(".picture"))
        #expect(try workshop.editor("cache", "clear").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path(folder)).isEmpty)
    }

    @Test func aSourceThatIsNoneIsRefused() throws {
        let workshop = try Workshop()
        try workshop.write("no movie", to: "text.mp4")
        try workshop.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1", "tone.wav"])
        let expected: [(String, Int32)] = [("missing.mp4", 66), ("text.mp4", 65), ("tone.wav", 65)]
        for (name, status) in expected {
            let result = try workshop.editor("frame", "--source", name, "--at", "0", "--output", "f.png")
            #expect(result.status == status && result.err.contains(name), "\(result.err)")
        }
        #expect(!workshop.exists("f.png"))
    }

    /// SIGINT and SIGTERM end with 130, and nothing that was written stays.
    @Test(arguments: [("frame", SIGINT), ("thumbnails", SIGTERM)])
    func signalsLeaveNoPictures(command: String, signal: Int32) throws {
        let workshop = try Workshop()
        try makeSource(workshop)
        let times = command == "frame" ? (0..<900).flatMap { ["--at", "\($0 % 60)f"] } : ["--count", "900"]
        let process = workshop.process(
            Workshop.editor, [command, "--source", "a.mp4", "--no-cache", "--width", "160", "--output", "t"] + times)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        // The first batch of pictures is there.
        for _ in 0..<20_000 where !workshop.exists("t/000.png") { usleep(1_000) }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(workshop.files == ["a.mp4", "plain.mp4"])
        // What was there before stays, and so does the folder.
        try FileManager.default.createDirectory(atPath: workshop.path("t"), withIntermediateDirectories: true)
        try workshop.write("somebody else's", to: "t/1.png")
        let refused = try workshop.editor("thumbnails", "--source", "a.mp4", "--count", "2", "--output", "t")
        #expect(refused.status == 73 && !workshop.exists("t/0.png") && workshop.exists("t/1.png"), "\(refused.err)")
    }
}
