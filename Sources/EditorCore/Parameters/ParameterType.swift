/// How one kind of value stands in JSON: reading it with all its checks, writing it, and describing it.
///
/// Types are built from other types (`.list(of:)`, `.optional`), so a new shape seldom needs code of its own.
public struct ParameterType<Value: Sendable>: Sendable {
    /// What people call it: `number`, `point`, `one of fade, pop`.
    public var name: String
    /// The allowed range in words, if it has one.
    public var range: String?
    /// Its JSON Schema.
    public var schema: JSONValue
    /// Whether keyframes may stand in its place.
    public var isAnimatable: Bool
    /// Reads a value. Problems go into `reading`, and then the result is nil.
    public var read: @Sendable (_ value: JSONValue, _ pointer: JSONPointer, _ reading: inout ParameterReading) -> Value?
    /// The JSON form of a value, for showing defaults.
    public var write: @Sendable (Value) -> JSONValue

    public init(
        name: String, range: String? = nil, schema: JSONValue, isAnimatable: Bool = false,
        read: @escaping @Sendable (JSONValue, JSONPointer, inout ParameterReading) -> Value?,
        write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.name = name
        self.range = range
        self.schema = schema
        self.isAnimatable = isAnimatable
        self.read = read
        self.write = write
    }

    /// The same JSON form for another Swift type. `convert` may add findings and return nil.
    public func map<Other: Sendable>(
        _ convert: @escaping @Sendable (Value, JSONPointer, inout ParameterReading) -> Other?,
        back: @escaping @Sendable (Other) -> Value
    ) -> ParameterType<Other> {
        ParameterType<Other>(
            name: name, range: range, schema: schema, isAnimatable: isAnimatable,
            read: { value, pointer, reading in
                self.read(value, pointer, &reading).flatMap { convert($0, pointer, &reading) }
            },
            write: { self.write(back($0)) })
    }

    /// A type, or null, or nothing.
    public static func optional<Wrapped: Sendable>(
        _ wrapped: ParameterType<Wrapped>
    ) -> ParameterType<Wrapped?> where Value == Wrapped? {
        ParameterType<Wrapped?>(
            name: wrapped.name, range: wrapped.range, schema: ["anyOf": [wrapped.schema, ["type": "null"]]],
            isAnimatable: wrapped.isAnimatable,
            read: { value, pointer, reading in
                if case .null = value { return .some(nil) }
                return wrapped.read(value, pointer, &reading).map(Optional.some)
            },
            write: { $0.map(wrapped.write) ?? .null })
    }
}

extension ParameterType where Value == Double {
    /// A finite number within `range`.
    public static func number(in range: ClosedRange<Double> = -1e9...1e9) -> Self {
        let bounded = range.lowerBound > -1e9 || range.upperBound < 1e9
        let text =
            bounded ? "\(JSONValue.number(range.lowerBound).text())…\(JSONValue.number(range.upperBound).text())" : nil
        var schema: [String: JSONValue] = ["type": "number"]
        if range.lowerBound > -1e9 { schema["minimum"] = .number(range.lowerBound) }
        if range.upperBound < 1e9 { schema["maximum"] = .number(range.upperBound) }
        return ParameterType(
            name: "number", range: text, schema: .object(schema),
            read: { value, pointer, reading in
                guard case .number(let number) = value else {
                    reading.wrongType(value, at: pointer, wanted: "a number")
                    return nil
                }
                let name = pointer.tokens.last(where: { Int($0) == nil }) ?? "number"
                guard number.isFinite else {
                    reading.error("config.number", at: pointer, "\(name) must be a number, not NaN or Infinity")
                    return nil
                }
                guard range.contains(number) else {
                    let limits =
                        "\(JSONValue.number(range.lowerBound).text()) to \(JSONValue.number(range.upperBound).text())"
                    reading.error(
                        "config.range", at: pointer,
                        "\(name) \(JSONValue.number(number).text()) is outside \(limits)")
                    return nil
                }
                return number
            },
            write: { .number($0) })
    }
}

