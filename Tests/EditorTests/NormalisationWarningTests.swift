import EditorCore
import Foundation
import Testing

/// `run` tells of each thing that it puts right once, and `--strict` refuses it.
@Suite struct NormalisationWarningTests {
    let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-vf",
            "settb=1/1000,setpts=N*40+15*mod(N\\,2),setsar=4/3",
            "-fps_mode", "vfr", "-enc_time_base", "1:1000", "-c:v", "libx264", "-preset",
            "ultrafast", "-pix_fmt", "yuv420p", "plain.mp4",
        ])
        try workshop.ffmpeg(["-i", "plain.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "clip.mp4"])
        try workshop.write(config: ["assetArray": ["clip.mp4", "plain.mp4", "clip.mp4"]])
    }

    private static let expected = [
        "clip.variableRate /assetArray/0", "clip.rotated /assetArray/0", "clip.pixelAspect /assetArray/0",
        "clip.variableRate /assetArray/1", "clip.pixelAspect /assetArray/1",
    ]

    private static func words(_ findings: JSONValue?) throws -> [String] {
        guard case .array(let elements)? = findings else { return [] }
        return elements.map { ($0.string("code") ?? "?") + " " + ($0.string("pointer") ?? "?") }
    }

    @Test func eachNormalisationIsToldOnce() throws {
        let result = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "run", "--output", "out.mp4", "--progress", "json", "--json"])
        try #require(result.status == 0, "\(result.err)")
        #expect(try Self.words(result.json.at("warnings")) == Self.expected)
        let events = try result.err.split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        #expect(try Self.words(.array(events.filter { $0.string("event") == "warning" })) == Self.expected)
        let lines = try workshop.render("again.mp4").err.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("warning: ") } == Self.expected.count)
    }

    @Test func strictRefusesThem() throws {
        let result = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "--strict", "run", "--output", "out.mp4", "--progress", "none"])
        #expect(result.status == 65)
        #expect(result.err.split(separator: "\n").count { $0.hasPrefix("error: ") } == Self.expected.count)
        #expect(result.out.isEmpty && !workshop.exists("out.mp4"))
    }

    /// The container comes from the name, or from the config; a name that says something else is told of, one that says
    /// nothing that is known is refused.
    @Test(
        arguments: [
            ("a.mp4", nil, "mov,mp4,m4a,3gp,3g2,mj2", [], 0), ("a.m4v", nil, "mov,mp4,m4a,3gp,3g2,mj2", [], 0),
            ("a.mkv", "mkv", "matroska,webm", [], 0), ("a", nil, "mov,mp4,m4a,3gp,3g2,mj2", [], 0),
            ("v1.2", nil, "mov,mp4,m4a,3gp,3g2,mj2", [], 0), ("a.mov", "mkv", "matroska,webm", ["output.ending"], 0),
            ("a.avi", "mkv", "matroska,webm", ["output.ending"], 0), ("a.avi", nil, "", [], 65),
        ] as [(String, String?, String, [String], Int32)])
    func namesAndContainers(name: String, type: String?, container: String, codes: [String], status: Int32) throws {
        try workshop.makeColor("red.mov", "red", seconds: 0.2)
        var config: [String: JSONValue] = ["assetArray": ["red.mov"]]
        if let type { config["outputFileType"] = .string(type) }
        try workshop.write(config: .object(config))
        let result = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "run", "--output", name, "--progress", "none", "--json"])
        #expect(result.status == status, "\(result.err)")
        guard status == 0 else {
            #expect(result.err.contains("a.avi") && result.err.contains(".mp4") && !workshop.exists(name))
            return
        }
        #expect(try Self.words(result.json.at("warnings")).map { String($0.prefix { $0 != " " }) } == codes)
        #expect(try workshop.probe(name, "-show_format").string("format.format_name") == container)
    }

    /// What an encoder does not know is found before the first picture, also where libav would pass over it.
    @Test(
        arguments: [
            (["options": ["nonsense": "1"]], "nonsense"), (["options": ["x264-params": "nonsense=1"]], "nonsense"),
            (["options": ["crf": "abc"]], "crf"), (["videoCodec": "h265x"], "h265x"), (["audioCodec": "mp9"], "mp9"),
            (["videoCodec": "hevc", "options": ["x265-params": "nonsense=1"]], "nonsense"),
            (["pixelFormat": "rgb24"], "rgb24"), (["sampleRate": 12_345], "12345"),
        ] as [(JSONValue, String)])
    func unknownEncoderWordsAreRefused(export: JSONValue, word: String) throws {
        try workshop.makeColor("red.mov", "red", seconds: 0.2)
        try workshop.write(config: ["assetArray": ["red.mov"], "export": export])
        let result = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "run", "--output", "out.mp4", "--progress", "json"])
        #expect(result.status == 65 && result.err.contains(word), "\(result.err)")
        #expect(!result.err.contains("\"exporting\"") && !workshop.exists("out.mp4"))
    }
}
