internal import EditorCore

/// What the process tells its caller; the numbers are those of sysexits.h where they exist there.
enum ExitCode {
    static let done: Int32 = 0
    static let usage: Int32 = 64
    static let invalidData: Int32 = 65
    static let internalBug: Int32 = 70

    static func code(for kind: EditorError.Kind) -> Int32 {
        switch kind {
        case .usage: usage
        case .invalidData: invalidData
        case .missingInput: 66
        case .unavailable: 69
        case .internalBug: internalBug
        case .cannotCreateOutput: 73
        case .ioFailed: 74
        case .cancelled: 130
        }
    }
}

extension EditorError.Kind {
    /// What programs call it.
    var word: String { "\(self)" }
}
