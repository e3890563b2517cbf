import EditorCore
import Foundation
import Testing

/// The colour module in finished movies.
@Suite struct ColorMovieTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func isNear(_ color: [Int], _ wanted: [Int], by distance: Int = 10) -> Bool {
        zip(color, wanted).allSatisfy { abs($0 - $1) <= distance }
    }

    /// Somebody in red before a green screen, over blue: blue shows where the screen was, on a clip that lies over another
    /// and, with the background's colour, on one that stands alone.
    @Test func aScreenBecomesWhatIsBehindIt() throws {
        try workshop.makeColor("blue.mov", "0x2040c0", seconds: 0.2)
        try workshop.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=c=0x00b140:s=80x80:r=30:d=0.2,drawbox=x=30:y=30:w=20:h=20:color=0xc83030:t=fill,scale=out_color_matrix=bt709,format=yuv420p",
            ] + Workshop.exactly + ["screen.mov"])
        let key: JSONValue = ["type": "chromaKey", "color": "00b140"]
        try workshop.write(config: [
            "assetArray": [
                "blue.mov",
                ["path": "screen.mov", "overlay": true, "width": "80px", "center": [0.5, 0.5], "effects": [key]],
            ]
        ])
        try workshop.render("over.mp4")
        // The overlay covers 40…120 by 102…182; its red box lies in the middle.
        for frame in [0, 5] {
            #expect(isNear(try workshop.color("over.mp4", frame: frame, x: 50, y: 112), [0x20, 0x40, 0xc0]))
            #expect(isNear(try workshop.color("over.mp4", frame: frame, x: 80, y: 142), [0xc8, 0x30, 0x30]))
        }
        try workshop.write(config: [
            "assetArray": ["screen.mov"], "backgroundColor": "ffffff", "renderSize": ["width": 80, "height": 80],
            "effects": [key],
        ])
        try workshop.render("alone.mp4")
        #expect(isNear(try workshop.color("alone.mp4", frame: 2, x: 10, y: 10), [255, 255, 255]))
        #expect(isNear(try workshop.color("alone.mp4", frame: 2, x: 40, y: 40), [0xc8, 0x30, 0x30]))
    }

    /// A table's file is part of what a span depends on; a broken one is told with its line before the first frame.
    @Test func aTableIsReadFromItsFile() throws {
        try workshop.makeColor("red.mov", "0xc83030", seconds: 0.2)
        try workshop.write(config: ["assetArray": ["red.mov"], "effects": [["type": "lut", "file": "a.cube"]]])
        func table(_ exchanged: Bool) -> String {
            var text = "LUT_3D_SIZE 2\n"
            for b in 0...1 {
                for g in 0...1 { for r in 0...1 { text += exchanged ? "\(b) \(g) \(r)\n" : "\(g) \(r) \(b)\n" } }
            }
            return text
        }
        try workshop.write(table(true), to: "a.cube")
        try workshop.render("one.mp4")
        #expect(isNear(try workshop.color("one.mp4", frame: 0, x: 50, y: 50), [0x30, 0x30, 0xc8]))
        // Another file under the same name; the kept spans do not serve.
        try workshop.write(table(false) + "\n", to: "a.cube")
        try workshop.render("two.mp4")
        #expect(isNear(try workshop.color("two.mp4", frame: 0, x: 50, y: 50), [0x30, 0xc8, 0x30]))
        try workshop.write("LUT_3D_SIZE 2\n0 0 0\n0 0 zero\n", to: "a.cube")
        let broken = try workshop.editor("--config", "cfg.json", "run", "--output", "three.mp4")
        #expect(broken.status == 65 && broken.err.contains("a.cube, line 3") && broken.err.contains("zero"))
        #expect(!workshop.exists("three.mp4"))
        try workshop.write(config: ["assetArray": ["red.mov"], "effects": [["type": "lut", "file": "none.cube"]]])
        let missing = try workshop.editor("--config", "cfg.json", "check")
        #expect(missing.status == 66 && missing.err.contains("none.cube"))
    }

    /// Several spans at once give the same bytes as one after the other.
    @Test func spansAreIndependent() throws {
        try workshop.makeCounter("a.mov", frames: 40, chroma: (110, 150))
        try workshop.write(config: [
            "assetArray": ["a.mov"], "export": ["preset": "ultrafast", "keyFrameInterval": 0.3],
            "effects": [
                ["type": "look", "name": "tealOrange"],
                ["type": "color", "exposure": [["time": 0, "value": 0], ["time": 1, "value": 1]], "vignette": 0.4],
                [
                    "type": "blur",
                    "region": ["center": [["time": 0, "value": [0, 0]], ["time": 1, "value": [1, 1]]]],
                ],
            ],
        ])
        try workshop.render("one.mp4", "--jobs", "1", "--no-cache")
        try workshop.render("three.mp4", "--jobs", "3", "--no-cache")
        #expect(try workshop.bytes("one.mp4") == workshop.bytes("three.mp4"))
    }
}
