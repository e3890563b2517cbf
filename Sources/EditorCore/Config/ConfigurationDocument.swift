/// A config's JSON before it is checked, with the name it goes by.
public struct ConfigurationDocument: Sendable, Hashable {
    /// What messages call it, such as `cfg.json`.
    public var name: String
    public package(set) var value: JSONValue

    /// Bytes that a config may have at most; whoever reads the file need not read more.
    public static let sizeLimit = 64 << 20

    public init(_ value: JSONValue, name: String) {
        self.value = value
        self.name = name
    }

    public init(_ text: String, name: String) throws { try self.init(utf8: Array(text.utf8), name: name) }

    /// Reads JSON5 in UTF-8; a byte order mark is skipped.
    ///
    /// Throws an `EditorError` whose findings begin with the name, line and column: the first error of syntax, or else
    /// every key that stands twice and every number that is none. A document that holds no object is an error too.
    public init(utf8 bytes: [UInt8], name: String) throws {
        self.name = name
        switch try Self.parse(utf8: bytes, name: name) {
        case .object(let members)?: value = .object(members)
        case nil: throw Self.error("\(name) is empty", hint: "such as {\"assetArray\": [\"clip.mp4\"]}")
        case let other?:
            throw Self.error(
                "\(name) must hold an object {…}, not \(other.kindName)",
                hint: "such as {\"assetArray\": [\"clip.mp4\"]}")
        }
    }

    /// Reads JSON5 of any kind, such as a list; nil when there is nothing in it.
    ///
    /// - Parameter name: what messages call the text.
    /// - Throws: `EditorError` as `init(utf8:name:)` does.
    public static func parse(utf8 bytes: [UInt8], name: String) throws -> JSONValue? {
        guard bytes.count <= Self.sizeLimit else {
            throw Self.error(
                "\(name) is \(bytes.count >> 20) MiB large; a config may have \(Self.sizeLimit >> 20)",
                hint: "is this the right file?")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            let isUTF16 = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
            throw Self.error(
                isUTF16 ? "\(name) is UTF-16 text" : "\(name) is no UTF-8 text",
                hint: "save it as UTF-8, or is this the right file?")
        }
        let parsed: (value: JSONValue?, problems: [JSON5Parser.Problem])
        do {
            parsed = try JSON5Parser.parse(bytes)
        } catch {
            throw Self.error([error], in: bytes, name: name)
        }
        guard parsed.problems.isEmpty else { throw Self.error(parsed.problems, in: bytes, name: name) }
        return parsed.value
    }

    private static func error(_ message: String, hint: String) -> EditorError {
        let finding = Finding(.error, code: "config.syntax", message, hint: hint)
        return EditorError(.invalidData, finding.sentence, findings: [finding])
    }

    private static func error(_ problems: [JSON5Parser.Problem], in bytes: [UInt8], name: String) -> EditorError {
        let findings = problems.map { problem in
            let place = place(of: problem.offset, in: bytes)
            return Finding(
                .error, code: problem.code, at: problem.pointer,
                "\(name):\(place.line):\(place.column): \(problem.message)", hint: problem.hint)
        }
        return EditorError(findings) ?? EditorError(.internalBug, "reading \(name) failed without a reason")
    }

    /// Line and column, in characters, of an offset; both count from 1.
    private static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var lineStart = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        for i in 0..<min(offset, bytes.count) {
            let isReturn = bytes[i] == 0x0d && !(i + 1 < bytes.count && bytes[i + 1] == 0x0a)
            if bytes[i] == 0x0a || isReturn { (line, lineStart) = (line + 1, i + 1) }
        }
        let before = String(decoding: bytes[min(lineStart, offset)..<offset], as: UTF8.self)
        return (line, before.unicodeScalars.count + 1)
    }
}
