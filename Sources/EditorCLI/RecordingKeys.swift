internal import EditorCore
internal import EditorRecording
internal import EditorWindow

/// The keys of a recording, in a terminal and in a window alike.
enum RecordingKeys {
    static func command(for key: Character) -> RecordingCommand? {
        switch key {
        case " ": .toggle
        case "d": .deleteLast
        case "D": .deleteAll
        case "f": .flip
        case "t": .toggleTorch
        case "c": .countdown(3)
        case "+", "=": .zoomBy(1.25)
        case "-": .zoomBy(0.8)
        case "e": .toggleExposureLock
        case "p": .toggleFocusLock
        case "0": .speed(Rational(1, 2))
        case "1": .speed(.one)
        case "2": .speed(Rational(2))
        case "\n", "\r": .finish
        case "q": .quit
        default: nil
        }
    }

    static func command(for key: WindowKey, isShifted: Bool) -> RecordingCommand? {
        switch key {
        case .space: command(for: " ")
        case .enter: command(for: "\n")
        case .character("d") where isShifted: command(for: "D")
        case .character(let character): command(for: character)
        default: nil
        }
    }
}
