import EditorCore
import Foundation
import Synchronization
import Testing

private let corpus = ProcessInfo.processInfo.environment["EDITOR_CORPUS"]
private let isEnabled =
    corpus != nil && ProcessInfo.processInfo.environment["EDITOR_BIN"] != nil
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/time")

/// Every file of a folder of strange media, named by `EDITOR_CORPUS`, is probed and rendered: a movie comes out, or one
/// sentence that names the file. Quickly, in little memory, and with nothing else said.
@Suite(
    "corpus",
    .enabled(if: isEnabled, "needs EDITOR_CORPUS, a folder of media; EDITOR_BIN, a release build; and /usr/bin/time"))
struct CorpusRenderTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// Files that nobody could make a picture of, by the end of their path, and those that libav cannot read.
    private static let refused = [
        "broken/corrupt.mkv", "broken/infinite_loop.m4a", "broken/no_moov.mp4", "broken/text_as.mp4",
        "broken/vp9_invalid_bitstream.webm", "broken/zero_byte.webm", "derived/trunc.png",
        "derived/trunc60_no_moov.mp4",
    ]
    private static let (longest, mostMemory) = (60.0, 1536)
    private static let size = PixelSize(width: 360, height: 640)

    private struct Run {
        var status: Int32
        var seconds: Double
        var mebibytes: Int
        var out: String
        var err: String

        var row: String { "exit \(status), \(String(format: "%.1f", seconds)) s, \(mebibytes) MiB" }
        /// Lines that are not the editor's own.
        var foreignLines: [Substring] {
            err.split(separator: "\n").filter { line in
                !["editor: ", "error: ", "warning: "].contains(where: line.hasPrefix)
            }
        }
    }

    @Test func everyFileComesOutOrIsRefusedByName() throws {
        let folder = try #require(corpus)
        let files = ["video", "audio", "image", "broken", "derived", "names"].flatMap { kind in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)")) ?? []).sorted()
                .map { "\(kind)/\($0)" }
        }
        try #require(!files.isEmpty, "\(folder) holds no media")
        let rows = Mutex([String](repeating: "", count: files.count))
        DispatchQueue.concurrentPerform(iterations: min(2, files.count)) { lane in
            for number in stride(from: lane, to: files.count, by: 2) {
                let row: String
                do { row = try examine(files[number], in: folder, number) } catch {
                    Issue.record(error, "\(files[number])")
                    row = "\(error)"
                }
                rows.withLock { $0[number] = "\(files[number]): \(row)" }
            }
        }
        print(rows.withLock { $0.joined(separator: "\n") })
    }

    /// Probes and renders one file, as a clip and, if it is sound, as music.
    private func examine(_ name: String, in folder: String, _ number: Int) throws -> String {
        let path = "\(folder)/\(name)"
        let isRefused = Self.refused.contains(name)
        let probed = try run(["probe", path])
        expect(probed, of: name, statuses: isRefused ? [65, 66, 69] : [0])
        var row = "probe \(probed.row)"

        let isStill = name.hasPrefix("image/") || name.hasSuffix(".png")
        let clip: JSONValue = isStill ? ["path": .string(path), "duration": 2] : .string(path)
        let rendered = try render(["assetArray": [clip]], to: "clip\(number).mp4")
        row += "; clip \(rendered.row)"
        let isSound = name.hasPrefix("audio/")
        expect(rendered, of: name, statuses: isRefused || isSound ? [65, 66, 69] : [0])
        if isSound { #expect(rendered.err.contains("has no video"), "\(name): \(rendered.err)") }
        if rendered.status == 0 { row += try inspect("clip\(number).mp4", of: name) }

        if isSound || name.hasSuffix(".m4a") {
            try workshop.ffmpeg(["-f", "lavfi", "-i", "color=gray:s=64x64", "-frames:v", "1", "still\(number).png"])
            let still: JSONValue = ["path": .string("still\(number).png"), "duration": 1]
            let played = try render(
                ["assetArray": [still], "effects": [["type": "music", "source": .string(path)]]],
                to: "music\(number).mp4")
            row += "; music \(played.row)"
            expect(played, of: name, statuses: isRefused ? [65, 66, 69] : [0])
            if played.status == 0 {
                // Silent are only the lowest few steps of sixteen bits.
                let loudest = try workshop.samples("music\(number).mp4").map(abs).max() ?? 0
                #expect(loudest > 2e-5, "\(name) is not heard")
            }
        }
        return row
    }

    private func expect(_ run: Run, of name: String, statuses: [Int32]) {
        let file = name.split(separator: "/").last ?? ""
        #expect(statuses.contains(run.status), "\(name): \(run.err)")
        #expect(run.seconds <= Self.longest && run.mebibytes <= Self.mostMemory, "\(name): \(run.row)")
        #expect(run.foreignLines.isEmpty, "\(name): \(run.foreignLines)")
        if run.status != 0 {
            #expect(run.err.contains(file), "\(name): \(run.err)")
            for word in ["Fatal error", "EditorError", "Optional("] { #expect(!run.err.contains(word), "\(name)") }
        }
    }

    /// Requires that a movie of at most two seconds can be decoded, as many pictures of it as it is long.
    private func inspect(_ movie: String, of name: String) throws -> String {
        let found = try workshop.probe(
            movie, "-count_frames", "-select_streams", "v", "-show_entries",
            "stream=width,height,nb_read_frames:format=duration")
        let (frames, seconds) = (found.number("streams.0.nb_read_frames") ?? 0, found.number("format.duration") ?? 0)
        #expect(found.number("streams.0.width") == Double(Self.size.width), "\(name)")
        #expect(found.number("streams.0.height") == Double(Self.size.height), "\(name)")
        #expect(frames >= 1 && frames <= 60 && abs(frames / 30 - seconds) < 0.05, "\(name): \(frames) in \(seconds) s")
        return ", \(Int(frames)) frames"
    }

    private func render(_ config: [String: JSONValue], to movie: String) throws -> Run {
        var members = config
        members["renderSize"] = [
            "width": .number(Double(Self.size.width)), "height": .number(Double(Self.size.height)),
        ]
        try workshop.write(config: .object(members), to: "\(movie).json")
        return try run([
            "--config", "\(movie).json", "run", "--output", movie, "--to", "2", "--no-cache", "--progress", "none",
        ])
    }

    /// Runs the editor, with an end to it and its memory measured.
    private func run(_ arguments: [String]) throws -> Run {
        let report = workshop.path("tmp/time-\(UUID().uuidString)")
        let start = ContinuousClock.now
        let output = try workshop.run(
            "/usr/bin/time",
            ["-q", "-o", report, "-f", "%M", "timeout", "\(Int(Self.longest))", Workshop.editor] + arguments)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let kibibytes = Int(try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").last ?? "") ?? 0
        return Run(
            status: output.status, seconds: seconds, mebibytes: kibibytes / 1024, out: output.out, err: output.err)
    }
}
