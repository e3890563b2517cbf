internal import EditorCore

/// How heavy a font is, on OpenType's scale of 100…1000.
struct FontWeight: Sendable, Hashable {
    var value: Int

    static let normal = FontWeight(value: 400)

    /// The names of CSS and of Pango.
    static let names: [String: Int] = [
        "thin": 100, "ultralight": 200, "light": 300, "semilight": 350, "book": 380, "normal": 400, "regular": 400,
        "medium": 500, "semibold": 600, "bold": 700, "ultrabold": 800, "heavy": 900, "black": 900, "ultraheavy": 1000,
    ]

    /// A number, or one of `names`.
    static let parameterType: ParameterType<FontWeight> = {
        let words = names.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        let number = ParameterType<Int>.integer(in: 100...1000)
        let word = ParameterType<String>.word(words)
        return ParameterType(
            name: "font weight", range: number.range, schema: ["anyOf": [number.schema, word.schema]],
            read: { value, pointer, reading in
                switch value {
                case .string: word.read(value, pointer, &reading).flatMap { names[$0] }.map(FontWeight.init(value:))
                case .number: number.read(value, pointer, &reading).map(FontWeight.init(value:))
                default:
                    {
                        reading.wrongType(
                            value, at: pointer, wanted: "a number from 100 to 1000 or a name such as \"bold\"")
                        return nil
                    }()
                }
            },
            write: { .number(Double($0.value)) })
    }()
}
