import EditorCore
import Foundation
import Testing

/// Exit codes, streams and words.
@Suite struct CommandLineTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func writeSmallConfig(_ further: [String: JSONValue] = [:]) throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2, size: "64x64")
        try workshop.write(
            config: .object(
                ["assetArray": ["a.mov"], "renderSize": ["width": 64, "height": 64]].merging(further) { $1 }))
    }

    @Test(
        arguments: [
            ([], 64, "usage"), (["rnu"], 64, "did you mean \"run\""),
            (["run", "--outptu", "m.mp4"], 64, "did you mean --output"),
            (["run"], 64, "--config"), (["--config", "cfg.json", "run", "--jobs", "0"], 64, "--jobs"),
            (["--config", "cfg.json", "run", "--from", "x"], 64, "--from \"x\" is no time"),
            (["--config", "cfg.json", "run", "--from", "2", "--to", "1"], 64, "before"),
            (["--config", "cfg.json", "run", "--output", "m.mp4", "--progress", "loud"], 64, "loud"),
            (["--config", "cfg.json", "frame", "--at", "0"], 64, "--output"),
            (["doctor", "--jobs", "2"], 64, "--jobs does not go with doctor"),
            (["effects", "info", "stiker"], 64, "sticker"),
            (["--config", "cfg.json", "run", "--output", "m.mp4", "--set", "frameRate=0"], 65, "/frameRate"),
            (["--config", "cfg.json", "run", "--output", "m.mp4", "--set", "renderSize.width=65"], 65, "64"),
            (["--config", "cfg.json", "run", "--output", "m.mp4", "--from", "5"], 65, "--from/--to"),
            (["--config", "cfg.json", "frame", "--at", "5", "--output", "f.png"], 65, "no frame at 5 s"),
            (["--config", "nowhere.json", "run"], 66, "nowhere.json"), (["probe", "nowhere.mp4"], 66, "nowhere.mp4"),
            (
                ["--config", "cfg.json", "run", "--output", "m.mp4", "--set", "assetArray.0=gone.mov"], 66,
                "/assetArray/0"
            ),
            (["--config", "cfg.json", "run", "--output", "m.mp4", "--set", "effectModules=[\"glow\"]"], 69, "glow"),
            (["--config", "cfg.json", "run", "--output", "nowhere/m.mp4"], 73, "nowhere"),
            (["--config", "cfg.json", "run", "--output", "tmp"], 73, "folder"),
        ] as [([String], Int32, String)])
    func failuresHaveTheirCodesAndSentences(arguments: [String], status: Int32, words: String) throws {
        try writeSmallConfig()
        let result = try workshop.run(Workshop.editor, arguments)
        #expect(result.status == status, "\(result.err)")
        #expect(result.out.isEmpty, "nothing was asked for that could be given")
        #expect(result.err.contains(words), "\(result.err)")
        for word in ["Fatal error", "EditorError", "Optional(", "Error Domain"] { #expect(!result.err.contains(word)) }
        #expect(workshop.files == ["a.mov", "cfg.json"])
    }

    @Test func aSyntaxErrorNamesItsLine() throws {
        try workshop.write("{\n  \"assetArray\": [\"a.mov\"]\n  \"frameRate\": 30\n}\n", to: "cfg.json")
        let result = try workshop.editor("--config", "cfg.json", "check")
        #expect(result.status == 65)
        #expect(result.err.contains("cfg.json:3:") || result.err.contains("line 3"), "\(result.err)")
    }

    @Test func checkTellsEveryProblemAtOnce() throws {
        try writeSmallConfig([
            "frameRat": 30, "videoGravity": "fitwidth",
            "effects": [["type": "beauty", "smooth": 2], ["type": "sticker", "image": "gone.png"], ["type": "txt"]],
        ])
        let result = try workshop.editor("--config", "cfg.json", "check", "--json")
        #expect(result.status == 65)
        guard case .array(let findings) = try result.json else { return }
        #expect(
            Set(findings.compactMap { $0.string("pointer") })
                == ["/frameRat", "/videoGravity", "/effects/0/smooth", "/effects/1/image", "/effects/2/type"])
    }

    /// A config that has no clips yet is checked all the same: effects, codecs, and the movie's place.
    @Test func checkLooksAtEverythingWithoutClips() throws {
        try workshop.write(config: [
            "effects": [["type": "beauty", "smooth": 2], ["type": "sticker", "image": "gone.png"]],
            "export": ["videoCodec": "h265x"], "mergeFilePath": "nowhere", "mergeFileName": "m.mp4",
        ])
        let result = try workshop.editor("--config", "cfg.json", "check", "--json")
        #expect(result.status == 65)
        guard case .array(let findings) = try result.json else { return }
        #expect(
            Set(findings.compactMap { $0.string("pointer") })
                == ["", "/effects/0/smooth", "/effects/1/image", "/export/videoCodec"], "\(result.out)")
        #expect(result.out.contains("nowhere/m.mp4 cannot be created: the folder nowhere does not exist"))
        try workshop.write(config: ["effects": [["type": "beauty", "smooth": 0.2]]])
        #expect(try workshop.editor("--config", "cfg.json", "check").status == 0)
    }

    @Test func checkLooksAtTheMoviesPlace() throws {
        try writeSmallConfig()
        let missing = try workshop.editor("--config", "cfg.json", "check", "--output", "nowhere/m.mp4")
        #expect(missing.status == 73 && missing.err.contains("nowhere"), "\(missing.err)")
        // Nothing is made by looking, neither a folder nor a file.
        #expect(try workshop.editor("--config", "cfg.json", "check").status == 0)
        #expect(!workshop.exists("cache/editor"))
        try workshop.write("kept", to: "m.mp4")
        let taken = try workshop.editor("--config", "cfg.json", "check", "--output", "m.mp4")
        #expect(taken.status == 0 && taken.err.contains("warning: m.mp4 exists already"), "\(taken.err)")
        let replaced = try workshop.editor("--config", "cfg.json", "check", "--output", "m.mp4", "--overwrite")
        #expect(replaced.status == 0 && !replaced.err.contains("exists"))
        #expect(workshop.files == ["a.mov", "cfg.json", "m.mp4"])
    }

    @Test func outputsAreNotOverwrittenUnasked() throws {
        try writeSmallConfig()
        let commands = [
            ["run", "--output", "m.mp4"], ["frame", "--at", "0", "--output", "f.png"],
            ["thumbnails", "--count", "2", "--output", "s.png"], ["thumbnails", "--count", "2", "--output", "t"],
            ["render-audio", "--output", "m.wav"], ["waveform", "--output", "w.png"],
        ]
        for command in commands {
            let first = try workshop.run(Workshop.editor, ["--config", "cfg.json"] + command)
            #expect(first.status == 0, "\(first.err)")
            let again = try workshop.run(Workshop.editor, ["--config", "cfg.json"] + command)
            #expect(again.status == 73 && again.err.contains("--overwrite"), "\(command): \(again.err)")
            let replaced = try workshop.run(Workshop.editor, ["--config", "cfg.json", "--overwrite"] + command)
            #expect(replaced.status == 0, "\(replaced.err)")
        }
        // What is no ordinary file is never replaced.
        let device = try workshop.editor("--config", "cfg.json", "run", "--overwrite", "--output", "/dev/null")
        #expect(device.status == 73 && device.err.contains("/dev/null"), "\(device.err)")
    }

    /// `--json` gives every result as one JSON document and nothing else.
    @Test func everyResultIsToldAsJSON() throws {
        try writeSmallConfig()
        func json(_ words: String...) throws -> JSONValue {
            let result = try workshop.run(Workshop.editor, ["--config", "cfg.json", "--json"] + words)
            #expect(result.status == 0, "\(words): \(result.err)")
            return try result.json
        }
        let frame = try json("frame", "--at", "0.1", "--output", "f.png")
        #expect(frame.string("path") == "f.png" && frame.number("frame") == 3 && frame.number("time") == 0.1)
        let strip = try json("thumbnails", "--count", "2", "--output", "s.png")
        #expect(strip.string("pictures.0.file") == "s.png" && strip.number("pictures.1.frame") == 4)
        let folder = try json("thumbnails", "--every", "0.1", "--output", "t")
        #expect(folder.string("pictures.1.file") == "1.png" && folder.number("pictures.1.time") == 0.1)
        let started = try json("init", "a.mov")
        #expect(started.at("assetArray") == ["a.mov"])
        try workshop.write(started.text(), to: "start.json")
        #expect(try workshop.editor("--config", "start.json", "check").status == 0)
        #expect(try json("run", "--output", "m.mp4").string("path") == "m.mp4")
        let cleared = try json("cache", "clear")
        #expect(try #require(cleared.number("removed")) >= 1 && #require(cleared.number("freedBytes")) > 0)
        guard case .array(let paths) = try json("effects", "new", "Glow") else {
            Issue.record("effects new lists its files")
            return
        }
        for path in paths { if case .string(let path) = path { #expect(workshop.exists(path)) } }
        #expect(paths.count >= 4)
    }

    /// `-v` says more than the normal run does, on standard error alone.
    @Test func moreIsSaidWhenAsked() throws {
        try writeSmallConfig(["effects": [["type": "beauty", "smooth": 0.2]]])
        let commands: [([String], [String])] = [
            (
                ["run", "--output", "m.mp4", "--overwrite"],
                ["cfg.json", "libavcodec", "h264", "spans: 0 to render, 1 kept", "finished in"]
            ),
            (["check"], ["clip a.mov", "effect beauty at /effects/0"]),
            (["frame", "--at", "0.1", "--output", "f.png", "--overwrite"], ["frame 3"]),
            (["plan", "--set", "frameRate=25"], ["set frameRate=25"]),
        ]
        for (command, words) in commands {
            let normal = try workshop.run(Workshop.editor, ["--config", "cfg.json"] + command)
            let more = try workshop.run(Workshop.editor, ["-v", "--config", "cfg.json"] + command)
            #expect(normal.status == 0 && more.status == 0, "\(more.err)")
            #expect(command[0] == "plan" || normal.out == more.out)
            for word in words {
                #expect(more.err.contains(word), "\(command[0]): \(word) in \(more.err)")
                #expect(!normal.err.contains(word), "\(command[0]): \(word) in \(normal.err)")
            }
        }
    }

    /// Places are told as they were written: no "./" that nobody typed.
    @Test func pathsAreToldAsTheyWereWritten() throws {
        try workshop.write(config: ["assetArray": ["gone.mov"], "mergeFilePath": "nowhere"])
        let result = try workshop.editor("--config", "cfg.json", "run")
        #expect(result.status == 65 && result.err.contains("gone.mov") && !result.err.contains("./"), "\(result.err)")
    }

    @Test func startingWithWhatIsNoClipFails() throws {
        let missing = try workshop.editor("init", "gone.mp4")
        #expect(missing.status == 66 && missing.out.isEmpty && missing.err.contains("gone.mp4"))
        try workshop.ffmpeg(["-f", "lavfi", "-i", "sine=duration=0.2", "song.wav"])
        let sound = try workshop.editor("init", "song.wav")
        #expect(sound.status == 65 && sound.err.contains("song.wav has no video"), "\(sound.err)")
    }

    @Test func aSkeletonThatCannotBeWrittenSaysSo() throws {
        let result = try workshop.run(
            "bash", ["-c", "ulimit -f 1; exec \"$0\" effects new Glow", Workshop.editor])
        #expect(result.status == 73 && result.err.contains("Glow/Sources/Glow/Glow.swift"), "\(result.err)")
        #expect(result.out.isEmpty)
    }

    @Test func keysForRecordingsAreTold() throws {
        try writeSmallConfig(["maxVideoDuration": 10, "devicePosition": "front", "progressColor": "ff0000"])
        let run = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4")
        #expect(run.status == 0 && run.err.contains("maxVideoDuration, devicePosition"), "\(run.err)")
        #expect(!run.err.contains("progressColor"))
        let check = try workshop.editor("--config", "cfg.json", "check")
        #expect(check.status == 0 && !check.err.contains("maxVideoDuration"), "the config may be for a recording")
    }

    @Test func writingThatFailsMidwayLeavesNothing() throws {
        try workshop.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=640x640,noise=alls=100", "-frames:v", "1", "photo.png"])
        try workshop.write(config: [
            "assetArray": [["path": "photo.png", "duration": 1]], "export": ["preset": "ultrafast", "crf": 0],
        ])
        // 32 blocks of 1024 bytes a file.
        let result = try workshop.run(
            "bash", ["-c", "ulimit -f 32; exec \"$0\" --config cfg.json run --output m.mp4", Workshop.editor])
        #expect(result.status == 74, "\(result.err)")
        #expect(result.err.contains("m.mp4") && result.out.isEmpty)
        #expect(workshop.files == ["cfg.json", "photo.png"])
    }

    @Test func standardOutputCarriesThePathAlone() throws {
        try writeSmallConfig()
        let plain = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4")
        #expect(plain.status == 0 && plain.out == "m.mp4\n")
        #expect(!plain.err.contains("\u{1b}"), "no terminal, no colours")
        let quiet = try workshop.editor("--quiet", "run", "--config", "cfg.json", "--overwrite", "--output=m.mp4")
        #expect(quiet.status == 0 && quiet.out == "m.mp4\n" && quiet.err.isEmpty)
        let json = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4", "--overwrite", "--json").json
        #expect(json.string("status") == "completed" && json.string("path") == "m.mp4")
        #expect(json.number("frames") == 6 && json.number("width") == 64 && json.string("videoCodec") == "h264")
        for key in ["duration", "frameRate", "spans.total", "wallSeconds"] {
            #expect(json.number(key) != nil, "\(key)")
        }
    }

    /// For programs every line is an event.
    @Test func noticesAreEvents() throws {
        let words = try workshop.editor("record", "--list")
        #expect(words.status == 0 && words.err.hasPrefix("editor: no sessions in "), "\(words.err)")
        let told = try workshop.editor("record", "--list", "--progress", "json")
        let event = try JSONDecoder().decode(JSONValue.self, from: Data(told.err.utf8))
        #expect(event.string("event") == "notice" && words.err == "editor: \(event.string("message") ?? "")\n")
    }

    @Test func configsMayComeFromStandardInput() throws {
        try writeSmallConfig()
        let result = try workshop.run(
            "bash", ["-c", "\"$0\" --config - run --output m.mp4 --quiet < cfg.json", Workshop.editor])
        #expect(result.status == 0 && result.out == "m.mp4\n", "\(result.err)")
    }

    @Test func aDraftIsHalfTheSize() throws {
        try writeSmallConfig()
        try workshop.render("m.mp4", "--draft")
        let facts = try workshop.probe("m.mp4", "-show_streams")
        #expect(facts.number("streams.0.width") == 32 && facts.number("streams.0.height") == 32)
    }

    @Test func timesAreSecondsClocksOrFrames() throws {
        try workshop.makeCounter("a.mov", frames: 60)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        for (from, to) in [("0.5", "1"), ("15f", "30f"), ("00:00.5", "00:01"), ("0:0:0.5", "0:0:1")] {
            try workshop.render("m.mp4", "--from", from, "--to", to, "--overwrite")
            #expect(try workshop.counters("m.mp4") == Array(15..<30), "\(from)")
        }
    }

    @Test func returnBlockRunsWhenAllowed() throws {
        try writeSmallConfig(["returnBlock": ["command": ["touch", "{path} is there; $(id)"]]])
        let refused = try workshop.editor("--config", "cfg.json", "run", "--output", "m.mp4")
        #expect(refused.status == 0 && refused.err.contains("--allow-commands"))
        #expect(!workshop.files.contains { $0.contains("is there") })
        try workshop.render("m.mp4", "--overwrite", "--allow-commands")
        #expect(workshop.exists("m.mp4 is there; $(id)"), "run without a shell")
    }

    @Test func filmstripsAreWritten() throws {
        try workshop.makeCounter("a.mov", frames: 60)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let strip = try workshop.editor(
            "--config", "cfg.json", "thumbnails", "--count", "4", "--output", "strip.png", "--width", "40")
        #expect(strip.out == "strip.png\n", "\(strip.err)")
        let facts = try workshop.probe("strip.png", "-show_streams")
        #expect(facts.number("streams.0.width") == 160)
        for (index, picture) in [7, 22, 37, 52].enumerated() {
            let seen = try workshop.color("strip.png", frame: 0, x: index * 40 + 20, y: 20)
            #expect(abs(Double(seen[1]) - Double(40 + 2 * picture - 16) * 255 / 219) <= 3, "picture \(picture)")
        }
        let folder = try workshop.editor("--config", "cfg.json", "thumbnails", "--every", "0.5", "--output", "thumbs")
        #expect(folder.out.split(separator: "\n").count == 4, "\(folder.err)")
    }

    /// What the sources ask of the command line is in its help.
    @Test func theHelpNamesEveryOption() throws {
        let sources = Workshop.checkout + "/Sources/EditorCLI"
        var asked: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: sources) where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)
            for match in text.matches(of: /\b(?:arguments|parsed)\.(?:has|value|all|time|integer)\("([a-z-]+)"/) {
                asked.insert(String(match.1))
            }
        }
        #expect(asked.count > 10)
        let help = try workshop.editor("--help")
        #expect(help.status == 0 && help.err.isEmpty)
        for option in asked {
            #expect(help.out.contains("--\(option) ") || help.out.contains("--\(option)\n"), "--\(option)")
        }
    }

    @Test(arguments: [
        "run", "check", "plan", "frame", "thumbnails", "probe", "init", "schema", "effects", "doctor", "cache",
    ])
    func everyCommandHasHelp(command: String) throws {
        let overview = try workshop.editor("--help").out
        #expect(overview.contains("\n  \(command) "))
        let help = try workshop.editor(command, "--help")
        #expect(help.status == 0 && help.out.hasPrefix("usage: editor "))
        #expect(help.out.contains("\(command)") && help.out.contains("--json"))
        #expect(try workshop.editor("help", command).out == help.out)
    }

    @Test func aStarterConfigIsReadyToRun() throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        let started = try workshop.editor("init", "a.mov")
        #expect(started.status == 0)
        try workshop.write(started.out, to: "start.json")
        let checked = try workshop.editor("--config", "start.json", "check")
        #expect(checked.status == 0, "\(checked.err)")
    }
}
