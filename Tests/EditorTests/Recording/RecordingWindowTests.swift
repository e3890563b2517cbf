import EditorCore
import Foundation
import Testing

/// `record` with a window, on the virtual camera and a virtual screen; what it shows is read from screenshots.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable && Display.isThere, CameraRig.reason))
struct RecordingWindowTests {
    let workshop: Workshop
    let rig: CameraRig
    let display: Display

    init() throws {
        workshop = try Workshop()
        rig = CameraRig(workshop: workshop)
        display = try Display(workshop)
    }

    /// The picture in the middle of the screen, above the window's footer of 50 rows.
    private static let picture = (width: 640, height: 480, x: (Display.size.width - 640) / 2, y: (700 - 480 - 50) / 2)
    private static let crop = "crop=640:480:\(picture.x):\(picture.y)"

    private static let functions = """
        # press EVENT COUNT KEY: presses a key until the log has that many of an event; one that comes while a window is
        # drawn may be lost on a busy machine
        press() {
          for try in 1 2 3 4; do
            timeout 20 xdotool search --sync --name "editor record" windowfocus --sync key "$3" || return 1
            for i in $(seq 150); do [ "$(grep -c "$1" log)" -ge "$2" ] && return 0; sleep 0.02; done
          done; echo "no $1 by $3" >&2; return 1
        }
        # over: waits for the program, for half a minute
        over() {
          for i in $(seq 600); do kill -0 $editor 2>/dev/null || break; sleep 0.05; done
          kill -KILL $editor 2>/dev/null && echo "it does not end" >&2; wait $editor
        }
        shot() { ffmpeg -nostdin -v error -y -f x11grab -video_size \(Display.size.width)x\(Display.size.height) -draw_mouse 0 -i "$DISPLAY" -frames:v 1 "$1"; }

        """

    private func run(_ script: String) throws -> CameraRig.Result {
        try rig.run(Self.functions + script, environment: display.environment)
    }

    /// The number that the camera wrote on the picture a screenshot shows.
    private func sequence(_ shot: String) throws -> UInt32 {
        try #require(try workshop.sequences(shot, filter: Self.crop + ",").first)
    }

    /// Mean light of two periods of the camera's pattern both ways, which does not change with its movement.
    private func luma(_ shot: String) throws -> Double {
        try #require(try workshop.lumas(shot, crop: "256:256:\(Self.picture.x + 20):\(Self.picture.y + 20)").first)
    }

    /// The keys work, the picture is the camera's under the config's effects, the segments are without those, and the
    /// merge has them.
    @Test func showsRecordsAndObeys() throws {
        try workshop.write(config: [
            "renderSize": ["width": 640, "height": 480], "maxVideoDuration": 10,
            "effects": [["type": "color", "saturation": -1]],
        ])
        let result = try run(
            """
            record --size 640x480 --output movie.mp4 </dev/null 2>log >out & editor=$!
            until_event '"idle"'; sleep 1; shot idle.png
            press inProgress 1 space; sleep 1; shot recording.png
            press '"added"' 1 space; sleep 0.5; shot marked.png
            press '"lit": true' 1 t; sleep 0.5; shot lit.png
            xdotool key o; sleep 0.7; shot skin.png; xdotool key o; sleep 0.7; shot noskin.png
            press '"zoom"' 1 equal; press '"zoom"' 2 minus
            press '"focus"' 1 p; press '"exposure"' 1 e; press '"speed"' 1 2; press '"speed"' 2 1
            press Front 1 f; sleep 0.5; shot front.png
            press '"countdown"' 1 c; sleep 0.5; shot counting.png; press '"seconds": -1' 1 space
            press inProgress 2 space; sleep 0.5; press '"added"' 2 space; press '"deleted"' 1 d
            press inProgress 3 space; sleep 0.5; press '"added"' 3 space
            xdotool search --name "editor record" windowfocus --sync key Return
            over
            """)
        try #require(result.status == 0, "\(result.log)")
        #expect(try String(contentsOfFile: workshop.path("out"), encoding: .utf8) == "movie.mp4\n")

        // The picture is the one that the camera had then: the very same is in the segment.
        let segment = try #require(result.segments.first?.string("path"))
        let numbers = try workshop.sequences(segment)
        #expect(Workshop.isGapless(numbers) && numbers.count >= 20, "\(numbers)")
        let shown = try sequence("recording.png")
        let index = try #require(numbers.firstIndex(of: shown), "\(shown) is not in \(numbers)")
        let result2 = try workshop.ffmpeg([
            "-i", "recording.png", "-i", segment, "-lavfi",
            "[0]\(Self.crop),crop=iw:ih*0.8:0:ih*0.2,format=gray,scale=320:-2[a];"
                + "[1]select=eq(n\\,\(index)),crop=iw:ih*0.8:0:ih*0.2,format=gray,scale=320:-2[b];[a][b]ssim",
            "-frames:v", "1", "-f", "null", "-",
        ])
        let similarity = result2.err.firstMatch(of: /All:([0-9.]+)/).flatMap { Double($0.1) } ?? 0
        #expect(similarity > 0.9, "\(similarity)")

        // Without colour in the window and in the merge, with it in the segment.
        func colour(_ name: String, frame: Int, x: Int, y: Int) throws -> Int {
            let values = try workshop.color(name, frame: frame, x: x, y: y)
            return (values.max() ?? 0) - (values.min() ?? 0)
        }
        let (x, y) = (Self.picture.x + 100, Self.picture.y + 200)
        #expect(try colour("recording.png", frame: 0, x: x, y: y) < 8)
        #expect(try colour(segment, frame: index, x: 100, y: 200) > 40)
        #expect(try colour("movie.mp4", frame: index, x: 100, y: 200) < 12)

        // The bar grows, and has a mark where the segment ends.
        let top = (Display.size.height + 480 + 50) / 2 - 50 + 6
        func bar(_ shot: String, _ share: Double) throws -> [Int] {
            try workshop.color(shot, frame: 0, x: Self.picture.x + 10 + Int(share * 620), y: top + 6)
        }
        #expect(try bar("idle.png", 0.02) == bar("idle.png", 0.9), "it is empty at first")
        let full = try bar("marked.png", 0.02)
        #expect(full[0] > 200 && full[1] > 150 && full[2] < 100, "\(full) is progressColor")

        // The last picture, which is dark, shows through the lit one; and not when it is switched off again.
        let (dark, lit, skin, plain) = (
            try luma("marked.png"), try luma("lit.png"), try luma("skin.png"), try luma("noskin.png")
        )
        #expect(lit - dark > 40)
        #expect(abs(skin - (0.6 * lit + 0.4 * dark)) < 6, "\(dark) \(lit) \(skin)")
        #expect(abs(plain - lit) < 4)

        // Every key did its own, once.
        let zooms = result.events("zoom").compactMap { $0.number("factor") }
        #expect(zooms.starts(with: [1.25, 1]), "\(zooms)")
        #expect(result.events("speed").compactMap { $0.number("speed") } == [2, 1])
        #expect(result.events("focus").first?.at("locked") == .bool(true))
        #expect(result.events("exposure").first?.at("locked") == .bool(true))
        let deleted = try #require(result.events("segment").first { $0.string("action") == "deleted" }?.string("path"))
        #expect(deleted == result.segments[1].string("path") && !FileManager.default.fileExists(atPath: deleted))
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        let frames = [0, 2].compactMap { result.segments[$0].number("frames") }.reduce(0, +)
        #expect(facts.number("streams.0.nb_read_frames") == frames)
    }

