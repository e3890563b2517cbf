import EditorCore
import EditorKit
import Foundation
import Synchronization
import Testing

/// `preview` on a virtual screen, driven by keys; what it shows is read from screenshots.
@Suite(.serialized, .enabled(if: Display.isThere)) struct PreviewTests {
    /// The canvas of these compositions, which the window shows pixel by pixel: in its middle, above the status line.
    private static let canvas = (width: 160, height: 284)
    private static let corner = (x: (Display.size.width - 160) / 2, y: (Display.size.height - 284 - 28) / 2)

    private final class Window {
        let workshop: Workshop
        let display: Display
        let process: Process

        init(_ workshop: Workshop, _ arguments: String...) throws {
            self.workshop = workshop
            display = try Display(workshop)
            // The shell writes the process' number and exit code down: waiting for a program that has run beside others
            // is not reliable.
            let script =
                "\"$0\" \"$@\" >out.txt 2>err.txt & echo $! >pid.txt; wait $!; echo $? >status.new; mv status.new status.txt"
            process = workshop.process(
                "/bin/sh", ["-c", script, Workshop.editor, "--config", "cfg.json", "preview"] + arguments,
                environment: display.environment)
            try process.start()
        }

        deinit {
            guard !workshop.exists("status.txt") else { return }
            if let number = pid_t(text("pid.txt").trimmingCharacters(in: .whitespacesAndNewlines)) {
                kill(number, SIGKILL)
            }
        }

        func text(_ name: String) -> String {
            (try? String(contentsOfFile: workshop.path(name), encoding: .utf8)) ?? ""
        }

        /// Which picture of a counter is shown; nil when there is none.
        func counter() throws -> Int? {
            try display.screenshot("shot.png")
            let crop = "40:40:\(corner.x + 60):\(corner.y + 120)"
            guard let luma = try workshop.lumas("shot.png", crop: crop).first, luma > 30 else { return nil }
            return Int(((luma - 40) / 2).rounded())
        }

        /// Waits until something holds of what is shown.
        func waits(_ what: String, until isSo: (Int?) -> Bool) throws {
            var last: Int?
            for _ in 0..<150 {
                last = try counter()
                if isSo(last) { return }
                usleep(100_000)
            }
            Issue.record("\(what): \(last.map(String.init) ?? "nothing") is shown; \(text("err.txt"))")
        }

        func shows(_ number: Int, _ what: String = "") throws { try waits(what) { $0 == number } }

        func quit() throws {
            // A key that comes while a window is being drawn may be lost on a busy machine.
            for _ in 0..<4 where !workshop.exists("status.txt") {
                try display.press("q", mayClose: true)
                for _ in 0..<150 where !workshop.exists("status.txt") { usleep(50_000) }
            }
            #expect(text("status.txt") == "0\n", "\(text("err.txt"))")
        }
    }

    @Test func opensPlaysSeeksAndSteps() throws {
        let workshop = try Workshop()
        try workshop.makeCounter("a.mov", frames: 90, tone: 300)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let window = try Window(workshop, "--at", "1", "--json")
        try window.shows(30, "it opens at its time")
        try window.display.press("period", "period")
        try window.shows(32, "two frames on")
        try window.display.press("comma")
        try window.shows(31, "one frame back")
        try window.display.press("Right")
        try window.shows(61, "a second on")
        try window.display.press("Left", "Left")
        try window.shows(1, "two seconds back")
        try window.display.press("shift+Right")
        try window.shows(89, "ten seconds on, and not beyond the end")
        try window.display.press("Home")
        try window.shows(0, "home")
        try window.display.press("End")
        try window.shows(89, "end")
        // Playing at the end begins anew; at its end it stands.
        try window.display.press("space")
        try window.waits("it plays") { ($0 ?? 89) < 80 }
        try window.shows(89, "it plays to its end")
        try window.display.press("l", "m", "space")
        try window.waits("it begins anew") { ($0 ?? 89) < 60 }
        try window.display.press("space", "Home", "s")
        try window.shows(0)
        try window.quit()
        // What was asked for: the saved frame's name, then what --json tells.
        let out = window.text("out.txt")
        #expect(out.hasPrefix("cfg-0.png\n"), "\(out)")
        #expect(try workshop.counters("cfg-0.png") == [0])
        let told = try JSONDecoder().decode(JSONValue.self, from: Data(out.drop { $0 != "{" }.utf8))
        #expect((told.number("shown") ?? 0) > 30)
        #expect((told.number("clockDifference.mean") ?? 1e9) < 400)
    }

    /// A picture on the screen is the frame of that time.
    @Test func aScreenshotIsTheFrame() throws {
        let workshop = try Workshop()
        try workshop.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=160x284:r=30:d=2,format=yuv420p"] + Workshop.exactly + ["a.mp4"])
        try workshop.write(config: [
            "assetArray": ["a.mp4"],
            "effects": [["type": "text", "text": "Hello", "fontSize": "32px", "center": [0.5, 0.3]]],
        ])
        let frame = try workshop.editor("--config", "cfg.json", "frame", "--at", "1.2", "--output", "frame.png")
        #expect(frame.status == 0, "\(frame.err)")
        let window = try Window(workshop, "--at", "1.2")
        var similarity = 0.0
        for _ in 0..<150 where similarity < 0.98 {
            try window.display.screenshot("shot.png")
            let crop = "crop=\(Self.canvas.width):\(Self.canvas.height):\(Self.corner.x):\(Self.corner.y)"
            let result = try workshop.ffmpeg([
                "-i", "shot.png", "-i", "frame.png", "-lavfi",
                "[0]\(crop),format=gray[a];[1]format=gray[b];[a][b]ssim", "-f", "null", "-",
            ])
            // Light alone: the window's library draws each chroma sample as a square, and this picture is all edges.
            let all = result.err.firstMatch(of: /All:([0-9.]+)/)
            similarity = all.flatMap { Double($0.1) } ?? 0
            usleep(100_000)
        }
        #expect(similarity >= 0.98, "\(window.text("err.txt"))")
        try window.quit()
    }

    /// A changed config is shown at the same time; a wrong one is told of, and the old one stays.
    @Test func watchesTheConfig() throws {
        let workshop = try Workshop()
        try workshop.makeCounter("a.mov", frames: 60)
        try workshop.makeCounter("b.mov", frames: 30)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let window = try Window(workshop, "--at", "1.5", "--watch")
        try window.shows(45)
        try workshop.write(config: ["assetArray": ["b.mov", "a.mov"]])
        try window.shows(15, "half a second into the second clip")
        try workshop.write(config: ["assetArray": ["none.mov"]])
        for _ in 0..<100 where !window.text("err.txt").contains("none.mov") { usleep(100_000) }
        #expect(window.text("err.txt").contains("none.mov"))
        try window.shows(15)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        try window.shows(45, "right again")
        try window.quit()
    }

    @Test func withoutADisplayItSaysSo() throws {
        let workshop = try Workshop()
        try workshop.makeCounter("a.mov", frames: 10)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let result = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "preview"],
            environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""])
        #expect(result.status == 69 && result.err.contains("no display"), "\(result.err)")
        let gone = try workshop.run(
            Workshop.editor, ["--config", "cfg.json", "preview"],
            environment: ["DISPLAY": ":4711", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""])
        #expect(gone.status == 69 && gone.err.contains("no display"), "\(gone.err)")
    }

    /// Only the preview pays for the window's libraries.
    @Test func otherCommandsDoNotLoadThem() throws {
        let workshop = try Workshop()
        let result = try workshop.run("ldd", [Workshop.editor])
        #expect(result.status == 0 && !result.out.contains("SDL"), "\(result.out)")
    }
}

