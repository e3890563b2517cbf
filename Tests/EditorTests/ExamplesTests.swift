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

    /// The config in the README is one, and the command below it makes a movie of it.
    @Test func theReadmesConfigAndCommandWork() throws {
        let workshop = try Workshop()
        let readme = try String(contentsOfFile: Workshop.checkout + "/README.md", encoding: .utf8)
        let config = try #require(readme.firstMatch(of: /```json5\n(?<config>(?s:.*?))```/)).config
        let command = try #require(readme.firstMatch(of: /\n    editor (?<words>--config .*)\n/)).words.split(
            separator: " "
        ).map(String.init)
        let name = command[1]
        try workshop.write(String(config), to: name)
        try workshop.makeCounter("beach.mp4", frames: 150, size: "64x36")
        try workshop.makeCounter("portrait.mov", frames: 60, size: "36x64", tone: 500)
        try workshop.ffmpeg(["-f", "lavfi", "-i", "color=c=orange:s=40x40,format=rgba", "-frames:v", "1", "star.png"])
        try workshop.ffmpeg(["-f", "lavfi", "-i", "sine=duration=3", "song.mp3"])
        let result = try workshop.run(Workshop.editor, command + ["--draft", "--to", "0.5"])
        #expect(result.status == 0, "\(result.err)")
        #expect(result.out == "movie.mp4\n" && workshop.exists("movie.mp4"))
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
        for effect in list { #expect(effects.contains("## \(try #require(effect.string("id")))\n")) }
    }
}
