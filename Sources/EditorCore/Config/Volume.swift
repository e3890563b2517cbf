internal import Glibc

extension ParameterType where Value == Double {
    /// A factor within `range`, or a gain as `"-6dB"`.
    static func volume(in range: ClosedRange<Double>) -> Self {
        let number = ParameterType.number(in: range)
        return ParameterType(
            name: "volume", range: number.range,
            schema: ["anyOf": [number.schema, ["type": "string", "pattern": "^[+-]?[0-9.]+ ?dB$"]]],
            read: { value, pointer, reading in
                guard case .string(let text) = value else { return number.read(value, pointer, &reading) }
                let name = pointer.tokens.last(where: { Int($0) == nil }) ?? "volume"
                guard text.hasSuffix("dB"),
                    let decibels = Double(text.dropLast(2).filter { $0 != " " }), decibels.isFinite
                else {
                    reading.error(
                        "config.volume", at: pointer, "\(name) \"\(text)\" is no volume",
                        hint: "write a number, such as 0.5, or a gain, such as \"-6dB\"")
                    return nil
                }
                let factor = pow(10, decibels / 20)
                guard range.contains(factor) else {
                    let limit = (20 * log10(range.upperBound) * 10).rounded() / 10
                    reading.error(
                        "config.range", at: pointer, "\(name) \"\(text)\" is louder than the \(limit) dB allowed")
                    return nil
                }
                return factor
            },
            write: { .number($0) })
    }
}
