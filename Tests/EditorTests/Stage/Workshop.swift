import EditorCore
import Foundation
import Testing

/// A folder of a test's own, with homes and caches of its own, in which programs run. Goes with the test.
final class Workshop: Sendable {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "editor-\(UUID().uuidString)"
        for name in ["home", "cache", "tmp"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The checkout that the tests come from.
    static let checkout = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        .path

    /// The program under test: `EDITOR_BIN`, else the one that was built beside the tests.
    static var editor: String {
        if let path = ProcessInfo.processInfo.environment["EDITOR_BIN"], !path.isEmpty { return path }
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent("editor").path
    }

    // MARK: Files

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    /// Writes a config; 160×284 pixels and the fastest encoding unless it says otherwise.
    func write(config: JSONValue, to name: String = "cfg.json") throws {
        guard case .object(var members) = config else { return }
        members["renderSize"] = members["renderSize"] ?? ["width": 160, "height": 284]
        members["export"] = members["export"] ?? ["preset": "ultrafast"]
        try write(JSONValue.object(members).text(indent: 2), to: name)
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Files and folders in the workshop, hidden ones too, homes and caches left aside.
    var files: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { !["home", "cache", "tmp"].contains($0) }.sorted()
    }

    // MARK: Programs

    struct Output {
        var status: Int32
        var out: String
        var err: String

        var json: JSONValue {
            get throws { try JSONDecoder().decode(JSONValue.self, from: Data(out.utf8)) }
        }
    }

    /// A process in the workshop, not yet started.
    func process(_ program: String, _ arguments: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : "/usr/bin/env")
        process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("XDG_") }
        variables["HOME"] = path("home")
        variables["XDG_CACHE_HOME"] = path("cache")
        variables["TMPDIR"] = path("tmp")
        // No plugins but those that a test names: a cache of its own knows none yet.
        variables["FREI0R_PATH"] = ""
        variables["LADSPA_PATH"] = ""
        process.environment = variables.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Output {
        let process = process(program, arguments, environment: environment)
        // Files cannot fill up as pipes do.
        let names = ["out", "err"].map { path("tmp/\($0)-\(UUID().uuidString)") }
        for name in names { _ = FileManager.default.createFile(atPath: name, contents: nil) }
        let handles = try names.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
        (process.standardOutput, process.standardError) = (handles[0], handles[1])
        try process.start()
        process.waitUntilExit()
        for handle in handles { try handle.close() }
        let texts = try names.map { String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self) }
        for name in names { try FileManager.default.removeItem(atPath: name) }
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Output(status: status, out: texts[0], err: texts[1])
    }

    @discardableResult
    func editor(_ arguments: String..., environment: [String: String] = [:]) throws -> Output {
        try run(Self.editor, arguments, environment: environment)
    }

    /// Renders `cfg.json` and requires that it works.
    @discardableResult
    func render(_ output: String, _ arguments: String..., cache: String = "cache") throws -> Output {
        let result = try run(
            Self.editor, ["--config", "cfg.json", "run", "--output", output, "--progress", "none"] + arguments,
            environment: ["XDG_CACHE_HOME": path(cache)])
        try #require(result.status == 0, "\(result.err)")
        return result
    }

    @discardableResult
    func ffmpeg(_ arguments: [String]) throws -> Output {
        let result = try run("ffmpeg", ["-nostdin", "-hide_banner", "-loglevel", "info", "-y"] + arguments)
        try #require(result.status == 0, "\(result.err)")
        return result
    }

    /// Answers of ffprobe, as JSON.
    func probe(_ name: String, _ arguments: String...) throws -> JSONValue {
        let result = try run("ffprobe", ["-v", "error", "-of", "json"] + arguments + [name])
        try #require(result.status == 0, "\(result.err)")
        return try result.json
    }
}
