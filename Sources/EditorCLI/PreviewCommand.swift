internal import EditorCore
internal import EditorKit
internal import EditorWindow

/// `preview`: plays the composition in a window.
enum PreviewCommand {
    static let command = Command(
        name: "preview", usage: "[--at T] [--watch]",
        summary: "play the composition in a window, with effects and sound; no file is written",
        details: """
            space  play, pause                l  loop
            ← →    one second                 m  mute
            shift  with them: ten seconds     g  guides
            , .    one frame                  s  save the frame as PNG in the working folder
            home   to the start               q  quit
            end    to the end

            The sound is the clock. When the machine is too slow, frames are left out, then pictures become smaller while
            it plays; it says so. With --watch the config is read again whenever its file changes. -v tells at the end how
            well the pictures kept up.

            examples:
              editor --config cfg.json preview
              editor --config cfg.json preview --at 2.5 --watch
            """
    ) { invocation in
        try invocation.expectNoWords()
        let composition = try invocation.composition()
        let options = try invocation.options(for: composition)
        let start = try invocation.arguments.time("at", frameRate: composition.configuration.frameRate) ?? .zero
        let window = try PictureWindow(
            title: "editor preview",
            size: PictureWindow.firstSize(
                for: composition.settings(options).canvas, atLeast: 160, below: StatusLine.height))
        let preview = try PreviewWindow(
            window: window,
            player: try CompositionPlayer(
                composition, options: options, startingAt: start, output: try? SoundDevice()),
            invocation: invocation)
        try preview.run()
        return ExitCode.done
    }
}

/// A player in a window, and the keys. Belongs to the first thread.
private final class PreviewWindow {
    private let window: PictureWindow
    private let player: CompositionPlayer
    private let invocation: Invocation
    private let line: StatusLine
    private var watch: FileWatch?
    private var picture: VideoFrame?
    private var text = ""
    /// What the players of short videos lay over the movie, while it is shown.
    private var guides: OverlayPicture?
    private var showsGuides = false
    private let pool = FramePool()
    private var isOpen = true

    init(window: PictureWindow, player: CompositionPlayer, invocation: Invocation) throws {
        self.window = window
        self.player = player
        self.invocation = invocation
        line = try StatusLine()
        if invocation.arguments.has("watch"), let path = invocation.arguments.value("config") {
            guard path != "-" else { throw EditorError(.usage, "--watch needs a config file, not standard input") }
            watch = FileWatch(path)
        }
    }

    func run() throws {
        Process.cancelOnSignals()
        layOut()
        while isOpen, !Process.cancellation.isCancelled {
            for event in window.events(waiting: player.secondsToNext) { try handle(event) }
            if watch?.hasChanged() == true { reload() }
            let new = try player.update()
            if let new { picture = new }
            for words in player.takeNotices() { invocation.terminal.say("note: \(words)") }
            if new != nil || text != StatusLine.text(of: player) {
                try draw()
                if new != nil { player.didShow() }
            }
        }
        tellStatistics()
    }

    private func layOut() {
        let place = window.place(for: player.canvas, below: StatusLine.height)
        player.displaySize = place.size.width < player.canvas.width ? place.size : nil
    }

    private func draw() throws {
        text = StatusLine.text(of: player)
        var overlays: [PictureWindow.Overlay] = []
        let place = window.place(for: player.canvas, below: StatusLine.height)
        if showsGuides {
            if guides?.width != place.size.width || guides?.height != place.size.height {
                guides = SafeAreaGuide.picture(on: place.size)
            }
            overlays.append(.init(guides!, x: place.x, y: place.y))
        }
        if let picture = try line.picture(text) {
            let height = window.size.height
            overlays.append(
                .init(picture, x: 6, y: height - StatusLine.height + (StatusLine.height - picture.height) / 2))
        }
        // A picture that stands is shown with its colours brought to full resolution, as an image file of it.
        let shown = player.isPlaying ? picture : picture.map { ColorConversion.rgba(from: $0, pool: pool) }
        window.show(shown, at: place, overlays: overlays)
    }

    private func handle(_ event: WindowEvent) throws {
        switch event {
        case .closed: isOpen = false
        case .exposed: try draw()
        case .resized:
            layOut()
            try draw()
        case .key(let key, let isShifted, _):
            press(key, isShifted)
            if key == .character("g") { try draw() }
        }
    }

    private func press(_ key: WindowKey, _ isShifted: Bool) {
        let step = MediaTime(seconds: isShifted ? 10 : 1)
        switch key {
        case .space: player.isPlaying ? player.pause() : player.play()
        case .left: player.seek(to: max(.zero, player.time - step))
        case .right: player.seek(to: player.time + step)
        case .home: player.seek(toFrame: 0)
        case .end: player.seek(toFrame: player.frameCount - 1)
        case .character(","): stepFrame(-1)
        case .character("."): stepFrame(1)
        case .character("l"): player.isLooping.toggle()
        case .character("m"): player.isMuted.toggle()
        case .character("g"): showsGuides.toggle()
        case .character("s"): save()
        case .character("q"), .escape: isOpen = false
        default: break
        }
    }

    private func stepFrame(_ count: Int) {
        player.pause()
        player.seek(toFrame: player.frame + count)
    }

    /// Writes the frame into the working folder and prints the file's name.
    private func save() {
        let config = invocation.arguments.value("config") ?? "-"
        let file = config.split(separator: "/").last.map(String.init) ?? config
        let stem = file == "-" ? "frame" : file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        let path = "\(stem)-\(player.frame).png"
        do {
            try player.writeFrame(to: path)
            invocation.terminal.print(path)
        } catch {
            invocation.terminal.say("editor: \(error)")
        }
    }

    private func reload() {
        do {
            let composition = try invocation.composition()
            try player.replace(composition, options: try invocation.options(for: composition))
            layOut()
            invocation.terminal.say("the config was read again")
        } catch let error as EditorError {
            invocation.terminal.tell(error)
        } catch {
            invocation.terminal.say("editor: \(error)")
        }
    }

    private func tellStatistics() {
        let numbers = player.statistics
        func text(_ milliseconds: Double) -> String { JSONValue.number((milliseconds * 10).rounded() / 10).text() }
        if invocation.wantsJSON {
            invocation.terminal.print(
                JSONValue.object([
                    "shown": .number(Double(numbers.shown)), "dropped": .number(Double(numbers.dropped)),
                    "divisor": .number(Double(player.divisor)),
                    "clockDifference": [
                        "mean": .number(numbers.mean), "p95": .number(numbers.quantile(0.95)),
                        "largest": .number(numbers.largest),
                    ],
                ]).text(indent: 2))
        } else if invocation.terminal.verbosity == .verbose {
            invocation.terminal.say(
                "\(numbers.shown) pictures shown, \(numbers.dropped) left out; from the sound's clock \(text(numbers.mean)) ms on average, "
                    + "95 % within \(text(numbers.quantile(0.95))) ms, \(text(numbers.largest)) ms at most")
        }
    }
}
