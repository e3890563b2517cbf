extension ParameterType where Value == Double {
    /// A factor for amplitudes within `range`, or the same in decibels as `"-6dB"`.
    public static func gain(in range: ClosedRange<Double> = 0...2) -> Self {
        let number = ParameterType.number(in: range)
        return ParameterType(
            name: "gain", range: number.range,
            schema: ["anyOf": [number.schema, ["type": "string", "pattern": "^[+-]?[0-9.]+ ?dB$"]]],
            read: { value, pointer, reading in
                guard case .string(let text) = value else { return number.read(value, pointer, &reading) }
                let name = pointer.tokens.last(where: { Int($0) == nil }) ?? "gain"
                let digits = text.hasSuffix("dB") ? text.dropLast(2).drop(while: { $0 == "+" }) : ""
                guard let decibels = Double(digits.last == " " ? digits.dropLast() : digits), decibels.isFinite else {
                    reading.error(
                        "config.gain", at: pointer, "\(name) \"\(text)\" is no gain",
                        hint: "write a factor, such as 0.5, or decibels, such as \"-6dB\"")
                    return nil
                }
                let gain = Decibels.gain(decibels)
                guard range.contains(gain) else {
                    let limits =
                        "\(JSONValue.number(range.lowerBound).text()) to \(JSONValue.number(range.upperBound).text())"
                    reading.error(
                        "config.range", at: pointer,
                        "\(name) \"\(text)\" is a factor of \(MediaTime.text(gain)), outside \(limits)")
                    return nil
                }
                return gain
            },
            write: { .number($0) })
    }
}
