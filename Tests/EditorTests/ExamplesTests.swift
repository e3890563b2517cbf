import EditorCore
import Foundation
import Testing

/// What the project shows and says works: the examples, the README, the reference.
@Suite(.serialized) struct ExamplesTests {
    static let examples = Workshop.checkout + "/Examples"

    /// The examples that the plain editor renders; those with a package of their own bring their editor.
    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: examples)) ?? []
        return all.filter { name in
            FileManager.default.fileExists(atPath: "\(examples)/\(name)/cfg.json")
                && !FileManager.default.fileExists(atPath: "\(examples)/\(name)/Package.swift")
        }.sorted()
    }()

    /// Draws an example's media where that has not been done yet.
    private func makeMedia(_ name: String, _ workshop: Workshop) throws {
        let folder = "\(Self.examples)/\(name)"
        guard FileManager.default.fileExists(atPath: "\(folder)/make-media.sh"),
            !FileManager.default.fileExists(atPath: "\(folder)/media/.made")
        else { return }
        let made = try workshop.run("bash", ["\(folder)/make-media.sh"])
        try #require(made.status == 0, "\(made.err)")
        try Data().write(to: URL(fileURLWithPath: "\(folder)/media/.made"))
    }

    @Test(arguments: names)
    func everyExampleIsFreeOfProblems(name: String) throws {
        let workshop = try Workshop()
        try makeMedia(name, workshop)
        let result = try workshop.editor("--config", "\(Self.examples)/\(name)/cfg.json", "check")
        #expect(result.status == 0, "\(result.err)")
        #expect(!result.err.contains("error:"))
    }

    @Test func theFirstExampleIsRendered() throws {
        let workshop = try Workshop()
        try makeMedia("first", workshop)
        let result = try workshop.editor(
            "--config", "\(Self.examples)/first/cfg.json", "run", "--draft", "--from", "3.2", "--to", "4.2", "--output",
            workshop.path("m.mp4"))
        #expect(result.status == 0, "\(result.err)")
        let facts = try workshop.probe("m.mp4", "-show_streams", "-count_frames")
        #expect(facts.number("streams.0.nb_read_frames") == 30 && facts.number("streams.0.width") == 540)
        #expect(facts.string("streams.1.codec_name") == "aac")
    }

    /// The plate is hidden wherever the car is, and the road shows where the green screen was.
    @Test func theColorExampleHidesAndKeys() throws {
        let workshop = try Workshop()
        try makeMedia("color", workshop)
        let config = "\(Self.examples)/color/cfg.json"
        for time in [0.2, 1.6, 2.4] {
            let result = try workshop.editor(
                "--config", config, "--set", "effects=[]", "frame", "--at", "\(time)", "--output",
                workshop.path("\(time).png"))
            #expect(result.status == 0, "\(result.err)")
            // The letters are 20 pixels high and at least 4 apart; what is left of them is the mean of tiles of 22.
            let plate = "crop=90:10:\(Int(85 + 96 * time)):660"
            let spread = try workshop.ffmpeg([
                "-i", "\(time).png", "-vf", "\(plate),format=gray,signalstats,metadata=print:file=-", "-f", "null", "-",
            ]).out
            func value(_ key: String) -> Double? {
                spread.firstMatch(of: try! Regex("signalstats\\.\(key)=([0-9.]+)")).flatMap {
                    $0.output[1].substring.flatMap { Double($0) }
                }
            }
            let (dark, light) = (try #require(value("YMIN")), try #require(value("YMAX")))
            #expect(light - dark < 120, "\(time)")
            let corner = try workshop.color("\(time).png", frame: 0, x: 200, y: 930)
            #expect(corner[1] < corner[0] + 40, "\(corner)")
        }
    }

    /// The config in the README is one, and every command it shows does what it says; on a small canvas.
    @Test func theReadmesConfigAndCommandsWork() throws {
        let workshop = try Workshop()
        let readme = try String(contentsOfFile: Workshop.checkout + "/README.md", encoding: .utf8)
        let config = try #require(readme.firstMatch(of: /```json5\n(?<config>(?s:.*?))```/)).config
        let commands = readme.matches(of: /\n    editor (?<words>[^#\n]*)/).map { String($0.words) }
        #expect(commands.count >= 5)
        try workshop.makeCounter("beach.mp4", frames: 150, size: "64x36")
        try workshop.makeCounter("portrait.mov", frames: 30, size: "36x64", tone: 500)
        try workshop.makeCounter("clip.mov", frames: 5, size: "36x64")
        for name in ["star.png", "photo.jpg"] {
            try workshop.ffmpeg(["-f", "lavfi", "-i", "color=c=orange:s=40x40,format=rgb24", "-frames:v", "1", name])
        }
        try workshop.ffmpeg(["-f", "lavfi", "-i", "sine=duration=3", "song.mp3"])
        // The preview would wait for its user.
        for command in commands where !command.contains(" preview") {
            // What init wrote is not the config below it.
            if command.contains("--config") { try workshop.write(String(config), to: "movie.json") }
            let small =
                command.contains("--config")
                ? "--set renderSize.width=90 --set renderSize.height=160 --set export.preset=ultrafast " : ""
            let result = try workshop.run("bash", ["-c", "\"$0\" \(small)\(command)", Workshop.editor])
            let isExpected = result.status == 0 || (command.hasPrefix("doctor") && result.status == 69)
            #expect(isExpected, "editor \(command): \(result.err)")
        }
        for name in ["movie.mp4", "look.png"] { #expect(workshop.exists(name), "\(name)") }
    }

    /// `docs` is what the declarations say now.
    @Test(arguments: ["config", "effects"])
    func theReferenceIsFresh(page: String) throws {
        let workshop = try Workshop()
        let written = try workshop.editor("schema", "--markdown", page)
        #expect(written.status == 0, "\(written.err)")
        let kept = try String(contentsOfFile: "\(Workshop.checkout)/docs/\(page).md", encoding: .utf8)
        #expect(written.out == kept, "make docs writes it anew")
    }

    /// Every parameter of every effect is in the reference, and every key of the schema.
    @Test func theReferenceIsWhole() throws {
        let workshop = try Workshop()
        let config = try String(contentsOfFile: "\(Workshop.checkout)/docs/config.md", encoding: .utf8)
        let schema = try workshop.editor("schema").json
        guard case .object(let properties)? = schema["properties"] else { return }
        #expect(properties.count > 30)
        for key in properties.keys { #expect(config.contains("**`\(key)`**"), "\(key)") }
        let effects = try String(contentsOfFile: "\(Workshop.checkout)/docs/effects.md", encoding: .utf8)
        guard case .array(let list) = try workshop.editor("effects", "list", "--json").json else { return }
        for effect in list where effect.string("origin") == "built-in" {
            #expect(effects.contains("## \(try #require(effect.string("id")))\n"))
        }
    }
}