    /// Effects that take longer than a picture lasts cost pictures of the window and none of the recording. `q` keeps
    /// the session.
    @Test func aSlowWindowLosesNothing() throws {
        let blur: JSONValue = ["type": "blur", "radius": 0.05]
        try workshop.write(config: [
            "renderSize": ["width": 1080, "height": 1920], "maxVideoDuration": 20,
            "effects": .array(Array(repeating: blur, count: 12)),
        ])
        let result = try run(
            """
            record --size 640x480 </dev/null 2>log >out & editor=$!
            until_event '"idle"'; sleep 1
            press inProgress 1 space; sleep 3; press '"added"' 1 space
            xdotool search --name "editor record" windowfocus --sync key q; over
            """)
        try #require(result.status == 0, "\(result.log)")
        let segment = try #require(result.segments.first)
        #expect(segment.number("lost") == 0 && segment.number("held") == 0)
        let numbers = try workshop.sequences(try #require(segment.string("path")))
        #expect(numbers.count > 60 && Workshop.isGapless(numbers))
        #expect(try workshop.editor("record", "--list", "--json").json.at("0.segments.0") != nil)
    }

    /// What cannot be shown is told of, and recording goes on: effects without their file, and a display that is gone.
    @Test func recordsWithoutWhatCannotBeShown() throws {
        try workshop.write(config: [
            "renderSize": ["width": 640, "height": 480],
            "effects": [["type": "sticker", "image": "none.png"]],
        ])
        let plain = try run(
            """
            { until_event '"idle"'; sleep 1; shot shown.png; echo start 0.5; echo wait; echo quit; } | record --size 640x480 2>log
            """)
        #expect(plain.status == 0 && plain.segments.count == 1, "\(plain.log)")
        let warning = plain.events("warning").first { $0.string("code") == "window.effects" }
        #expect(warning?.string("message")?.contains("none.png") ?? false, "\(plain.log)")
        #expect(try luma("shown.png") > 60, "the camera is shown without them")
        let gone = try rig.run(
            "{ echo start 0.5; echo wait; echo quit; } | record --size 640x480 2>log",
            environment: ["DISPLAY": ":4711"])
        #expect(gone.status == 0 && gone.segments.count == 1, "\(gone.log)")
        #expect(gone.events("warning").contains { $0.string("code") == "window.none" }, "\(gone.log)")
        let unwanted = try run(
            "{ echo start 0.5; echo wait; echo quit; } | record --no-window --size 640x480 2>log")
        #expect(unwanted.status == 0 && !unwanted.log.contains("window."), "\(unwanted.log)")
    }
}
