import EditorCore
import Foundation
import Testing

/// Pictures for looking at: set EDITOR_CONTACT_SHEETS to a folder to keep them. That something shows in each cell is
/// checked; whether it looks right is for eyes.
@Suite struct ContactSheetTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// Where a sheet goes.
    private func target(_ name: String) throws -> String {
        guard let folder = ProcessInfo.processInfo.environment["EDITOR_CONTACT_SHEETS"], !folder.isEmpty else {
            return workshop.path(name)
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return "\(folder)/\(name)"
    }

    /// Every animation of stickers and texts, each a row, at eight times of its two seconds from left to right.
    @Test(arguments: ["in", "out", "loop"]) func animations(kind: String) throws {
        let own =
            kind == "loop" ? ["wordHighlight", "karaoke", "wordReveal"] : ["typewriter", "wordByWord", "lineByLine"]
        let names =
            (kind == "loop" ? OverlayLoop.allCases.map(\.rawValue) : OverlayTransition.allCases.map(\.rawValue)) + own
        try workshop.makeColor("a.mov", "0x305060", seconds: 2, size: "90x160", rate: "10")
        try workshop.ffmpeg([
            "-f", "lavfi", "-i",
            "color=red:s=80x80,format=rgba,geq=r='255*lt(X,40)':g='160*gt(Y,40)':b=40:a='255*lt(hypot(X-40,Y-40),38)'",
            "-frames:v", "1", "s.png",
        ])
        var rows: [String] = []
        for name in names {
            let step: JSONValue = kind == "loop" ? .string(name) : ["name": .string(name), "duration": 1.6]
            var effects: [JSONValue] = [
                [
                    "type": "text", "text": "One two three", "fontSize": 0.15, "maxWidth": 0.8, "center": [0.5, 0.68],
                    "animation": .object([kind: step]),
                ]
            ]
            // Letters and words are the text's own.
            if !own.contains(name) {
                effects.append([
                    "type": "sticker", "image": "s.png", "width": 0.5, "center": [0.5, 0.3],
                    "animation": .object([kind: step]),
                ])
            }
            try workshop.write(config: [
                "assetArray": ["a.mov"], "frameRate": 10, "renderSize": ["width": 90, "height": 160],
                "effects": .array(effects),
            ])
            let strip = "\(name).png"
            let result = try workshop.run(
                Workshop.editor,
                ["--config", "cfg.json", "thumbnails", "--count", "8", "--width", "90", "--output", strip])
            #expect(result.status == 0, "\(name): \(result.err)")
            rows.append(strip)
            // Some time of it shows other than the bare film.
            let pixels = try raw(strip)
            #expect(pixels.contains { $0 > 200 }, "\(name) shows nothing")
        }
        try stack(rows, into: try target("animations-\(kind).png"))
    }

    /// The scripts that are asked for most, each in a cell.
    @Test func scripts() throws {
        let texts = [
            "Grüße, naïve Čapek", "Привет, мир", "Καλημέρα κόσμε", "你好，世界。今天天气很好", "日本語の「組版」と句読点。",
            "안녕하세요 세계", "مرحبا بالعالم", "שלום עולם", "abc مرحبا 123 def", "שלום abc 12", "สวัสดีชาวโลก", "नमस्ते दुनिया",
            "👋🏽 👩‍👩‍👧‍👦 🏳️‍🌈 🇯🇵", "café → ½ ✓ ∑", "Tiếng Việt ổn",
        ]
        try workshop.makeColor("a.mov", "0x305060", seconds: 0.2, size: "240x120", rate: "10")
        var cells: [String] = []
        for (index, text) in texts.enumerated() {
            try workshop.write(config: [
                "assetArray": ["a.mov"], "frameRate": 10, "renderSize": ["width": 240, "height": 120],
                "effects": [["type": "text", "text": .string(text), "fontSize": 0.11, "maxWidth": 0.9]],
            ])
            let name = "cell-\(index).png"
            let result = try workshop.editor("--config", "cfg.json", "frame", "--at", "0", "--output", name)
            #expect(result.status == 0 && !result.err.contains("no font has a glyph"), "\(text): \(result.err)")
            #expect(try raw(name).contains { $0 > 200 }, "\(text) shows nothing")
            cells.append(name)
        }
        var rows: [String] = []
        for start in stride(from: 0, to: cells.count, by: 3) {
            let row = "row-\(start).png"
            try workshop.ffmpeg(
                cells[start..<start + 3].flatMap { ["-i", $0] } + ["-filter_complex", "hstack=3", row])
            rows.append(row)
        }
        try stack(rows, into: try target("scripts.png"))
    }

    private func stack(_ rows: [String], into path: String) throws {
        try workshop.ffmpeg(rows.flatMap { ["-i", $0] } + ["-filter_complex", "vstack=\(rows.count)", path])
        #expect(FileManager.default.fileExists(atPath: path))
    }

    private func raw(_ name: String) throws -> Data {
        try workshop.ffmpeg(["-i", name, "-f", "rawvideo", "-pix_fmt", "gray", "\(name).raw"])
        return try workshop.bytes("\(name).raw")
    }
}
