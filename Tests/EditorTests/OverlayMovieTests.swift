import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Stickers, texts and captions in finished movies, looked at with ffprobe and ffmpeg.
@Suite struct OverlayMovieTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    // MARK: Subtitle tracks

    static let captions = """
        1
        00:00:00,200 --> 00:00:00,600
        First <b>words</b> & more

        2
        00:00:01,000 --> 00:00:01,500
        Two
        lines

        3
        00:00:09,000 --> 00:00:10,000
        After the end

        """

    @Test(arguments: [
        ("m.mp4", "mov_text", "eng"), ("m.mov", "mov_text", "eng"), ("m.mkv", "subrip", "eng"),
        ("m.webm", "webvtt", "eng"),
    ])
    func softCaptionsAreATrack(name: String, codec: String, language: String) throws {
        try workshop.makeColor("a.mov", "blue", seconds: 2, rate: "10")
        try workshop.write(Self.captions, to: "c.srt")
        try workshop.write(config: [
            "assetArray": ["a.mov"], "frameRate": 10, "renderSize": ["width": 64, "height": 64],
            "effects": [["type": "text", "captions": "c.srt", "soft": "only", "language": "en"]],
        ])
        try workshop.render(name)
        let facts = try workshop.probe(name, "-show_streams", "-select_streams", "s")
        #expect(facts.string("streams.0.codec_name") == codec && facts.number("streams.1.index") == nil)
        #expect(facts.string("streams.0.tags.language") == language)
        // What ffmpeg reads back, as SubRip; each text with its times.
        // `-copyts`: else ffmpeg counts from the sound's priming, which in mkv and webm lies before the movie's start.
        let read = try workshop.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-copyts", "-i", name, "-map", "0:s:0", "-f", "srt", "-"])
        #expect(read.status == 0 && read.err.isEmpty, "\(read.err)")
        let blocks = read.out.replacing("\r\n", with: "\n").split(separator: "\n\n")
            .map { $0.split(separator: "\n").map(String.init) }
        try #require(blocks.count == 2, "\(read.out)")
        #expect(blocks[0][1] == "00:00:00,200 --> 00:00:00,600" && blocks[1][1] == "00:00:01,000 --> 00:00:01,500")
        let plain = blocks.map { block in
            block.dropFirst(2).map { $0.replacing(/<\/?[a-z][^>]*>/, with: "").replacing("&amp;", with: "&") }
        }
        #expect(plain == [["First words & more"], ["Two", "lines"]])
        #expect(blocks[0][2].contains("<b>words</b>"), "\(blocks[0])")
        // Nothing is burnt in: the movie is blue all over.
        #expect(try workshop.color(name, frame: 4, x: 32, y: 32).elementsEqual([0, 0, 255]) { abs($0 - $1) < 12 })
        let ends = try workshop.probe(name, "-show_format").number("format.duration") ?? 0
        #expect(abs(ends - 2) < 0.06)
    }

    @Test func softAndBurntIn() throws {
        try workshop.makeColor("a.mov", "blue", seconds: 1, rate: "10")
        try workshop.write(Self.captions, to: "c.srt")
        let effect: JSONValue = [
            "type": "text", "captions": "c.srt", "soft": true, "colorStyle": "background", "color": "ff0000",
            "fontSize": 0.2,
        ]
        try workshop.write(config: [
            "assetArray": ["a.mov"], "frameRate": 10, "renderSize": ["width": 64, "height": 64], "effects": [effect],
        ])
        try workshop.render("m.mp4")
        #expect(try workshop.probe("m.mp4", "-show_streams").string("streams.2.codec_name") == "mov_text")
        let corner = try workshop.ffmpeg([
            "-i", "m.mp4", "-vf", "select=eq(n\\,4),scale=in_color_matrix=bt709,format=rgb24", "-frames:v", "1", "-f",
            "rawvideo", "p.raw",
        ])
        _ = corner
        let pixels = try workshop.bytes("p.raw")
        let red = stride(from: 0, to: pixels.count, by: 3).filter { pixels[$0] > 180 && pixels[$0 + 2] < 80 }
        #expect(red.count > 200)
        // The movie without the track has the same pictures.
        try workshop.render("n.mp4", "--set", "effects.0.soft=false")
        let hashes = try ["m.mp4", "n.mp4"].map {
            try workshop.run("ffmpeg", ["-nostdin", "-v", "error", "-i", $0, "-map", "0:v", "-f", "md5", "-"]).out
        }
        #expect(hashes[0] == hashes[1] && !hashes[0].isEmpty)
    }

    @Test func aFileWithoutSubtitlesIsAnError() throws {
        try workshop.makeColor("a.mov", "blue", seconds: 0.2)
        try workshop.write(Self.captions, to: "c.srt")
        try workshop.write(config: [
            "assetArray": ["a.mov"], "effects": [["type": "text", "captions": "c.srt", "soft": true]],
        ])
        for name in ["m.gif", "m.m4a"] {
            let result = try workshop.editor("--config", "cfg.json", "run", "--output", name)
            #expect(result.status == 65 && result.err.contains("/effects/0/soft"), "\(result.err)")
            #expect(result.err.contains("has no subtitle track"))
        }
    }

    // MARK: Stickers

    /// A film with alpha over blue: a red disc on nothing. Decoded by each codec that keeps alpha.
    @Test(arguments: [
        ("s.webm", ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-crf", "20", "-b:v", "0", "-cpu-used", "8"]),
        ("s.mov", ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"]),
        ("t.mov", ["-c:v", "qtrle"]),
    ])
    func aFilmWithAlphaIsASticker(name: String, options: [String]) throws {
        try workshop.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=red:s=64x64:r=10:d=1,format=rgba,geq=r=255:g='N*25':b=0:a='255*lt(hypot(X-31.5,Y-31.5),24)'",
            ] + options + [name])
        try workshop.makeColor("a.mov", "blue", seconds: 1.4, size: "128x128", rate: "10")
        try workshop.write(config: [
            "assetArray": ["a.mov"], "frameRate": 10, "renderSize": ["width": 128, "height": 128],
            "effects": [
                ["type": "sticker", "image": .string(name), "center": [0.5, 0.5], "width": 0.5, "loop": "once"]
            ],
            "export": ["preset": "ultrafast", "crf": 4],
        ])
        try workshop.render("m.mp4")
        for (frame, green) in [(0, 0), (3, 75), (8, 200), (13, 225)] {
            let inside = try workshop.color("m.mp4", frame: frame, x: 64, y: 64)
            #expect(
                abs(inside[0] - 255) < 16 && abs(inside[1] - green) < 24 && inside[2] < 24,
                "\(name) \(frame): \(inside)")
        }
        let corner = try workshop.color("m.mp4", frame: 3, x: 36, y: 36)
        #expect(corner[0] < 16 && corner[1] < 16 && corner[2] > 235, "\(name): \(corner)")
    }

    @Test func aDrawnAnimationIsTheSameForAnyJobs() throws {
        try workshop.makeColor("a.mov", "blue", seconds: 3)
        try workshop.write(Self.lottie, to: "s.json")
        try workshop.write(config: [
            "assetArray": ["a.mov"],
            "effects": [
                ["type": "sticker", "image": "s.json", "center": [0.5, 0.5], "width": 0.8, "loop": "forever"]
            ],
            "export": ["preset": "ultrafast", "crf": 4, "keyFrameInterval": 0.5],
        ])
        try workshop.render("one.mp4", "--jobs", "1", cache: "c1")
        try workshop.render("three.mp4", "--jobs", "3", cache: "c2")
        #expect(try workshop.bytes("one.mp4") == workshop.bytes("three.mp4"))
        // The square's left edge is at n/100 of the width at 30 pictures a second.
        for n in [0, 20, 59, 60, 80] {
            let left = 16 + 128 * (n % 60) / 100
            let inside = try workshop.color("one.mp4", frame: n, x: left + 6, y: 142)
            #expect(inside[0] > 100 && inside[2] < 150, "\(n): \(inside)")
            let beyond = try workshop.color("one.mp4", frame: n, x: left + 32, y: 142)
            #expect(beyond[0] < 30 && beyond[2] > 220, "\(n): \(beyond)")
        }
    }

    private static let lottie = """
        {"v":"5.5.2","fr":30,"ip":0,"op":60,"w":100,"h":50,"assets":[],"layers":[{"ty":4,"ks":{"o":{"a":0,"k":50},
        "p":{"a":1,"k":[{"i":{"x":[1],"y":[1]},"o":{"x":[0],"y":[0]},"t":0,"s":[10,25,0],"e":[70,25,0]},
        {"t":60,"s":[70,25,0]}]}},"shapes":[{"ty":"gr","it":[{"ty":"rc","s":{"a":0,"k":[20,20]},"p":{"a":0,"k":[0,0]},
        "r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr","p":{"a":0,"k":[0,0]},
        "a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"o":{"a":0,"k":100}}]}],"ip":0,"op":60,"st":0}]}
        """

    // MARK: Fonts

    /// The same config, another font behind the same family name: the text is drawn anew; without a change it is not.
    @Test(.enabled(if: [dejaVu, noto].allSatisfy(FileManager.default.fileExists(atPath:))))
    func anotherFontDrawsTheTextAnew() throws {
        try workshop.makeColor("a.mov", "blue", seconds: 0.4)
        try workshop.write(config: [
            "assetArray": ["a.mov"],
            "effects": [["type": "text", "text": "Hag", "fontFamily": "Sans", "fontSize": 0.3]],
        ])
        try FileManager.default.createDirectory(atPath: workshop.path("fonts"), withIntermediateDirectories: true)
        try workshop.write(
            """
            <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
            <fontconfig><dir>\(workshop.path("fonts"))</dir><cachedir>\(workshop.path("fontcache"))</cachedir></fontconfig>
            """, to: "fonts.conf")
        func rendered(_ output: String) throws -> Double? {
            let result = try workshop.editor(
                "--config", "cfg.json", "run", "--output", output, "--json",
                environment: ["FONTCONFIG_FILE": workshop.path("fonts.conf")])
            try #require(result.status == 0, "\(result.err)")
            return try result.json.number("spans.rendered")
        }
        try FileManager.default.copyItem(atPath: Self.dejaVu, toPath: workshop.path("fonts/a.ttf"))
        #expect(try rendered("1.mp4") == 1)
        #expect(try rendered("2.mp4") == 0)
        try FileManager.default.removeItem(atPath: workshop.path("fonts/a.ttf"))
        try FileManager.default.copyItem(atPath: Self.noto, toPath: workshop.path("fonts/a.ttf"))
        #expect(try rendered("3.mp4") == 1)
        #expect(try workshop.bytes("1.mp4") == workshop.bytes("2.mp4"))
        #expect(try workshop.bytes("1.mp4") != workshop.bytes("3.mp4"))
    }

    private static let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    private static let noto = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"

    // MARK: Mistakes

    @Test func allMistakesAreToldAtOnceInASentenceEach() throws {
        try workshop.makeColor("a.mov", "blue", seconds: 0.2)
        try workshop.write("no font", to: "font.ttf")
        try workshop.write("00:00:02,000 --> 00:00:01,000\nA\n\n-00:00:03,000 --> 00:00:04,000\nB\n", to: "c.srt")
        try workshop.write(config: [
            "assetArray": ["a.mov"],
            "effects": [
                ["type": "sticker", "image": "nowhere.png"], ["type": "sticker", "image": "a.mov", "opacity": 7],
                ["type": "text", "text": "a", "fontFile": "font.ttf"], ["type": "text", "markup": "<b>open"],
                ["type": "text", "captions": "c.srt"], ["type": "text", "text": "a", "soft": true],
                ["type": "sticker", "image": "a.mov", "animation": ["in": "plop"]],
            ],
        ])
        let result = try workshop.editor("--config", "cfg.json", "check")
        #expect(result.status == 65 || result.status == 66)
        for wanted in [
            "/effects/0", "nowhere.png", "/effects/1/opacity", "/effects/2", "font.ttf", "/effects/3/markup",
            "c.srt, line 1",
            "c.srt, line 4", "before the movie's start", "/effects/5/soft", "/effects/6/animation/in", "plop",
        ] { #expect(result.err.contains(wanted), "\(wanted) in \(result.err)") }
    }

    // MARK: Guides

    @Test func guidesShadeWhatPlayersCover() throws {
        try workshop.makeColor("a.mov", "white", seconds: 0.2)
        try workshop.write(config: [
            "assetArray": ["a.mov"], "renderSize": ["width": 360, "height": 640], "videoGravity": "resize",
        ])
        for (name, flags) in [("plain.png", []), ("guides.png", ["--guides"])] as [(String, [String])] {
            let result = try workshop.run(
                Workshop.editor, ["--config", "cfg.json", "frame", "--at", "0", "--output", name] + flags)
            #expect(result.status == 0, "\(result.err)")
        }
        // Beyond 15 % from the top, 35 % from the bottom, 6 % left and 18 % right of the upright canvas.
        for (x, y, isFree) in [
            (180, 90, false), (180, 104, true), (180, 404, true), (180, 424, false), (14, 200, false), (30, 200, true),
            (284, 200, true), (304, 200, false),
        ] {
            let (plain, guided) = (
                try workshop.color("plain.png", frame: 0, x: x, y: y),
                try workshop.color("guides.png", frame: 0, x: x, y: y)
            )
            #expect((plain == guided) == isFree, "\(x), \(y): \(plain), \(guided)")
        }
    }
}
