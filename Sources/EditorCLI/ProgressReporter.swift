internal import EditorCore
internal import Synchronization

/// Turns a render's events into a bar, sparse lines, JSON lines, or nothing.
final class ProgressReporter: Sendable {
    enum Style: String, CaseIterable {
        case auto, bar, json, none
    }

    private enum Output { case bar, lines, json, none }

    private let output: Output
    private let terminal: Terminal
    private let color: Color
    private let state = Mutex<(lastTenth: Int, barIsShown: Bool)>((-1, false))

    init(_ style: Style, terminal: Terminal, color: Color) {
        self.terminal = terminal
        self.color = color
        output =
            switch style {
            case .json: .json
            case .none: .none
            case .bar: .bar
            case .auto: terminal.verbosity == .quiet ? .none : Process.isErrorTerminal ? .bar : .lines
            }
    }

    func report(_ event: RenderEvent) {
        state.withLock { state in
            switch event {
            case .state(let now):
                if output == .json { json(["event": "state", "state": .string(now.rawValue)]) }
                if state.barIsShown, now == .completed || now == .failed || now == .cancelled {
                    terminal.sayRaw(now == .completed ? "\n" : "\r\u{1b}[K")
                    state.barIsShown = false
                }
            case .progress(let progress):
                switch output {
                case .json:
                    json([
                        "event": "progress", "fraction": .number(Self.rounded(progress.fraction, 4)),
                        "frame": .number(Double(progress.frame)), "frames": .number(Double(progress.frames)),
                        "fps": .number(Self.rounded(progress.framesPerSecond, 1)),
                        "etaSeconds": progress.secondsLeft.map { .number(Self.rounded($0, 1)) } ?? .null,
                    ])
                case .bar:
                    terminal.sayRaw("\r" + bar(progress) + "\u{1b}[K")
                    state.barIsShown = true
                case .lines:
                    let tenth = Int(progress.fraction * 10)
                    guard tenth > state.lastTenth else { return }
                    state.lastTenth = tenth
                    terminal.say(words(progress))
                case .none: break
                }
            case .download(let download):
                switch output {
                case .json: json(Self.json(download))
                case .bar where download.state == .downloading && download.receivedBytes > 0:
                    let total = download.totalBytes.map { " of \(max(1, $0 >> 10))" } ?? ""
                    terminal.sayRaw("\r  \(download.receivedBytes >> 10)\(total) KiB\u{1b}[K")
                case .bar where download.state == .local: terminal.sayRaw("\r\u{1b}[K")
                case .bar, .lines: if let words = Self.words(download) { terminal.say(words) }
                case .none: break
                }
            case .finding(let finding): terminal.tell(finding)
            case .detail(let text):
                guard terminal.verbosity == .verbose else { return }
                if state.barIsShown { terminal.sayRaw("\r\u{1b}[K") }
                if output == .json { json(["event": "detail", "message": .string(text)]) } else { terminal.say(text) }
            }
        }
    }

    /// A line for whoever waits; nil where there is nothing to say.
    static func words(_ download: RenderEvent.Download) -> String? {
        download.state == .downloading && download.receivedBytes == 0 && download.totalBytes == nil
            ? "fetching \(download.address)" : nil
    }

    static func json(_ download: RenderEvent.Download) -> JSONValue {
        [
            "event": "download", "kind": download.kind == .audio ? "music" : .string(download.kind.rawValue),
            "state": .string(download.state.rawValue), "url": .string(download.address),
            "bytes": .number(Double(download.receivedBytes)),
            "totalBytes": download.totalBytes.map { .number(Double($0)) } ?? .null,
        ]
    }

    private func json(_ value: JSONValue) { terminal.say(value.text()) }

    private func words(_ progress: RenderEvent.Progress) -> String {
        let percent = Int(progress.fraction * 100)
        let left = progress.secondsLeft.map { "  \(Self.clock($0)) left" } ?? ""
        return "\(percent)%  \(progress.frame)/\(progress.frames) frames  \(Int(progress.framesPerSecond)) fps\(left)"
    }

    private func bar(_ progress: RenderEvent.Progress) -> String {
        let words = words(progress)
        let width = max(0, min(40, Process.columns - words.count - 4))
        // Eighths of a cell.
        let eighths = Int(progress.fraction * Double(width) * 8)
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let full = String(repeating: "█", count: eighths / 8) + partial
        let empty = String(repeating: " ", count: max(0, width - full.count))
        return "\u{1b}[38;2;\(color.red);\(color.green);\(color.blue)m\(full)\u{1b}[0m\(empty)  \(words)"
    }

    private static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }

    private static func rounded(_ value: Double, _ places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
        return (value * scale).rounded() / scale
    }
}