/// The player without a window.
@Suite struct CompositionPlayerTests {
    /// A sound output whose time the test moves on.
    private final class HandOutput: SoundOutput {
        private struct State {
            var queued = 0
            var isPlaying = false
            var latest: [Float] = []
        }
        private let state = Mutex(State())
        let latency = 0

        var queuedSamples: Int { state.withLock { $0.queued } }
        var isPlaying: Bool { state.withLock { $0.isPlaying } }
        /// What was queued last.
        var latest: [Float] { state.withLock { $0.latest } }
        func queue(_ buffer: AudioBuffer) {
            state.withLock { state in
                state.queued += buffer.sampleCount
                state.latest = buffer.channels[0]
            }
        }
        func clear() { state.withLock { $0.queued = 0 } }
        func setPlaying(_ isPlaying: Bool) { state.withLock { $0.isPlaying = isPlaying } }
        /// Hears so many samples, as they come.
        func hear(_ count: Int) {
            var left = count
            while left > 0 {
                left -= state.withLock { state in
                    let part = state.isPlaying ? min(left, state.queued) : 0
                    state.queued -= part
                    return part
                }
                if left > 0 { usleep(1_000) }
            }
        }
    }

    private func counter(_ frame: VideoFrame) -> Int {
        frame.withPlane(0) { pixels, layout in (Int(pixels[layout.stride * 20 + 20]) - 40 + 1) / 2 }
    }

    /// Waits for the next picture.
    private func next(_ player: CompositionPlayer) throws -> VideoFrame? {
        for _ in 0..<20_000 {
            if let picture = try player.update() { return picture }
            usleep(1_000)
        }
        return nil
    }

    @Test func pausedItShowsWhatItIsAskedFor() throws {
        let workshop = try Workshop()
        try workshop.makeCounter("a.mov", frames: 60, tone: 300)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let player = try CompositionPlayer(
            try Composition(contentsOf: workshop.path("cfg.json")), startingAt: MediaTime(seconds: 1))
        #expect(player.frameCount == 60 && player.frame == 30 && !player.isPlaying)
        #expect(counter(try #require(try next(player))) == 30)
        for frame in [3, 59, 17, 18, 0] {
            player.seek(toFrame: frame)
            #expect(counter(try #require(try next(player))) == frame)
        }
        player.seek(toFrame: 999)
        #expect(player.frame == 59)
        player.displaySize = PixelSize(width: 80, height: 142)
        var picture = try next(player)
        while let shown = picture, shown.width != 80 { picture = try next(player) }
        #expect(picture?.size == PixelSize(width: 80, height: 142))
    }

