import EditorCore
import EditorKit
import Foundation
import Testing

/// Frames by themselves are the frames of the movie.
@Suite struct FrameExactnessTests {
    /// Configs with everything that has a memory: transitions, reverse and speed, a slow move, moving overlays, captions,
    /// beauty, another frame rate than the clips'.
    static let configs: [JSONValue] = [
        [
            "assetArray": [
                [
                    "path": "a.mp4", "timeRange": ["start": 0.4, "duration": 1.2],
                    "transition": ["type": "crossDissolve", "duration": 0.4],
                ],
                ["path": "b.mp4", "reverse": true, "speed": 1.5],
            ],
            "effects": [
                ["type": "beauty", "smooth": 0.6, "skinOnly": false],
                ["type": "sticker", "image": "star.png", "width": 0.3, "animation": ["in": "pop", "loop": "pulse"]],
            ],
        ],
        [
            "assetArray": [
                [
                    "path": "photo.png", "duration": 1,
                    "kenBurns": ["from": ["zoom": 1], "to": ["center": [0.6, 0.4], "zoom": 1.4]],
                ],
                "a.mp4",
            ],
            "frameRate": 24,
            "effects": [["type": "text", "text": "Hello, world", "animation": ["in": "typewriter"], "fontSize": 0.12]],
        ],
        [
            "assetArray": ["b.mp4", ["path": "a.mp4", "videoGravity": "resizeAspectBlur"]],
            "frameRate": "30000/1001", "backgroundColor": "203040",
            "selectTimeRange": ["start": 0.3, "duration": 2.2],
            "effects": [
                [
                    "type": "text", "text": "0:01",
                    "center": [["time": 0, "value": [0.2, 0.2]], ["time": 2, "value": [0.8, 0.8]]],
                ]
            ],
        ],
    ]

