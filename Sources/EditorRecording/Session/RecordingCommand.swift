public import EditorCore

/// What a recording session can be told to do.
public enum RecordingCommand: Sendable, Hashable {
    /// Whether the light burns: `auto` when the picture is dark.
    public enum LightMode: String, Sendable, CaseIterable { case off, on, auto }

    /// Begins a segment; with a length it ends by itself.
    case start(MediaTime?)
    /// Ends the segment.
    case pause
    /// Begins or ends a segment.
    case toggle
    /// Deletes the last segment, its file too.
    case deleteLast
    case deleteAll
    /// Changes to the other camera.
    case flip
    /// The continuous light.
    case torch(LightMode)
    case toggleTorch
    /// Light for photos.
    case flash(LightMode)
    /// 1…`maxVideoZoomFactor`.
    case zoom(Double)
    /// Multiplies the zoom.
    case zoomBy(Double)
    /// Counts so many seconds down, then begins a segment.
    case countdown(Int)
    case focusLock(Bool)
    case toggleFocusLock
    case exposureLock(Bool)
    case toggleExposureLock
    case stabilisation(Bool)
    /// How many times faster than recorded the next segments play.
    case speed(Rational)
    /// Takes a picture into a file.
    case photo(String)
    /// Waits so many seconds; nil until the running segment has ended. Only what is read after it waits.
    case wait(Double?)
    /// Ends the session for merging.
    case finish
    /// Leaves the session to go on with later.
    case quit

    /// The words that lines begin with.
    public static let words = [
        "start", "pause", "delete-last", "delete-all", "flip", "torch", "flash", "zoom", "countdown", "focus",
        "exposure",
        "stabilisation", "speed", "photo", "wait", "finish", "quit",
    ]

    /// Reads a line such as `zoom 2.0`; nil for an empty one and for comments, which begin with `#`.
    /// - Throws: `EditorError` `.usage` that quotes the line.
    public init?(line: String) throws {
        let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let word = parts.first, !word.hasPrefix("#") else { return nil }
        let value = parts.count > 1 ? parts[1] : nil
        func wrong(_ usage: String) -> EditorError {
            EditorError(.usage, "the line \"\(line)\" is not understood: \(usage)")
        }
        func number(_ range: ClosedRange<Double>, _ usage: String) throws -> Double {
            guard let value, let number = Double(value), range.contains(number) else { throw wrong(usage) }
            return number
        }
        func choice(_ usage: String, _ yes: String, _ no: String) throws -> Bool {
            guard value == yes || value == no else { throw wrong(usage) }
            return value == yes
        }
        guard parts.count <= 2 || word == "photo" else { throw wrong("one value after \(word) is enough") }
        switch word {
        case "start":
            self = .start(
                value == nil
                    ? nil : MediaTime(decimal: try number(0.01...86_400, "start takes a length in seconds, or nothing"))
            )
        case "pause": self = .pause
        case "delete-last": self = .deleteLast
        case "delete-all": self = .deleteAll
        case "flip": self = .flip
        case "torch", "flash":
            guard let mode = value.flatMap(LightMode.init) else { throw wrong("\(word) takes on, off or auto") }
            self = word == "torch" ? .torch(mode) : .flash(mode)
        case "zoom": self = .zoom(try number(1...100, "zoom takes a factor from 1 up"))
        case "countdown":
            self = .countdown(Int(try number(0...60, "countdown takes whole seconds, at most 60").rounded()))
        case "focus": self = .focusLock(try choice("focus takes lock or auto", "lock", "auto"))
        case "exposure": self = .exposureLock(try choice("exposure takes lock or auto", "lock", "auto"))
        case "stabilisation": self = .stabilisation(try choice("stabilisation takes on or off", "on", "off"))
        case "speed":
            let usage = "speed takes a factor from 0.25 to 4, such as 0.5, 1 or 2"
            guard let speed = Rational(decimal: try number(0.25...4, usage)) else { throw wrong(usage) }
            self = .speed(speed)
        case "photo":
            guard parts.count > 1 else { throw wrong("photo takes the name of a file") }
            self = .photo(parts.dropFirst().joined(separator: " "))
        case "wait": self = .wait(value == nil ? nil : try number(0...86_400, "wait takes seconds, or nothing"))
        case "finish": self = .finish
        case "quit": self = .quit
        default: throw wrong(Suggestion.hint(for: word, in: Self.words))
        }
    }
}
