/// Reads JSON5 (json5.org): JSON with comments, trailing commas, unquoted keys, single quotes and more kinds of numbers.
///
/// It accepts what Foundation's JSON5 does, and tells three things Foundation cannot: the line and column of an error,
/// keys that stand twice in one object, and the key that holds a number which is none. Reading takes time in proportion
/// to the text.
struct JSON5Parser {
    /// What is wrong at a place in the text.
    struct Problem: Error {
        /// Offset in bytes.
        var offset: Int
        var code = "config.syntax"
        /// The value in question; the root for errors of syntax.
        var pointer = JSONPointer()
        var message: String
        var hint: String?
    }

    /// Lists and objects inside each other; what reads the values later goes down as deep.
    static let depthLimit = 512

    let bytes: [UInt8]
    var position = 0
    /// A step from a list or an object to one of its values.
    private enum Step {
        case key(String)
        case index(Int)
    }

    /// Steps down to the value that is being read.
    private var path: [Step] = []
    /// What is wrong with values though the syntax is right.
    private(set) var problems: [Problem] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads one value with nothing but space and comments around it. `bytes` must be valid UTF-8.
    ///
    /// Returns the value, and what is wrong with single values in it; then it is not to be used. Throws the first error
    /// of syntax. nil is a text without a value.
    static func parse(_ bytes: [UInt8]) throws(Problem) -> (value: JSONValue?, problems: [Problem]) {
        var parser = JSON5Parser(bytes)
        try parser.skipSpace()
        guard parser.position < bytes.count else { return (nil, []) }
        let value = try parser.value()
        try parser.skipSpace()
        guard parser.position == bytes.count else {
            throw Problem(offset: parser.position, message: "\(parser.found) stands after the end of the value")
        }
        return (value, parser.problems)
    }

    /// The byte at the position; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The character at the position, as messages name it.
    var found: String {
        guard position < bytes.count else { return "the end of the file" }
        let rest = String(decoding: bytes[position..<min(position + 32, bytes.count)], as: UTF8.self)
        guard let scalar = rest.unicodeScalars.first else { return "the end of the file" }
        return scalar.value < 0x20 ? "a control character" : "'\(scalar)'"
    }

    private mutating func value() throws(Problem) -> JSONValue {
        guard let next else { throw Problem(offset: position, message: "the file ends where a value should be") }
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quotedString())
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        default: return try word()
        }
    }

    private mutating func word() throws(Problem) -> JSONValue {
        let start = position
        let text = identifier()
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "NaN", "Infinity":
            position = start
            return .number(try number())
        case "": throw Problem(offset: start, message: "\(found) stands where a value should be")
        default:
            throw Problem(
                offset: start, message: "\(text.prefix(40)) is no value", hint: "strings stand in quotation marks")
        }
    }

    mutating func report(_ code: String, at offset: Int, _ message: String, hint: String? = nil) {
        problems.append(
            Problem(offset: offset, code: code, pointer: pointer, message: message, hint: hint))
    }

    /// The place of the value that is being read.
    var pointer: JSONPointer {
        JSONPointer(
            path.map {
                switch $0 {
                case .key(let key): key
                case .index(let index): String(index)
                }
            })
    }

    private mutating func enter(_ step: Step, at offset: Int) throws(Problem) {
        path.append(step)
        guard path.count <= Self.depthLimit else {
            throw Problem(
                offset: offset, message: "lists and objects lie more than \(Self.depthLimit) deep in each other")
        }
    }

    private mutating func array() throws(Problem) -> JSONValue {
        let start = position
        position += 1
        var elements: [JSONValue] = []
        while true {
            try skipSpace()
            if next == UInt8(ascii: "]") { break }
            guard next != nil else { throw unclosed("[", start) }
            try enter(.index(elements.count), at: start)
            elements.append(try value())
            path.removeLast()
            try skipSpace()
            if next == UInt8(ascii: ",") {
                position += 1
            } else if next != UInt8(ascii: "]") {
                guard next != nil else { throw unclosed("[", start) }
                throw Problem(offset: position, message: "a comma or ] should stand before \(found)")
            }
        }
        position += 1
        return .array(elements)
    }

    private mutating func object() throws(Problem) -> JSONValue {
        let start = position
        position += 1
        var members: [String: JSONValue] = [:]
        while true {
            try skipSpace()
            if next == UInt8(ascii: "}") { break }
            guard next != nil else { throw unclosed("{", start) }
            let keyStart = position
            let key = try self.key()
            try skipSpace()
            guard next == UInt8(ascii: ":") else {
                throw Problem(
                    offset: position, message: "a colon should stand after the key \"\(key)\", before \(found)")
            }
            position += 1
            try skipSpace()
            try enter(.key(key), at: start)
            if members[key] != nil {
                report(
                    "config.duplicateKey", at: keyStart, "the key \"\(key)\" stands twice here", hint: "leave one out")
            }
            members[key] = try value()
            path.removeLast()
            try skipSpace()
            if next == UInt8(ascii: ",") {
                position += 1
            } else if next != UInt8(ascii: "}") {
                guard next != nil else { throw unclosed("{", start) }
                throw Problem(
                    offset: position,
                    message: "a comma or } should stand after the value of \"\(key)\", before \(found)")
            }
        }
        position += 1
        return .object(members)
    }

    private func unclosed(_ bracket: String, _ offset: Int) -> Problem {
        Problem(offset: offset, message: "this \(bracket) is never closed")
    }

    private mutating func key() throws(Problem) -> String {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try quotedString() }
        let key = identifier()
        guard !key.isEmpty else { throw Problem(offset: position, message: "\(found) stands where a key should be") }
        return key
    }
}
