import EditorCore
import Foundation
import Testing

/// Interrupted runs, and runs after a change.
@Suite struct ResumeTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// Long enough to be caught in the middle: 60 spans of 15 pictures.
    private func writeLongConfig() throws {
        try workshop.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=180x320", "-frames:v", "1", "photo.png"])
        try workshop.write(config: [
            "assetArray": [["path": "photo.png", "duration": 30]], "renderSize": ["width": 180, "height": 320],
            "effects": [
                [
                    "type": "sticker", "image": "photo.png", "width": 0.3,
                    "rotation": [["time": 0, "value": 0], ["time": 30, "value": 360]],
                ]
            ],
            "export": ["preset": "ultrafast", "keyFrameInterval": 0.5],
        ])
    }

    /// Starts a run and returns once it has told of some progress.
    private func startAndWait(_ arguments: [String] = []) throws -> Process {
        let process = workshop.process(
            Workshop.editor,
            ["--config", "cfg.json", "run", "--output", "m.mp4", "--progress", "json", "--jobs", "2"] + arguments)
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.start()
        var text = ""
        while process.isRunning {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
            let fractions = text.split(separator: "\n").compactMap { line in
                (try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8)))?.number("fraction")
            }
            if let last = fractions.last, last > 0.15 { return process }
        }
        Issue.record("the run ended before it could be interrupted: \(text)")
        return process
    }

    @Test func aKilledRunGoesOnWhereItStopped() throws {
        try writeLongConfig()
        let process = try startAndWait()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(!workshop.exists("m.mp4"))

        let again = try workshop.render("m.mp4", "--json").json
        #expect(try #require(again.number("spans.total")) == 60)
        #expect(try #require(again.number("spans.cached")) >= 2)
        #expect(try #require(again.number("spans.rendered")) < 60)
        #expect(workshop.files == ["cfg.json", "m.mp4", "photo.png"], "what the killed run left behind is gone")
        try workshop.render("undisturbed.mp4", "--jobs", "1", cache: "tmp/other")
        #expect(try workshop.bytes("m.mp4") == workshop.bytes("undisturbed.mp4"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func signalsCancelCleanly(signal: Int32) throws {
        try writeLongConfig()
        try workshop.write("the old movie", to: "m.mp4")
        let process = try startAndWait(["--overwrite"])
        let start = ContinuousClock.now
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(workshop.files == ["cfg.json", "m.mp4", "photo.png"])
        #expect(try workshop.bytes("m.mp4") == Data("the old movie".utf8))
        let again = try workshop.render("m.mp4", "--overwrite", "--json").json
        #expect(try #require(again.number("spans.cached")) >= 2)
    }

    /// Without a cache the spans lie in a file that has no name: a killed run leaves nothing of them.
    @Test func aKilledRunWithoutACacheLeavesNoSpans() throws {
        try writeLongConfig()
        let process = try startAndWait(["--no-cache"])
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let left = try FileManager.default.contentsOfDirectory(atPath: workshop.path("tmp"))
        #expect(left.filter { $0.hasPrefix("editor-") }.isEmpty)
        #expect(!workshop.exists("cache/editor/spans"))
        try workshop.render("m.mp4", "--no-cache")
        #expect(workshop.files == ["cfg.json", "m.mp4", "photo.png"])
    }

    /// A file that comes while the movie is being made stays.
    @Test func aMovieThatAppearsMeanwhileIsKept() throws {
        try writeLongConfig()
        let process = try startAndWait()
        try workshop.write("somebody else's", to: "m.mp4")
        process.waitUntilExit()
        #expect(process.terminationStatus == 73)
        #expect(try workshop.bytes("m.mp4") == Data("somebody else's".utf8))
        #expect(workshop.files == ["cfg.json", "m.mp4", "photo.png"])
    }

    /// Planning reads whole files to measure how loud they are; that can be cancelled too.
    @Test(arguments: ["plan", "check", "run"])
    func measuringIsCancelled(command: String) throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        // Half an hour of music, packed small.
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "sine=440:duration=1800:sample_rate=48000", "-c:a", "flac", "-compression_level", "0",
            "song.flac",
        ])
        try workshop.write(config: [
            "assetArray": ["a.mov"], "effects": [["type": "music", "source": "song.flac", "loudness": -16]],
        ])
        let process = workshop.process(Workshop.editor, ["-v", "--config", "cfg.json", command])
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.start()
        // From this line on signals cancel; measuring comes soon after.
        var text = ""
        while !text.contains("config cfg.json") {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGINT)
        let start = ContinuousClock.now
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130, "\(text)")
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(workshop.files == ["a.mov", "cfg.json", "song.flac"])
    }

    @Test func anotherWordingRendersItsSpansAlone() throws {
        try workshop.makeCounter("a.mov", frames: 60, tone: 500)
        func config(_ first: String, _ second: String) -> JSONValue {
            [
                "assetArray": ["a.mov"], "export": ["preset": "ultrafast", "keyFrameInterval": 0.2],
                "effects": [
                    ["type": "text", "text": .string(first), "timeRange": ["start": 0.2, "duration": 0.6]],
                    ["type": "text", "text": .string(second), "timeRange": ["start": 1.4, "duration": 0.4]],
                ],
            ]
        }
        func spans(_ output: String) throws -> [Double?] {
            let result = try workshop.render(output, "--json").json
            return ["total", "rendered", "cached", "copied"].map { result.number("spans.\($0)") }
        }
        try workshop.write(config: config("Hello", "World"))
        #expect(try spans("1.mp4") == [10, 10, 0, 0])
        #expect(try spans("2.mp4") == [10, 0, 10, 0])
        #expect(try workshop.bytes("1.mp4") == workshop.bytes("2.mp4"))
        try workshop.write(config: config("Hello", "Moon"))
        #expect(try spans("3.mp4") == [10, 2, 8, 0])
        try workshop.write(config: config("Good morning", "Moon"))
        #expect(try spans("4.mp4") == [10, 3, 7, 0])
        try workshop.render("fresh.mp4", "--no-cache")
        #expect(try workshop.bytes("4.mp4") == workshop.bytes("fresh.mp4"))
    }

    @Test func plansTellWhatIsCached() throws {
        try workshop.makeCounter("a.mov", frames: 30)
        try workshop.write(config: [
            "assetArray": ["a.mov"], "export": ["preset": "ultrafast", "keyFrameInterval": 0.5],
        ])
        func states() throws -> [String?] {
            let plan = try workshop.editor("--config", "cfg.json", "plan", "--json", "--output", "m.mp4").json
            return [0, 1].map { plan.string("spans.\($0).state") }
        }
        #expect(try states() == ["render", "render"])
        try workshop.render("m.mp4")
        #expect(try states() == ["cached", "cached"])
        let listed = try workshop.editor("cache", "list")
        #expect(listed.status == 0 && listed.out.contains(".span"))
        #expect(try workshop.editor("cache", "clear").status == 0)
        #expect(try states() == ["render", "render"])
    }

    @Test func jobsDoNotChangeTheMovie() throws {
        try workshop.makeCounter("a.mov", frames: 50, tone: 700)
        try workshop.makeColor("b.mov", "orange", seconds: 1, size: "320x180", rate: "25", tone: 900)
        try workshop.write(config: [
            "assetArray": ["a.mov", ["path": "b.mov", "videoGravity": "resizeAspectBlur"]],
            "effects": [
                ["type": "text", "text": "Same", "animation": ["in": "pop"]], ["type": "beauty", "smooth": 0.5],
            ],
            "export": ["preset": "ultrafast", "keyFrameInterval": 0.3],
        ])
        try workshop.render("1.mp4", "--no-cache", "--jobs", "1")
        try workshop.render("2.mp4", "--no-cache", "--jobs", "2")
        #expect(try workshop.bytes("1.mp4") == workshop.bytes("2.mp4"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("tmp")).isEmpty)
    }

    /// An encoder that reads what it never wrote gives other bytes where the memory held something else.
    @Test func whatTheMemoryHeldBeforeDoesNotChangeTheMovie() throws {
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=360x640:r=30:d=2,noise=alls=8:allf=t", "-c:v", "libx264", "-preset",
            "ultrafast",
            "-pix_fmt", "yuv420p", "a.mp4",
        ])
        try workshop.write(config: ["assetArray": ["a.mp4"], "export": ["keyFrameInterval": 1]])
        var movies: [Data] = []
        for filling in ["85", "170", "255"] {
            let result = try workshop.editor(
                "--config", "cfg.json", "run", "--no-cache", "--output", "\(filling).mp4",
                environment: ["MALLOC_PERTURB_": filling])
            try #require(result.status == 0, "\(result.err)")
            movies.append(try workshop.bytes("\(filling).mp4"))
        }
        let areEqual = movies.allSatisfy { $0 == movies[0] }
        #expect(areEqual)
    }

    /// The encoder's memory held other spans before, or nothing at all: pictures large enough that x264 uses all that the
    /// processor has.
    @Test func spansAreTheSameWhateverWasRenderedBefore() throws {
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=720x1280:r=30:d=2,noise=alls=8:allf=t", "-c:v", "libx264", "-preset",
            "ultrafast", "-pix_fmt", "yuv420p", "a.mp4",
        ])
        try workshop.write(config: [
            "assetArray": ["a.mp4"], "renderSize": ["width": 720, "height": 1280],
            "export": ["keyFrameInterval": 0.25, "preset": "veryfast"],
        ])
        try workshop.render("whole.mp4", "--jobs", "1")
        let folder = workshop.path("cache/editor/spans")
        let spans = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/\($0)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
        try #require(spans.count >= 8)
        for (number, span) in spans.enumerated() where number % 3 != 0 {
            try FileManager.default.removeItem(atPath: "\(folder)/\(span)")
        }
        let again = try workshop.render("again.mp4", "--jobs", "4", "--json").json
        #expect(try #require(again.number("spans.rendered")) >= 4)
        let areEqual = try workshop.bytes("again.mp4") == workshop.bytes("whole.mp4")
        #expect(areEqual)

        // x264 writes its settings into the stream. AVX-512 goes with halves.
        let processor = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let usesHalves = try workshop.bytes("whole.mp4").range(of: Data("sliced_threads=1 ".utf8)) != nil
        #expect(usesHalves == processor.contains("avx512bw"))
    }

    /// With one arena the decoders of several clips leave holes in the heap that the encoder's pictures go into.
    @Test func holesInTheHeapDoNotChangeTheMovie() throws {
        for number in 0..<5 {
            try workshop.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=720x1280:r=30:d=0.5,noise=alls=\(6 + number):allf=t", "-c:v",
                "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", "\(number).mp4",
            ])
        }
        try workshop.write(config: [
            "assetArray": ["0.mp4", "1.mp4", "2.mp4", "3.mp4", "4.mp4"], "renderSize": ["width": 720, "height": 1280],
            "export": ["keyFrameInterval": 0.5, "preset": "veryfast"],
        ])
        var movies: [Data] = []
        for (arenas, jobs) in [("1", "1"), ("1", "2"), ("1", "4"), ("8", "2")] {
            let name = "\(arenas)-\(jobs).mp4"
            let result = try workshop.editor(
                "--config", "cfg.json", "run", "--no-cache", "--output", name, "--jobs", jobs,
                environment: ["MALLOC_ARENA_MAX": arenas])
            try #require(result.status == 0, "\(result.err)")
            movies.append(try workshop.bytes(name))
        }
        let areEqual = movies.allSatisfy { $0 == movies[0] }
        #expect(areEqual)
    }
}
