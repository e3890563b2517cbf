import EditorCore
import Foundation
import Testing

/// A virtual screen, and hands at its keyboard.
final class Display {
    static let size = (width: 800, height: 700)
    /// Whether there is everything that it needs.
    static let isThere = ["Xvfb", "xdotool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    let name: String
    private let server: Process
    private let workshop: Workshop

    init(_ workshop: Workshop) throws {
        self.workshop = workshop
        server = workshop.process(
            "/usr/bin/Xvfb",
            ["-displayfd", "1", "-screen", "0", "\(Self.size.width)x\(Self.size.height)x24", "-nolisten", "tcp"])
        let pipe = Pipe()
        server.standardOutput = pipe
        server.standardError = FileHandle.nullDevice
        try server.start()
        // The server says its number when it is ready.
        let line = pipe.fileHandleForReading.availableData
        name = ":" + String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(name.count > 1, "Xvfb did not start")
    }

    deinit {
        // Foundation starts programs with some signals blocked; this one nobody can block.
        kill(server.processIdentifier, SIGKILL)
        for path in ["/tmp/.X\(name.dropFirst())-lock", "/tmp/.X11-unix/X\(name.dropFirst())"] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// What programs need to draw there, and to play sound nowhere.
    var environment: [String: String] { ["DISPLAY": name, "SDL_AUDIODRIVER": "dummy", "SDL_VIDEODRIVER": "x11"] }

    /// Presses keys, by the names of the X keyboard.
    /// - Parameter mayClose: whether the window may be gone before the last key is let go.
    func press(_ keys: String..., mayClose: Bool = false) throws {
        let result = try workshop.run(
            "xdotool", ["search", "--sync", "--name", "editor preview", "windowfocus", "--sync", "key"] + keys,
            environment: environment)
        try #require(mayClose || result.status == 0, "\(result.err)")
    }

    /// Takes a picture of the screen.
    func screenshot(_ file: String) throws {
        try workshop.ffmpeg([
            "-f", "x11grab", "-video_size", "\(Self.size.width)x\(Self.size.height)", "-draw_mouse", "0", "-i", name,
            "-frames:v", "1", file,
        ])
    }
}
