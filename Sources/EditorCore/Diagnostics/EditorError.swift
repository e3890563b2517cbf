/// Why something could not be done, told for the user. Every throwing public function throws this type.
public struct EditorError: Error, Sendable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The call was wrong: an option or an argument.
        case usage
        /// The config or a file's content is wrong.
        case invalidData
        /// A file that is needed is missing or unreadable.
        case missingInput
        /// A codec, device or module is not available.
        case unavailable
        /// A broken invariant of this program.
        case internalBug
        /// The output cannot be created.
        case cannotCreateOutput
        /// Reading, writing, decoding or encoding failed midway.
        case ioFailed
        /// Cancelled on request.
        case cancelled
    }

    public var kind: Kind
    /// One sentence that names the file, the place and the fix.
    public var message: String
    /// All findings, when the config was checked; errors first.
    public var findings: [Finding]

    public init(_ kind: Kind, _ message: String, findings: [Finding] = []) {
        self.kind = kind
        self.message = message
        self.findings = findings
    }

    /// An error for the errors among `findings`, or nil when there are none.
    public init?(_ findings: [Finding]) {
        let errors = findings.filter { $0.severity == .error }
        guard let first = errors.first else { return nil }
        // Of several kinds of trouble the config is the place to begin.
        let kind = errors.allSatisfy { $0.cause == first.cause } ? Kind(first.cause) : .invalidData
        self.init(kind, errors.count == 1 ? first.sentence : "\(errors.count) problems", findings: findings)
    }

    public var description: String { message }

    public static let cancelled = EditorError(.cancelled, "cancelled")
}

extension EditorError.Kind {
    fileprivate init(_ cause: Finding.Cause) {
        self =
            switch cause {
            case .invalidData: .invalidData
            case .missingInput: .missingInput
            case .unavailable: .unavailable
            case .cannotCreateOutput: .cannotCreateOutput
            case .ioFailed: .ioFailed
            case .internalBug: .internalBug
            }
    }
}
