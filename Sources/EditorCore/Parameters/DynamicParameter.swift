/// The value of a parameter that is known from a plugin's own description and not from a Swift declaration.
package enum DynamicValue: Sendable {
    case number(AnimatedNumber)
    case flag(Bool)
    case color(Color)
    case point(Animated<Point>)
    case text(String)
}

/// A parameter of a plugin: what one line of `ParameterSpec` is to an effect written in Swift.
package struct DynamicParameter: Sendable {
    package let summary: ParameterSummary
    package let defaultValue: DynamicValue
    private let reader: @Sendable (JSONValue, JSONPointer, inout ParameterReading) -> DynamicValue?

    private init<Value: Sendable>(
        _ name: String, _ type: ParameterType<Value>, default value: Value, unit: String?, help: String,
        wrap: @escaping @Sendable (Value) -> DynamicValue
    ) {
        summary = ParameterSummary(
            name: name, type: type.name, range: type.range, isAnimatable: type.isAnimatable, unit: unit,
            defaultValue: type.write(value), help: help, schema: type.schema)
        defaultValue = wrap(value)
        reader = { type.read($0, $1, &$2).map(wrap) }
    }

    package static func number(
        _ name: String, in range: ClosedRange<Double>?, default value: Double, unit: String? = nil, help: String
    ) -> DynamicParameter {
        DynamicParameter(
            name, .animated(range.map { .number(in: $0) } ?? .number()), default: AnimatedNumber(value), unit: unit,
            help: help
        ) { .number($0) }
    }

    /// A whole number, which cannot stand between two keyframes.
    package static func integer(
        _ name: String, in range: ClosedRange<Int>, default value: Int, unit: String? = nil, help: String
    ) -> DynamicParameter {
        DynamicParameter(name, .integer(in: range), default: value, unit: unit, help: help) {
            .number(AnimatedNumber(Double($0)))
        }
    }

    package static func flag(_ name: String, default value: Bool, help: String) -> DynamicParameter {
        DynamicParameter(name, .bool, default: value, unit: nil, help: help) { .flag($0) }
    }

    package static func color(_ name: String, default value: Color, help: String) -> DynamicParameter {
        DynamicParameter(name, .color, default: value, unit: nil, help: help) { .color($0) }
    }

    package static func point(_ name: String, default value: Point, help: String) -> DynamicParameter {
        DynamicParameter(name, .animated(.point), default: Animated(value), unit: nil, help: help) { .point($0) }
    }

    package static func text(_ name: String, default value: String, help: String) -> DynamicParameter {
        DynamicParameter(name, .string, default: value, unit: nil, help: help) { .text($0) }
    }

    /// The values of an object's keys, in the order of `parameters`; problems become findings. Keys named in `ignoring`
    /// are somebody else's. nil when `value` is no object.
    package static func read(
        _ parameters: [DynamicParameter], from value: JSONValue, at pointer: JSONPointer, ignoring: [String],
        into reading: inout ParameterReading
    ) -> [DynamicValue]? {
        guard case .object(let members) = value else {
            reading.wrongType(value, at: pointer, wanted: "an object")
            return nil
        }
        let known = parameters.map(\.summary.name) + ignoring
        for key in members.keys.sorted() where !known.contains(key) {
            reading.error(
                "config.unknownKey", at: pointer.appending(key), "unknown key \"\(key)\"",
                hint: Suggestion.hint(for: key, in: known))
        }
        return parameters.map { parameter in
            guard let member = members[parameter.summary.name] else { return parameter.defaultValue }
            return parameter.reader(member, pointer.appending(parameter.summary.name), &reading)
                ?? parameter.defaultValue
        }
    }
}
