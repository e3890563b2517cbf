import EditorCore
import Foundation
import Testing

/// Effects in foreign files: plugins that work, and plugins that break in every way, in renders of their own.
@Suite struct ForeignEffectTests {
    /// Compiles the faulty plugin into the workshop's folder `plugins`.
    private func makePlugin(_ fault: String, in workshop: Workshop) throws {
        try FileManager.default.createDirectory(atPath: workshop.path("plugins"), withIntermediateDirectories: true)
        let source = Workshop.checkout + "/Tests/EditorTests/Fixtures/faulty.c"
        // The compiler that comes with Swift.
        let built = try workshop.run(
            "bash",
            [
                "-c", "\"$(dirname \"$(readlink -f \"$($0/scripts/find-swift.sh)\")\")/clang\" \"$@\"",
                Workshop.checkout,
                "-shared", "-fPIC", "-O1", "-DFAULT=\(fault)", source, "-o", workshop.path("plugins/faulty.so"),
                "-l:libstdc++.so.6",
            ])
        try #require(built.status == 0, "\(built.err)")
    }

    /// Twelve pictures of grey 64 of 255, which is luma 71, through the plugin.
    private func render(
        _ workshop: Workshop, _ effect: [String: JSONValue] = [:], _ arguments: String...
    ) throws -> Workshop.Output {
        try workshop.makeColor("clip.mov", "0x404040", seconds: 0.4)
        var members: [String: JSONValue] = ["type": "frei0r.faulty"]
        members.merge(effect) { $1 }
        try workshop.write(config: ["assetArray": ["clip.mov"], "effects": [.object(members)]])
        return try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "run", "--output", "m.mp4", "--progress", "none"] + arguments,
            environment: ["FREI0R_PATH": workshop.path("plugins")])
    }

    @Test(arguments: [true, false])
    func aPluginThatWorksWorks(isolate: Bool) throws {
        let workshop = try Workshop()
        try makePlugin("WELL", in: workshop)
        let result = try render(workshop, ["isolate": .bool(isolate)])
        #expect(result.status == 0, "\(result.err)")
        // Inverted it is grey 191, luma 180.
        let lumas = try workshop.lumas("m.mp4")
        #expect(lumas.count == 12 && lumas.allSatisfy { abs($0 - 180) < 2 }, "\(lumas)")
    }

    /// A crash, a hang, a write out of range, an exception, too much memory, and garbage in place of an answer: each
    /// ends the render with exit code 69, the module's name and the frame, and leaves no movie.
    @Test(arguments: [
        ("KILL", "signal 9"), ("HANG", "no answer within 1 s"), ("OUT_OF_RANGE", "signal 11"), ("THROW", "signal 6"),
        ("HUNGRY", "signal"), ("GARBAGE", "garbage"),
    ])
    func aPluginThatBreaksEndsTheRender(fault: String, sign: String) throws {
        let workshop = try Workshop()
        try makePlugin(fault, in: workshop)
        let result = try render(
            workshop,
            fault == "HUNGRY" ? ["memoryLimit": 128, "timeLimit": 60] : fault == "HANG" ? ["timeLimit": 1] : [:])
        #expect(result.status == 69, "\(result.err)")
        #expect(result.err.contains("frei0r.faulty") && result.err.contains("frame 2"), "\(result.err)")
        #expect(result.err.contains(sign), "\(result.err)")
        #expect(!workshop.exists("m.mp4"))
    }

    /// With `onFailure: skip` the movie is finished; the frames from the failure on are as without the effect, and a
    /// warning says so. Nothing of it is kept for the next time.
    @Test func aPluginThatBreaksIsLeftOut() throws {
        let workshop = try Workshop()
        try makePlugin("KILL", in: workshop)
        let result = try render(workshop, ["onFailure": "skip"])
        #expect(result.status == 0, "\(result.err)")
        #expect(result.err.contains("warning") && result.err.contains("frame 2"), "\(result.err)")
        let lumas = try workshop.lumas("m.mp4")
        #expect(lumas.count == 12 && lumas[..<2].allSatisfy { abs($0 - 180) < 2 }, "\(lumas)")
        #expect(lumas[2...].allSatisfy { abs($0 - 71) < 2 }, "\(lumas)")
        let again = try render(workshop, ["onFailure": "skip"], "--overwrite", "--json")
        #expect(try again.json.number("spans.cached") == 0 && again.json.number("spans.rendered") == 1, "\(again.out)")
        #expect(try again.json.string("warnings.0.code") == "effect.skipped", "\(again.out)")
    }

    /// A worker gets no socket: the plugin would blacken the picture if it did.
    @Test func thereIsNoNetwork() throws {
        let workshop = try Workshop()
        try makePlugin("NETWORK", in: workshop)
        let result = try render(workshop)
        #expect(result.status == 0, "\(result.err)")
        #expect(try workshop.lumas("m.mp4").allSatisfy { abs($0 - 180) < 2 })
    }

    /// The list names the plugin, its origin and its parameter, and is known without looking at the plugin again.
    @Test func pluginsAreListed() throws {
        let workshop = try Workshop()
        try makePlugin("WELL", in: workshop)
        let environment = ["FREI0R_PATH": workshop.path("plugins")]
        let first = try workshop.editor("effects", "list", environment: environment)
        #expect(first.out.contains(/frei0r\.faulty +video +frei0r +frei0r +Inverts, and then breaks\./), "\(first.out)")
        #expect(first.err.contains("looking at 1 plugin"))
        let again = try workshop.editor("effects", "info", "frei0r.faulty", "--json", environment: environment)
        #expect(again.err.isEmpty)
        let info = try again.json
        #expect(info.string("parameters.0.name") == "strength" && info.number("parameters.0.default") == 0.25)
        #expect(info.string("parameters.0.range") == "0…1")
        let schema = try workshop.editor("schema", environment: environment)
        #expect(schema.out.contains("frei0r.faulty"))
    }

    /// A file that is no plugin is told of, and takes nothing down.
    @Test func whatIsNoPluginIsPassedOver() throws {
        let workshop = try Workshop()
        try makePlugin("WELL", in: workshop)
        try workshop.write("no library", to: "plugins/broken.so")
        let list = try workshop.editor("effects", "list", environment: ["FREI0R_PATH": workshop.path("plugins")])
        #expect(list.status == 0 && list.out.contains("frei0r.faulty") && !list.out.contains("frei0r.broken"))
    }

    /// A plugin of the Debian package gives what ffmpeg's frei0r filter gives, to a few codes.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/frei0r-1/colordistance.so")),
        arguments: ["invert0r", "colordistance", "pixeliz0r"])
    func pluginsAgreeWithFFmpeg(plugin: String) throws {
        let workshop = try Workshop()
        try workshop.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "gradients=s=160x288:r=30:d=0.2:seed=3:speed=0.01:c0=0xd08040:c1=0x2060a0:nb_colors=2,scale=out_color_matrix=bt709,format=yuv420p",
            ] + Workshop.exactly + ["clip.mov"])
        try workshop.write(config: [
            "renderSize": ["width": 160, "height": 288], "assetArray": ["clip.mov"],
            "effects": [["type": .string("frei0r.\(plugin)")]],
        ])
        let result = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "frame", "--at", "0.1", "--output", "ours.png"],
            environment: ["FREI0R_PATH": "/usr/lib/frei0r-1"])
        #expect(result.status == 0, "\(result.err)")
        try workshop.ffmpeg([
            "-i", "clip.mov", "-vf",
            "select=eq(n\\,3),scale=in_color_matrix=bt709,format=bgra,frei0r=\(plugin),format=rgb24", "-frames:v", "1",
            "theirs.png",
        ])
        let compared = try workshop.ffmpeg(["-i", "ours.png", "-i", "theirs.png", "-lavfi", "psnr", "-f", "null", "-"])
        let average = compared.err.firstMatch(of: /average:(?<db>[0-9.]+|inf)/)?.db
        // Chroma goes through 4:2:0 twice with us.
        #expect((average == "inf" ? 100 : Double(average ?? "0") ?? 0) > 30, "\(compared.err)")
    }

    /// A frei0r source is a clip among others: it has a length, effects of its own, and a transition.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/frei0r-1/onecol0r.so")))
    func aSourceIsAClip() throws {
        let workshop = try Workshop()
        let environment = ["FREI0R_PATH": "/usr/lib/frei0r-1"]
        try workshop.makeColor("clip.mov", "white", seconds: 0.4)
        try workshop.write(config: [
            "backgroundColor": "000000", "renderSize": ["width": 160, "height": 284],
            "assetArray": [
                [
                    "generator": ["type": "frei0r.onecol0r", "color": "ff0000"], "duration": 0.8,
                    "effects": [["type": "color", "saturation": 0, "timeRange": ["start": 0.4, "duration": 0.4]]],
                    "transition": ["type": "crossDissolve", "duration": 0.2],
                ],
                "clip.mov", ["generator": ["type": "text", "text": " "]],
            ],
        ])
        let plan = try workshop.editor("--config", "cfg.json", "plan", "--json", environment: environment).json
        #expect(plan.string("clips.0.generator") == "frei0r.onecol0r" && plan.number("clips.0.frames") == 24)
        #expect(plan.number("clips.2.frames") == 90, "3 seconds when nothing says how long")
        let result = try workshop.editor(
            "--config", "cfg.json", "run", "--output", "m.mp4", "--to", "1.5", environment: environment)
        #expect(result.status == 0, "\(result.err)")
        let lumas = try workshop.lumas("m.mp4")
        #expect(lumas.count == 45)
        // BT.709: red has the luma 16 + 219 · 0.2126, and keeps it without its colour.
        #expect(lumas[..<18].allSatisfy { abs($0 - 62.6) < 2 }, "\(lumas)")
        #expect(lumas[24..<30].allSatisfy { abs($0 - 235) < 2 }, "\(lumas)")
        // Letters on nothing: the background.
        #expect(lumas[30...].allSatisfy { abs($0 - 16) < 1 }, "\(lumas)")
        try workshop.editor(
            "--config", "cfg.json", "frame", "--at", "0.1", "--output", "f.png", environment: environment)
        try workshop.ffmpeg(["-i", "f.png", "-vf", "crop=2:2:80:140", "-f", "rawvideo", "-pix_fmt", "rgb24", "pixels"])
        let pixels = try workshop.bytes("pixels")
        #expect(zip(pixels, [255, 0, 0]).allSatisfy { abs(Int($0) - $1) < 4 }, "\(Array(pixels))")
    }

    @Test func aClipIsAFileOrAGenerator() throws {
        let workshop = try Workshop()
        try workshop.makeColor("clip.mov", "white", seconds: 0.4)
        try workshop.write(config: [
            "assetArray": [
                [:], ["path": "clip.mov", "generator": ["type": "text", "text": "a"]],
                ["generator": ["type": "beauty"]],
                "clip.mov",
            ]
        ])
        let result = try workshop.editor("--config", "cfg.json", "check", "--json")
        let findings = try result.json
        let codes = (0..<3).map { findings.string("\($0).code") }
        let places = (0..<3).map { findings.string("\($0).pointer") }
        #expect(codes == ["config.missing", "config.twoChoices", "effect.kind"], "\(result.out)")
        #expect(places == ["/assetArray/0", "/assetArray/1/generator", "/assetArray/2/generator/type"])
    }

    /// A LADSPA amplifier of the SDK halves the sound.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/ladspa/amp.so")),
        arguments: [true, false])
    func aLadspaPluginChangesTheSound(isolate: Bool) throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(atPath: workshop.path("plugins"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "/usr/lib/ladspa/amp.so", toPath: workshop.path("plugins/amp.so"))
        try workshop.makeColor("clip.mov", "0x808080", seconds: 1, tone: 440)
        func sound(_ effects: JSONValue, _ name: String) throws -> Double {
            try workshop.write(config: ["assetArray": ["clip.mov"], "effects": effects])
            let result = try workshop.run(
                Workshop.editor, ["--config", "cfg.json", "run", "--output", name],
                environment: ["LADSPA_PATH": workshop.path("plugins")])
            #expect(result.status == 0, "\(result.err)")
            return Workshop.level(try workshop.samples(name)[12_000..<36_000])
        }
        let plain = try sound([], "plain.mp4")
        let halved = try sound(
            [["type": "ladspa.amp_stereo", "gain": 0.5, "isolate": .bool(isolate)]], "halved.mp4")
        #expect(abs(plain - halved - 6.02) < 0.3, "\(plain) \(halved)")
    }
}
