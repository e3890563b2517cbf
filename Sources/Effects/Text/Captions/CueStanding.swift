internal import EditorCore

/// Where a file of captions says that a caption stands. What it leaves out is as the effect says.
struct CueStanding: Sendable, Hashable {
    /// A point of the block, and where on the canvas it stands; both 0…1 from the left or the top.
    struct Hold: Sendable, Hashable {
        var canvas: Double
        var block: Double
    }
    enum Row: Sendable, Hashable {
        case hold(Hold)
        /// Lines of the text's height from the canvas' top edge; from -1, the last line, up from its bottom edge.
        case line(Int)
    }

    var column: Hold?
    var row: Row?
    var alignment: TextParameters.Alignment?
    /// Fraction of the canvas width.
    var maxWidth: Double?

    init() {}

    /// The places of a numeric keypad, as `\an` names them: 7 8 9 are at the top. The bottom row and the middle column
    /// are where the effect says.
    /// - Parameters:
    ///   - side: distance from the canvas' left or right edge, as a fraction of its width.
    ///   - top: distance from its top edge, as a fraction of its height.
    init(keypad key: Int, side: Double = 0.05, top: Double = 0.1) {
        guard (1...9).contains(key) else { return }
        switch key % 3 {
        case 1: (column, alignment) = (Hold(canvas: side, block: 0), .left)
        case 0: (column, alignment) = (Hold(canvas: 1 - side, block: 1), .right)
        default: break
        }
        switch key {
        case 7...9: row = .hold(Hold(canvas: top, block: 0))
        case 4...6: row = .hold(Hold(canvas: 0.5, block: 0.5))
        default: break
        }
    }

    /// What stands after a time line of WebVTT, such as `line:10% position:20%,line-left align:left size:50%`.
    ///
    /// `start` and `end` are taken for left and right. Words that are not known are left out, as the format asks.
    init(webVTT settings: Substring) {
        var position: (value: Double?, alignment: String?) = (nil, nil)
        for setting in settings.split(whereSeparator: \.isWhitespace) {
            guard let colon = setting.firstIndex(of: ":") else { continue }
            let parts = setting[setting.index(after: colon)...].split(separator: ",", maxSplits: 1)
            guard let value = parts.first else { continue }
            let more = parts.count > 1 ? String(parts[1]) : nil
            switch setting[..<colon] {
            case "line":
                if let percent = Self.percent(value) {
                    row = .hold(Hold(canvas: percent, block: more == "center" ? 0.5 : more == "end" ? 1 : 0))
                } else if let line = Int(value), abs(line) < 1000 {
                    row = .line(line)
                }
            case "position": position = (Self.percent(value) ?? position.value, more)
            case "size": maxWidth = Self.percent(value).map { max(0.01, $0) } ?? maxWidth
            case "align":
                switch value {
                case "start", "left": alignment = .left
                case "end", "right": alignment = .right
                case "center", "middle": alignment = .center
                default: break
                }
            default: break
            }
        }
        guard position.value != nil || alignment == .left || alignment == .right else { return }
        // The standard's rules for what is left to "auto".
        let byAlignment: Double = alignment == .left ? 0 : alignment == .right ? 1 : 0.5
        let block =
            switch position.alignment {
            case "line-left": 0.0
            case "center": 0.5
            case "line-right": 1.0
            default: byAlignment
            }
        column = Hold(canvas: position.value ?? byAlignment, block: block)
    }

    private static func percent(_ text: Substring) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number) else { return nil }
        return number / 100
    }
}
