internal import EditorCore
internal import EditorRecording
internal import Synchronization

/// Turns a session's events into one line with a bar, sparse lines, JSON lines, or nothing. Safe on any thread.
final class RecordingReporter: Sendable {
    private enum Output { case bar, lines, json, none }

    private struct State: Sendable {
        var lineIsShown = false
        var recording = RecordingState.idle
        var progress: RecordingEvent.Progress?
        var lastFailure: EditorError?
    }

    private let output: Output
    private let terminal: Terminal
    private let progressColor: Color
    private let tintColor: Color
    private let state = Mutex(State())

    init(_ style: ProgressReporter.Style, terminal: Terminal, configuration: Configuration) {
        self.terminal = terminal
        progressColor = configuration.progressColor
        tintColor = configuration.tintColor
        output =
            switch style {
            case .json: .json
            case .none: .none
            case .bar: .bar
            case .auto: terminal.verbosity == .quiet ? .none : Process.isErrorTerminal ? .bar : .lines
            }
    }

    var lastFailure: EditorError? { state.withLock { $0.lastFailure } }

    /// Ends the line, if there is one.
    func end() {
        state.withLock { state in
            if state.lineIsShown { terminal.sayRaw("\n") }
            state.lineIsShown = false
        }
    }

    func report(_ event: RecordingEvent) {
        state.withLock { state in
            if case .failure(let error) = event { state.lastFailure = error }
            if case .state(let now) = event { state.recording = now }
            if case .progress(let progress) = event { state.progress = progress }
            switch output {
            case .json:
                if let json = RecordingEventText.json(event) { terminal.sayEvent(json) } else { tellProblem(event) }
            case .none:
                if case .failure(let error) = event { terminal.tell(error) }
            case .lines:
                if let words = RecordingEventText.words(event) { terminal.say(words) } else { tellProblem(event) }
            case .bar:
                if let words = RecordingEventText.words(event), !isShownInLine(event) {
                    clearLine(&state)
                    terminal.say(words)
                    // Rings too, for those whose speaker is silent; not with the last instant, which would be recorded.
                    if case .countdown(1...) = event { terminal.sayRaw("\u{7}") }
                } else if isProblem(event) {
                    clearLine(&state)
                    tellProblem(event)
                }
                terminal.sayRaw("\r" + line(state) + "\u{1b}[K")
                state.lineIsShown = true
            }
        }
    }

    private func clearLine(_ state: inout State) {
        if state.lineIsShown { terminal.sayRaw("\r\u{1b}[K") }
        state.lineIsShown = false
    }

    private func isProblem(_ event: RecordingEvent) -> Bool {
        switch event {
        case .finding, .failure: true
        default: false
        }
    }

    private func isShownInLine(_ event: RecordingEvent) -> Bool {
        switch event {
        case .state, .progress, .segmentAdded: true
        default: false
        }
    }

    private func tellProblem(_ event: RecordingEvent) {
        switch event {
        case .finding(let finding): terminal.tell(finding)
        case .failure(let error): terminal.tell(error)
        default: break
        }
    }

    /// The progress bar: a mark where each segment ends, then the seconds left and the microphone's level.
    private func line(_ state: State) -> String {
        let progress = state.progress
        let seconds = RecordingEventText.tenths(progress?.duration ?? 0)
        let left = progress?.secondsLeft.map { ", \(RecordingEventText.tenths($0)) s left" } ?? ""
        let level = progress?.level.map { "  \(Int($0.rounded())) dB" } ?? ""
        let dot =
            state.recording == .inProgress
            ? "\u{1b}[38;2;\(tintColor.red);\(tintColor.green);\(tintColor.blue)m●\u{1b}[0m" : " "
        // What does not fit beside a short bar is left out: a line that is broken cannot be drawn over.
        let columns = Process.columns
        let words =
            ["\(seconds) s\(left)\(level)", "\(seconds) s\(left)"].first { $0.count + 16 < columns } ?? "\(seconds) s"
        let width = max(4, min(40, columns - words.count - 8))
        let filled = Int((progress?.fraction ?? 0) * Double(width))
        let marks = Set((progress?.marks ?? []).map { min(width - 1, Int($0 * Double(width))) })
        var bar = ""
        for cell in 0..<width {
            let color = marks.contains(cell) ? tintColor : progressColor
            let character = marks.contains(cell) ? "┃" : cell < filled ? "█" : "░"
            bar += "\u{1b}[38;2;\(color.red);\(color.green);\(color.blue)m\(character)"
        }
        return "\(dot) \(bar)\u{1b}[0m  \(words)"
    }
}
