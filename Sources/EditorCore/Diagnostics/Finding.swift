/// One thing the user should know about the config or an input: what is wrong, where, and what to do.
public struct Finding: Sendable, Hashable {
    public enum Severity: String, Sendable, Comparable {
        case warning, error
        public static func < (a: Severity, b: Severity) -> Bool { a == .warning && b == .error }
    }

    /// What kind of trouble an error is; decides the exit code of the command line.
    public enum Cause: String, Sendable {
        /// The config or a file's content is wrong.
        case invalidData
        /// A file that is named is missing or cannot be read.
        case missingInput
        /// A codec, device or module is not there.
        case unavailable
        /// The output cannot be created.
        case cannotCreateOutput
        /// Reading or decoding failed midway.
        case ioFailed
        /// A broken invariant of this program, or of a module.
        case internalBug
    }

    public var severity: Severity
    public var cause: Cause
    /// A stable word for programs, such as `clip.rotated`.
    public var code: String
    /// The place in the config.
    public var pointer: JSONPointer
    /// A sentence without a final stop that names the file or value in question.
    public var message: String
    /// What to do about it, if there is something; a sentence without a final stop.
    public var hint: String?

    public init(
        _ severity: Severity, cause: Cause = .invalidData, code: String, at pointer: JSONPointer = JSONPointer(),
        _ message: String, hint: String? = nil
    ) {
        self.severity = severity
        self.cause = cause
        self.code = code
        self.pointer = pointer
        self.message = message
        self.hint = hint
    }

    /// `pointer: message (hint)`.
    public var sentence: String {
        (pointer.isRoot ? "" : "\(pointer): ") + message + (hint.map { " (\($0))" } ?? "")
    }
}