    /// Pictures follow the sound: when it jumps on, frames are left out, and none is shown before its time.
    @Test func theSoundIsTheClock() throws {
        let workshop = try Workshop()
        try workshop.makeCounter("a.mov", frames: 60, tone: 300)
        try workshop.write(config: ["assetArray": ["a.mov"]])
        let output = HandOutput()
        let player = try CompositionPlayer(try Composition(contentsOf: workshop.path("cfg.json")), output: output)
        _ = try next(player)
        player.play()
        #expect(counter(try #require(try next(player))) == 0)
        #expect(output.isPlaying)
        // Ten frames one by one.
        for frame in 1...10 {
            // Time to compose it ahead: while this clock stands, nothing makes up for a frame that is left out as late.
            usleep(200_000)
            output.hear(1_600)
            #expect(counter(try #require(try next(player))) == frame)
        }
        #expect(player.statistics.dropped == 0)
        // Two thirds of a second at once; then the clock goes on until the pictures have caught up.
        output.hear(20 * 1_600)
        var (due, shown, waits) = (30, 10, 0)
        while shown < 30, due < 55 {
            if let picture = try player.update() {
                let number = counter(picture)
                #expect(number > shown && number <= due)
                shown = number
            } else if waits < 300 {
                waits += 1
                usleep(1_000)
            } else {
                (waits, due) = (0, due + 1)
                output.hear(1_600)
            }
        }
        #expect(shown >= 30 && player.statistics.dropped >= 5)
        player.pause()
        #expect(!output.isPlaying && player.frame == shown)
        #expect(counter(try #require(try next(player))) == shown)
        // Once more to the end.
        player.seek(toFrame: 57)
        player.play()
        _ = try next(player)
        output.hear(4 * 1_600)
        for _ in 0..<5_000 where player.isPlaying {
            _ = try player.update()
            usleep(1_000)
        }
        #expect(!player.isPlaying && player.frame == 59)
    }

    /// A loudness target holds in the preview as soon as the sound is measured, which goes on while it plays.
    @Test func theLoudnessTargetIsHeard() throws {
        let workshop = try Workshop()
        try workshop.makeColor("a.mov", "gray", seconds: 8, tone: 440)
        try workshop.write(config: ["assetArray": ["a.mov"], "loudness": ["target": -40]])
        let composition = try Composition(contentsOf: workshop.path("cfg.json"))
        _ = try composition.renderAudio(to: workshop.path("x.wav"))
        let exported = Workshop.level(try workshop.samples("x.wav")[96_000..<192_000])
        let plain = Workshop.level(try workshop.samples("a.mov")[96_000..<192_000])
        #expect(abs(plain - exported) > 6, "the target changes the sound")
        let output = HandOutput()
        let player = try CompositionPlayer(composition, output: output)
        player.play()
        _ = try next(player)
        var heard = -120.0
        for _ in 0..<100 where abs(heard - exported) > 0.3 {
            output.hear(2_400)
            usleep(50_000)
            heard = Workshop.level(output.latest[...])
        }
        #expect(abs(heard - exported) < 0.3, "\(heard) in place of \(exported)")
    }

    /// On a smaller canvas everything is smaller with it, lengths in pixels too.
    @Test func reducedPicturesLookAlike() throws {
        let workshop = try Workshop()
        try workshop.ffmpeg(
            ["-f", "lavfi", "-i", "mandelbrot=s=640x480:r=30,format=yuv420p", "-t", "1"] + Workshop.exactly + ["a.mp4"])
        try workshop.write(config: [
            "assetArray": ["a.mp4"], "renderSize": ["width": 640, "height": 480],
            "effects": [
                ["type": "text", "text": "120px", "fontSize": "160px", "color": "ff0000", "center": [0.5, 0.5]]
            ],
        ])
        let composition = try Composition(contentsOf: workshop.path("cfg.json"))
        let output = SilentOutput()
        let player = try CompositionPlayer(composition, output: output)
        player.displaySize = PixelSize(width: 160, height: 120)
        #expect(player.divisor == 4)
        var whole = try #require(try next(player))
        while whole.width != 160 { whole = try #require(try next(player)) }
        player.play()
        let small = try #require(try next(player))
        #expect(small.size == whole.size)
        func luma(_ frame: VideoFrame) -> [UInt8] {
            frame.withPlane(0) { pixels, layout in
                (0..<120).flatMap { row in (0..<160).map { pixels[row * layout.stride + $0] } }
            }
        }
        #expect(FrameExactnessTests.similarity(luma(whole), luma(small), width: 160) > 0.9)
    }
}