    private func makeMedia(_ workshop: Workshop) throws {
        try workshop.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2,format=yuv420p"] + Workshop.exactly
                + ["-bf", "3", "-g", "50", "a.mp4"])
        try workshop.ffmpeg(
            ["-f", "lavfi", "-i", "mandelbrot=s=120x160:r=30,format=yuv420p", "-t", "1.5"] + Workshop.exactly
                + ["-bf", "2", "b.mp4"])
        for (name, size) in [("star.png", "40x40"), ("photo.png", "200x300")] {
            try workshop.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=\(size),format=rgb24", "-frames:v", "1", name])
        }
    }

    private static func planes(_ frame: VideoFrame) -> Data {
        var bytes = Data()
        for plane in 0..<3 {
            frame.withPlane(plane) { pixels, layout in
                for row in 0..<layout.height {
                    for x in 0..<layout.width { bytes.append(pixels[row * layout.stride + x]) }
                }
            }
        }
        return bytes
    }

    private func composition(_ workshop: Workshop) throws -> Composition {
        try Composition(contentsOf: workshop.path("cfg.json"))
    }

    /// Before encoding byte for byte: the movie is encoded without loss and taken apart by ffmpeg. After encoding very
    /// nearly.
    @Test(arguments: configs.indices)
    func aFrameIsTheMoviesFrame(number: Int) throws {
        let workshop = try Workshop()
        try makeMedia(workshop)
        try workshop.write(config: Self.configs[number])
        try workshop.render("exact.mkv", "--set", "export.crf=0", "--set", "outputFileType=mkv")
        // Patterns on so small a canvas are hard to encode; this is a good quality, not the best.
        try workshop.render("usual.mp4", "--set", "export.preset=veryfast", "--set", "export.crf=18")
        for name in ["exact.mkv", "usual.mp4"] {
            try workshop.ffmpeg([
                "-i", name, "-an", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "\(name).yuv",
            ])
        }
        let (exact, usual) = (try workshop.bytes("exact.mkv.yuv"), try workshop.bytes("usual.mp4.yuv"))
        var options = FrameGenerator.Options()
        options.usesCache = false
        let generator = try FrameGenerator(try composition(workshop), options: options)
        let length = generator.size.width * generator.size.height * 3 / 2
        let count = exact.count / length
        #expect(count > 40 && exact.count == usual.count && exact.count % length == 0)
        // Twenty, in no order.
        for step in 0..<20 {
            let frame = step * 37 % count
            let time = generator.frameRate.duration(ofTicks: Int64(frame))
            let picture = Self.planes(try generator.picture(at: time))
            // As one truth: what differs between two pictures would be looked for at length.
            let isSame = picture == exact.subdata(in: frame * length..<(frame + 1) * length)
            #expect(isSame, "frame \(frame)")
            let area = generator.size.width * generator.size.height
            let start = frame * length
            let similarity = Self.similarity(
                [UInt8](picture.prefix(area)), [UInt8](usual.subdata(in: start..<start + area)),
                width: generator.size.width)
            #expect(similarity >= 0.98, "frame \(frame)")
        }
    }

    /// Mean structural similarity over blocks of 8×8, as Wang and others define it (2004), on luma.
    static func similarity(_ a: [UInt8], _ b: [UInt8], width: Int) -> Double {
        let height = a.count / width
        var (sum, count) = (0.0, 0)
        for top in stride(from: 0, through: height - 8, by: 4) {
            for left in stride(from: 0, through: width - 8, by: 4) {
                var (sa, sb, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
                for y in top..<top + 8 {
                    for x in left..<left + 8 {
                        let (p, q) = (Double(a[y * width + x]), Double(b[y * width + x]))
                        (sa, sb, aa, bb, ab) = (sa + p, sb + q, aa + p * p, bb + q * q, ab + p * q)
                    }
                }
                let (ma, mb) = (sa / 64, sb / 64)
                let (va, vb, cov) = (aa / 64 - ma * ma, bb / 64 - mb * mb, ab / 64 - ma * mb)
                let (c1, c2) = (6.5025, 58.5225)
                sum += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
                count += 1
            }
        }
        return sum / Double(max(1, count))
    }

    /// Two hundred jumps give what running through gives.
    @Test(arguments: [0, 2])
    func jumpingBackAndForthChangesNothing(number: Int) throws {
        let workshop = try Workshop()
        try makeMedia(workshop)
        try workshop.write(config: Self.configs[number])
        var options = FrameGenerator.Options()
        options.usesCache = false
        let composition = try composition(workshop)
        let running = try FrameGenerator(composition, options: options)
        let count = Int(running.duration.ticksRounded(per: running.frameRate))
        let times = (0..<count).map { running.frameRate.duration(ofTicks: Int64($0)) }
        let pictures = try times.map { Self.planes(try running.picture(at: $0)) }
        let jumping = try FrameGenerator(composition, options: options)
        var frame = 0
        for step in 0..<200 {
            frame = (frame + (step % 2 == 0 ? 31 : count - 17)) % count
            #expect(Self.planes(try jumping.picture(at: times[frame])) == pictures[frame], "jump \(step) to \(frame)")
        }
    }

    /// As many pictures again cost no more memory.
    @Test func memoryStaysSteadyWhileJumping() throws {
        let workshop = try Workshop()
        try makeMedia(workshop)
        try workshop.write(config: Self.configs[0])
        func peak(_ jumps: Int) throws -> Int {
            let times = (0..<jumps).flatMap { ["--at", "\($0 * 31 % 54)f"] }
            let arguments = ["--config", "cfg.json", "thumbnails", "--no-cache", "--jobs", "1", "--width", "16"]
            let script =
                "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            let result = try workshop.run(
                "python3", ["-c", script, Workshop.editor] + arguments + times + ["--output", "t\(jumps)"])
            try #require(result.status == 0, "\(result.err)")
            return try #require(Int(result.out.split(separator: "\n").last ?? ""))
        }
        let (few, many) = (try peak(20), try peak(200))
        #expect(many < few * 5 / 4, "\(few) KB for 20, \(many) KB for 200")
    }

    @Test func aDoorForPrograms() throws {
        let workshop = try Workshop()
        try makeMedia(workshop)
        var options = FrameGenerator.Options()
        options.usesCache = false
        options.width = 80
        let generator = try FrameGenerator(source: workshop.path("a.mp4"), options: options)
        #expect(generator.size == PixelSize(width: 80, height: 60))
        #expect(generator.duration == MediaTime(seconds: 2) && generator.frameRate == Rational(25))
        let times = [1.7, 0.1, 0.9, 0.1].map { MediaTime(decimal: $0)! }
        let together = try generator.pictures(at: times).map(Self.planes)
        #expect(together == (try times.map { Self.planes(try generator.picture(at: $0)) }))
        #expect(together[1] == together[3] && together[0] != together[1])
        options.jobs = 0
        let alone = try FrameGenerator(source: workshop.path("a.mp4"), options: options)
        #expect(together == (try alone.pictures(at: times).map(Self.planes)), "no thread is one")
        #expect(throws: EditorError.self) { try generator.picture(at: MediaTime(seconds: 2)) }
        #expect(throws: EditorError.self) { try FrameGenerator(source: workshop.path("none.mp4")) }
    }
}