extension ParameterType where Value == Int {
    /// A whole number within `range`.
    public static func integer(in range: ClosedRange<Int>) -> Self {
        var type = ParameterType<Double>.number(in: Double(range.lowerBound)...Double(range.upperBound)).map(
            { number, pointer, reading in
                if let whole = Int(exactly: number) { return whole }
                reading.error(
                    "config.type", at: pointer,
                    "\(pointer.tokens.last ?? "value") must be a whole number, not \(number)")
                return nil
            }, back: { Double($0) })
        type.name = "whole number"
        if case .object(var schema) = type.schema {
            schema["type"] = "integer"
            type.schema = .object(schema)
        }
        return type
    }
}

extension ParameterType where Value == Bool {
    public static var bool: Self {
        ParameterType(
            name: "boolean", schema: ["type": "boolean"],
            read: { value, pointer, reading in
                if case .bool(let flag) = value { return flag }
                reading.wrongType(value, at: pointer, wanted: "true or false")
                return nil
            },
            write: { .bool($0) })
    }
}

extension ParameterType where Value == String {
    public static var string: Self {
        ParameterType(
            name: "string", schema: ["type": "string"],
            read: { value, pointer, reading in
                if case .string(let text) = value { return text }
                reading.wrongType(value, at: pointer, wanted: "a string")
                return nil
            },
            write: { .string($0) })
    }

    /// One of a few words; another word gets a suggestion.
    public static func word(_ words: [String]) -> Self {
        var type = ParameterType.string.map(
            { word, pointer, reading in
                if words.contains(word) { return word }
                reading.error(
                    "config.choice", at: pointer,
                    "\(pointer.tokens.last(where: { Int($0) == nil }) ?? "value") \"\(word)\" is none of "
                        + words.joined(separator: ", "),
                    hint: Suggestion.nearest(to: word, in: words).map { "did you mean \"\($0)\"?" })
                return nil
            }, back: { $0 })
        type.name = "one of " + words.joined(separator: ", ")
        type.schema = ["type": "string", "enum": .array(words.map { .string($0) })]
        return type
    }
}

extension ParameterType where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
    /// The raw values of an enumeration.
    public static var choice: Self {
        ParameterType<String>.word(Value.allCases.map(\.rawValue)).map(
            { word, _, _ in Value(rawValue: word) }, back: { $0.rawValue })
    }
}

extension ParameterType {
    /// A list whose elements are all of one type.
    public static func list<Element: Sendable>(
        of element: ParameterType<Element>, count: ClosedRange<Int> = 0...100_000
    ) -> ParameterType<[Element]> where Value == [Element] {
        ParameterType<[Element]>(
            name: "list of \(element.name)", range: element.range, schema: ["type": "array", "items": element.schema],
            read: { value, pointer, reading in
                guard case .array(let elements) = value else {
                    reading.wrongType(value, at: pointer, wanted: "a list")
                    return nil
                }
                guard count.contains(elements.count) else {
                    reading.error(
                        "config.range", at: pointer,
                        "\(pointer.tokens.last ?? "the list") has \(elements.count) elements; \(count.lowerBound) to \(count.upperBound) are allowed"
                    )
                    return nil
                }
                var result: [Element] = []
                for (index, item) in elements.enumerated() {
                    if let read = element.read(item, pointer.appending(index), &reading) { result.append(read) }
                }
                return result.count == elements.count ? result : nil
            },
            write: { .array($0.map(element.write)) })
    }

    /// A nested object with parameters of its own: those of the set, or `specs` in their place.
    public static func object(
        _ set: Value.Type, specs: [ParameterSpec<Value>] = Value.specs
    ) -> ParameterType<Value> where Value: ParameterSet {
        ParameterType(
            name: "object", schema: ParameterSummary.objectSchema(of: specs.map(\.summary)),
            read: { value, pointer, reading in set.read(value, at: pointer, specs: specs, into: &reading) },
            write: { value in
                .object(Dictionary(uniqueKeysWithValues: specs.map { ($0.name, $0.write(value)) }))
            })
    }
}
