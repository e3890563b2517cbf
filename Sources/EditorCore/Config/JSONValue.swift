/// A JSON document as a value. Object keys keep no order; numbers are doubles.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// What a person calls this kind of value, with its article.
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value at `key` of an object, or nil.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(nilLiteral: ()) { self = .null }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

extension JSONValue: Decodable {
    private struct MemberKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberKey.self) {
            var members: [String: JSONValue] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }
}

extension JSONValue {
    /// The document as JSON text with sorted keys. `indent` nil writes one line; else nested lines with that many spaces.
    /// Equal values give equal text, so the one-line form serves in fingerprints.
    public func text(indent: Int? = nil) -> String {
        var out = ""
        write(to: &out, indent: indent, depth: 0)
        return out
    }

    private func write(to out: inout String, indent: Int?, depth: Int) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .number(let value): out += Self.text(of: value)
        case .string(let value): Self.writeQuoted(value, to: &out)
        case .array(let elements):
            let flat = elements.allSatisfy {
                if case .array = $0 { false } else if case .object = $0 { false } else { true }
            }
            writeList(elements.map { (nil, $0) }, "[", "]", to: &out, indent: flat ? nil : indent, depth: depth)
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
            writeList(sorted, "{", "}", to: &out, indent: indent, depth: depth)
        }
    }

    private func writeList(
        _ entries: [(String?, JSONValue)], _ open: String, _ close: String, to out: inout String, indent: Int?,
        depth: Int
    ) {
        out += open
        let newline = indent.map { "\n" + String(repeating: " ", count: $0 * (depth + 1)) }
        for (index, (key, value)) in entries.enumerated() {
            if index > 0 { out += newline == nil && indent == nil ? ", " : "," }
            out += newline ?? ""
            if let key {
                Self.writeQuoted(key, to: &out)
                out += ": "
            }
            value.write(to: &out, indent: indent, depth: depth + 1)
        }
        if let indent, !entries.isEmpty { out += "\n" + String(repeating: " ", count: indent * depth) }
        out += close
    }

    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
        return "\(number)"
    }

    private static func writeQuoted(_ string: String, to out: inout String) {
        out += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
