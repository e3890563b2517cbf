extension ParameterType {
    /// A list that keeps its good elements when others are bad, so that those are checked further in the same run.
    static func lenientList<Element: Sendable>(of element: ParameterType<Element>) -> Self where Value == [Element] {
        ParameterType<[Element]>(
            name: "list of \(element.name)", schema: ["type": "array", "items": element.schema],
            read: { value, pointer, reading in
                guard case .array(let elements) = value else {
                    reading.wrongType(value, at: pointer, wanted: "a list")
                    return nil
                }
                return elements.enumerated().compactMap { element.read($1, pointer.appending($0), &reading) }
            },
            write: { .array($0.map(element.write)) })
    }
}
