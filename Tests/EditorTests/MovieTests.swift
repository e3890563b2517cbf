import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Finished movies, looked at with ffprobe and ffmpeg.
@Suite struct MovieTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// A second and a half on SDVideoCamera's canvas with all defaults.
    @Test func theDefaultMovieIsWhatPlayersExpect() throws {
        try workshop.makeCounter("a.mov", frames: 20, size: "320x180", tone: 500)
        try workshop.makeColor("b.mov", "blue", seconds: 0.2, size: "320x180")
        try workshop.write(
            JSONValue.object(["assetArray": ["a.mov", "b.mov"], "export": ["preset": "ultrafast"]]).text(),
            to: "cfg.json")
        try workshop.render("m.mp4")
        let facts = try workshop.probe("m.mp4", "-show_streams", "-show_format", "-count_frames")
        #expect(facts.string("streams.0.codec_name") == "h264")
        #expect(facts.number("streams.0.width") == 1080 && facts.number("streams.0.height") == 1920)
        #expect(facts.string("streams.0.pix_fmt") == "yuv420p")
        #expect(facts.string("streams.0.sample_aspect_ratio") == "1:1")
        #expect(facts.string("streams.0.r_frame_rate") == "30/1" && facts.string("streams.0.avg_frame_rate") == "30/1")
        #expect(facts.number("streams.0.nb_read_frames") == 26)
        for key in ["color_space", "color_primaries", "color_transfer"] {
            #expect(facts.string("streams.0.\(key)") == "bt709")
        }
        #expect(facts.string("streams.0.color_range") == "tv")
        #expect(facts.string("streams.1.codec_name") == "aac")
        #expect(facts.string("streams.1.sample_rate") == "48000" && facts.number("streams.1.channels") == 2)
        #expect(facts.number("streams.0.start_time") == 0)
        // Both streams end together, to an AAC frame's length.
        let ends = [0, 1].compactMap { i in
            facts.number("streams.\(i).start_time").flatMap { start in
                facts.number("streams.\(i).duration").map { start + $0 }
            }
        }
        #expect(ends.count == 2 && abs(ends[0] - 26.0 / 30) < 0.0005 && abs(ends[0] - ends[1]) < 0.025)
        #expect(facts.string("format.format_name")?.contains("mp4") == true)
    }

    @Test(arguments: [true, false])
    func theIndexStandsInFrontWhenNetworksAreMeant(fastStart: Bool) throws {
        try workshop.makeColor("a.mov", "red", seconds: 0.2)
        try workshop.write(config: ["assetArray": ["a.mov"], "shouldOptimizeForNetworkUse": .bool(fastStart)])
        try workshop.render("m.mp4")
        let file = try workshop.bytes("m.mp4")
        var boxes: [String] = []
        var position = 0
        while position + 8 <= file.count {
            let size = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            boxes.append(String(decoding: file[position + 4..<position + 8], as: UTF8.self))
            guard size >= 8 else { break }
            position += size
        }
        #expect(boxes.first == "ftyp")
        let (index, data) = (try #require(boxes.firstIndex(of: "moov")), try #require(boxes.firstIndex(of: "mdat")))
        #expect((index < data) == fastStart, "\(boxes)")
    }

    @Test(
        arguments: [
            ("m.mkv", "h264", "aac"), ("m.webm", "vp9", "opus"), ("m.gif", "gif", nil), ("m.mov", "h264", "aac"),
        ] as [(String, String, String?)])
    func everyContainerHoldsItsCodecs(name: String, video: String, audio: String?) throws {
        try workshop.makeCounter("a.mov", frames: 10, size: "64x64", tone: 500)
        try workshop.write(config: [
            "assetArray": ["a.mov"], "renderSize": ["width": 64, "height": 64], "frameRate": name == "m.gif" ? 10 : 30,
        ])
        try workshop.render(name)
        let facts = try workshop.probe(name, "-show_streams", "-count_frames")
        #expect(facts.string("streams.0.codec_name") == video)
        #expect(facts.string("streams.1.codec_name") == audio)
        #expect(facts.number("streams.0.nb_read_frames") == (name == "m.gif" ? 3 : 10))
        #expect(facts.number("streams.0.start_time") == 0, "the picture begins with the movie")
    }

    @Test(arguments: ["m.mkv", "m.mp4", "m.webm"])
    func av1IsReadBackAcrossSpans(name: String) throws {
        try workshop.makeCounter("a.mov", frames: 10, size: "64x64")
        try workshop.write(config: [
            "assetArray": ["a.mov"], "renderSize": ["width": 64, "height": 64],
            "export": ["videoCodec": "av1", "preset": "ultrafast", "crf": 10, "keyFrameInterval": 0.1],
        ])
        try workshop.render(name)
        let facts = try workshop.probe(name, "-show_streams")
        #expect(facts.string("streams.0.codec_name") == "av1")
        #expect((facts.number("streams.0.extradata_size") ?? 0) > 4, "the sequence header stands in the container")
        #expect(try workshop.counters(name) == Array(0..<10))
    }

    @Test func m4aIsTheSoundAlone() throws {
        try workshop.makeCounter("a.mov", frames: 30, size: "64x64", tone: 500)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let result = try workshop.render("m.m4a", "--json")
        let told = try result.json
        #expect(told.at("videoCodec") == .null && told.string("audioCodec") == "aac")
        #expect(told.number("frames") == 0 && told.number("spans.total") == 0 && told.number("duration") == 1)
        let facts = try workshop.probe("m.m4a", "-show_streams", "-show_format")
        #expect(facts.number("format.nb_streams") == 1 && facts.string("streams.0.codec_name") == "aac")
        #expect(facts.string("format.tags.major_brand") == "M4A ")
        let samples = try workshop.samples("m.m4a")
        #expect(abs(Double(samples.count) - 48_000) <= 1024)
        #expect(abs(Workshop.amplitude(samples[9600..<38_400], hertz: 500) - 0.25) < 0.01)
    }

    /// White flashes and beeps at the same instants, of a clip that is cut and follows another.
    @Test(arguments: ["m.mp4", "m.mkv", "m.webm"])
    func flashesAndBeepsStayTogether(name: String) throws {
        try workshop.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "nullsrc=s=64x64:r=25:d=4,format=yuv420p,geq=lum='if(lt(mod(T,1),0.039),235,16)':cb=128:cr=128", "-f",
                "lavfi", "-i",
                "aevalsrc='0.5*sin(2*PI*1000*t)*lt(mod(t,1),0.04)':s=44100:d=4",
            ] + Workshop.exactly + ["-c:a", "aac", "clap.mp4"])
        try workshop.makeColor("dark.mov", "black", seconds: 0.7, size: "64x64")
        try workshop.write(config: [
            "assetArray": ["dark.mov", ["path": "clap.mp4", "timeRange": ["start": 0.5, "end": 3.7]]],
            "renderSize": ["width": 64, "height": 64],
        ])
        try workshop.render(name)
        let lumas = try workshop.lumas(name)
        let flashes = lumas.indices.filter { lumas[$0] > 120 && ($0 == 0 || lumas[$0 - 1] <= 120) }.map {
            Double($0) / 30
        }
        // By their times in the file: what lies before 0 is not heard.
        try workshop.ffmpeg([
            "-copyts", "-i", name, "-vn", "-ac", "1", "-af", "aresample=48000:async=1:first_pts=0", "-f", "f32le",
            "sound",
        ])
        let samples = try workshop.bytes("sound").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        var beeps: [Double] = []
        for (i, sample) in samples.enumerated() where abs(sample) > 0.15 {
            if beeps.isEmpty || Double(i) / 48_000 - beeps.last! > 0.5 { beeps.append(Double(i) / 48_000) }
        }
        // The source's whole seconds 1, 2 and 3 come 0.2 seconds later.
        #expect(flashes.count == 3 && beeps.count == 3)
        for (second, (flash, beep)) in zip([1.2, 2.2, 3.2], zip(flashes, beeps)) {
            #expect(abs(flash - second) < 0.02 + 1.0 / 30 && abs(beep - second) < 0.02, "\(flash), \(beep)")
        }
    }

    /// The same movie by ffmpeg's filters: scaled, padded, joined, and a picture laid over.
    @Test func looksLikeFFmpegsMovie() throws {
        for (name, source) in [
            ("wide.mov", "testsrc2=s=320x180:r=30:d=0.5"), ("tall.mov", "mandelbrot=s=120x240:r=30,trim=duration=0.5"),
        ] {
            try workshop.ffmpeg(
                ["-f", "lavfi", "-i", "\(source),scale=out_color_matrix=bt709,format=yuv420p"] + Workshop.exactly + [
                    name
                ])
        }
        try workshop.ffmpeg(["-f", "lavfi", "-i", "color=c=orange:s=40x40,format=rgba", "-frames:v", "1", "tag.png"])
        try workshop.write(config: [
            "assetArray": ["wide.mov", ["path": "tall.mov", "videoGravity": "resizeAspect"]],
            "renderSize": ["width": 180, "height": 320],
            "effects": [
                ["type": "sticker", "image": "tag.png", "center": [0.5, 0.25], "width": "40px", "opacity": 0.5]
            ],
            "export": ["preset": "ultrafast", "crf": 4],
        ])
        try workshop.render("m.mp4")
        let graph = """
            [0]scale=180:102:flags=bicubic,pad=180:320:0:108,setsar=1[a];\
            [1]scale=160:320:flags=bicubic,pad=180:320:10:0,setsar=1[b];[a][b]concat=n=2:v=1[ab];\
            [2]format=rgba,colorchannelmixer=aa=0.5,scale=out_color_matrix=bt709,format=yuva420p[tag];\
            [ab][tag]overlay=70:60:format=yuv420[made];[3]format=yuv420p[ours];[ours][made]ssim
            """
        let result = try workshop.ffmpeg([
            "-i", "wide.mov", "-i", "tall.mov", "-loop", "1", "-t", "1", "-i", "tag.png", "-i", "m.mp4",
            "-filter_complex", graph, "-f", "null", "-",
        ])
        let all = try #require(result.err.range(of: "All:"))
        let ssim = try #require(Double(result.err[all.upperBound...].prefix { $0 == "." || $0.isNumber }))
        #expect(ssim >= 0.98)
    }

    /// In words, as `plan` prints it.
    @Test func thePlanInWords() throws {
        try workshop.makeCounter("a.mov", frames: 45, tone: 500)
        try workshop.makeColor("wide.mov", "blue", seconds: 1, size: "320x180", rate: "25")
        try workshop.ffmpeg(["-f", "lavfi", "-i", "color=c=orange:s=40x40,format=rgba", "-frames:v", "1", "tag.png"])
        try workshop.write(config: [
            "assetArray": [
                ["path": "a.mov", "timeRange": ["start": 0.25, "duration": 1]],
                ["path": "wide.mov", "speed": 2, "videoGravity": "resizeAspectBlur"],
                ["path": "tag.png", "duration": 0.7],
                ["path": "wide.mov", "overlay": true, "reverse": true, "width": 0.3],
            ],
            "effects": [
                ["type": "sticker", "image": "tag.png", "timeRange": ["start": 0.5, "duration": 1]],
                ["type": "beauty", "smooth": 0.5],
                ["type": "music", "source": "a.mov"],
            ],
            "selectTimeRange": ["start": 0.1, "duration": 2], "export": ["keyFrameInterval": 0.5],
        ])
        let plan = try workshop.editor("--config", "cfg.json", "plan")
        #expect(plan.status == 0, "\(plan.err)")
        #expect(try TextReference("plan.txt").difference(to: plan.out) == nil)
    }
}
