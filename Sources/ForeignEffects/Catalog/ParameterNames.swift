/// Keys for parameters whose plugin names them in words.
struct ParameterNames {
    private var taken: Set<String>

    /// - Parameter reserved: keys that mean something else.
    init(reserved: [String]) { taken = Set(reserved) }

    /// `Color space` becomes `colorSpace`; what stands in brackets or behind a colon is left to the help. A key that is
    /// taken gets a number.
    mutating func key(for name: String) -> String {
        let plain = name.prefix { !"([:".contains($0) }
        var words = Self.words(plain)
        if words.isEmpty { words = Self.words(name[...]) }
        if words.isEmpty { words = ["value"] }
        var key =
            words[0].allSatisfy({ $0.isUppercase || $0.isNumber }) ? words[0].lowercased() : Self.lowered(words[0])
        for word in words.dropFirst() { key += word.prefix(1).uppercased() + word.dropFirst() }
        if key.first?.isNumber == true { key = "value" + key }
        var unique = key
        var number = 2
        while !taken.insert(unique).inserted {
            unique = "\(key)\(number)"
            number += 1
        }
        return unique
    }

    private static func lowered(_ word: String) -> String { word.prefix(1).lowercased() + word.dropFirst() }

    private static func words(_ text: Substring) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    }

    /// The unit in a name's brackets, such as `dB`.
    static func unit(in name: String) -> String? {
        guard let open = name.firstIndex(where: { $0 == "(" || $0 == "[" }),
            let close = name[open...].firstIndex(where: { $0 == ")" || $0 == "]" })
        else { return nil }
        let inside = name[name.index(after: open)..<close]
        return inside.isEmpty || inside.count > 12 || inside.contains(where: { $0.isNumber || $0 == "=" || $0 == "," })
            ? nil : String(inside)
    }
}
