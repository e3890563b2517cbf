extension ParameterType where Value == String {
    /// A string that is not empty.
    static var name: Self {
        var type = Self.string.map(
            { text, pointer, reading in
                if !text.isEmpty { return text }
                reading.error("config.empty", at: pointer, "\(pointer.name) is empty")
                return nil
            }, back: { $0 })
        type.schema = ["type": "string", "minLength": 1]
        return type
    }

    /// The path of a file or folder. A zero character would cut it short on its way to the system.
    static var path: Self {
        var type = Self.name.map(
            { text, pointer, reading in
                if !text.utf8.contains(0) { return text }
                reading.error(
                    "config.path", at: pointer,
                    "\(pointer.name) holds a zero character, which no path can")
                return nil
            }, back: { $0 })
        type.name = "path"
        return type
    }

    /// The name of a file without a folder.
    static var fileName: Self {
        var type = Self.path.map(
            { text, pointer, reading in
                if !text.utf8.contains(UInt8(ascii: "/")), text != ".", text != ".." { return text }
                reading.error(
                    "config.path", at: pointer, "\(pointer.name) \"\(text)\" is no file name",
                    hint: "a folder goes into mergeFilePath")
                return nil
            }, back: { $0 })
        type.name = "file name"
        return type
    }

    /// An address that begins with `http://` or `https://`.
    static var webAddress: Self {
        var type = Self.name.map(
            { text, pointer, reading in
                if text.isWebAddress { return text }
                reading.error(
                    "config.address", at: pointer, "\(pointer.name) \"\(text)\" is no web address",
                    hint: "it must begin with http:// or https://")
                return nil
            }, back: { $0 })
        type.name = "web address"
        return type
    }
}

extension String {
    /// Whether this is an address that can be fetched.
    package var isWebAddress: Bool {
        let lowercased = prefix(8).lowercased()
        return lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://")
    }
}

extension ParameterType where Value == PixelSize {
    /// Sides of 2…8192 pixels, both even, and no more pixels than 8K cinema has; or a ratio by name.
    static var renderSize: Self {
        let side = ParameterType<Int>.integer(in: 2...8192)
        let keys = ["width", "height"]
        let named: [(String, PixelSize)] = [
            ("9:16", PixelSize(width: 1080, height: 1920)), ("16:9", PixelSize(width: 1920, height: 1080)),
            ("1:1", PixelSize(width: 1080, height: 1080)), ("4:5", PixelSize(width: 1080, height: 1350)),
            ("3:4", PixelSize(width: 1080, height: 1440)), ("4:3", PixelSize(width: 1440, height: 1080)),
        ]
        let evenSide: JSONValue = ["type": "integer", "minimum": 2, "maximum": 8192, "multipleOf": 2]
        return ParameterType(
            name: "size", range: "2…8192, even",
            schema: [
                "anyOf": [
                    [
                        "type": "object", "additionalProperties": false, "required": ["width", "height"],
                        "properties": ["width": evenSide, "height": evenSide],
                    ],
                    ["enum": .array(named.map { .string($0.0) })],
                ]
            ],
            read: { value, pointer, reading in
                let name = pointer.name
                if case .string(let word) = value {
                    if let size = named.first(where: { $0.0 == word })?.1 { return size }
                    reading.error(
                        "config.choice", at: pointer, "\(name) \"\(word)\" is no size",
                        hint: "write {\"width\": 1080, \"height\": 1920} or one of "
                            + named.map(\.0).joined(separator: ", "))
                    return nil
                }
                guard case .object(let members) = value else {
                    reading.wrongType(
                        value, at: pointer, wanted: "an object {width, height} or a ratio such as \"9:16\"")
                    return nil
                }
                for key in members.keys.sorted() where !keys.contains(key) {
                    reading.error(
                        "config.unknownKey", at: pointer.appending(key), "unknown key \"\(key)\" in \(name)",
                        hint: Suggestion.hint(for: key, in: keys))
                }
                var sides: [Int] = []
                for key in keys {
                    guard let member = members[key] else {
                        reading.error("config.missing", at: pointer, "\(name) needs a \(key)")
                        continue
                    }
                    if let read = side.read(member, pointer.appending(key), &reading) { sides.append(read) }
                }
                guard sides.count == 2 else { return nil }
                return PixelSize(width: sides[0], height: sides[1]).checked(name, at: pointer, into: &reading)
            },
            write: { ["width": .number(Double($0.width)), "height": .number(Double($0.height))] })
    }
}

extension PixelSize {
    /// The most pixels a canvas may have: those of 8K cinema, 8192 × 4320.
    static let areaLimit = 8192 * 4320

    fileprivate func checked(_ name: String, at pointer: JSONPointer, into reading: inout ParameterReading)
        -> PixelSize?
    {
        guard width % 2 == 0, height % 2 == 0 else {
            let smaller = PixelSize(width: max(2, width & ~1), height: max(2, height & ~1))
            let larger = PixelSize(width: min(8192, (width + 1) & ~1), height: min(8192, (height + 1) & ~1))
            reading.error(
                "config.oddSize", at: pointer, "\(name) \(self) is odd, and movies need even sides",
                hint: "the nearest are \(smaller) and \(larger)")
            return nil
        }
        guard width * height <= Self.areaLimit else {
            reading.error(
                "config.range", at: pointer, "\(name) \(self) is larger than 8192×4320 pixels in all",
                hint: "make one side smaller")
            return nil
        }
        return self
    }
}

extension ParameterType where Value == Rational {
    /// A number within `range`, kept as the exact decimal.
    static func factor(in range: ClosedRange<Double>) -> Self {
        ParameterType<Double>.number(in: range).map(
            { number, _, _ in Rational(decimal: number) }, back: { $0.doubleValue })
    }

    /// Frames a second, 1…240: a number, or a fraction as `"30000/1001"`. The numbers 23.976, 29.97, 47.952, 59.94 and
    /// 119.88 mean the NTSC rates they are short for.
    static var frameRate: Self {
        let number = ParameterType<Double>.number(in: 1...240)
        return ParameterType(
            name: "frame rate", range: number.range,
            schema: ["anyOf": [number.schema, ["type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"]]],
            read: { value, pointer, reading in
                let name = pointer.name
                switch value {
                case .number:
                    return number.read(value, pointer, &reading).map { rate in
                        let shortened = [24, 30, 48, 60, 120].map { Rational($0 * 1000, 1001) }
                        if let ntsc = shortened.first(where: { abs($0.doubleValue - rate) < 0.0006 }) { return ntsc }
                        // Six places keep both terms within the 32 bits that containers have for them.
                        return Rational(Int64((rate * 1e6).rounded()), 1_000_000)
                    }
                case .string(let text):
                    guard let rate = Rational(text) else {
                        reading.error(
                            "config.frameRate", at: pointer, "\(name) \"\(text)\" is no frame rate",
                            hint: "write a number, or a fraction such as \"30000/1001\"")
                        return nil
                    }
                    guard number.read(.number(rate.doubleValue), pointer, &reading) != nil else { return nil }
                    guard rate.numerator <= Int32.max, rate.denominator <= Int32.max else {
                        reading.error("config.frameRate", at: pointer, "\(name) \"\(text)\" is too fine a fraction")
                        return nil
                    }
                    return rate
                default:
                    reading.wrongType(value, at: pointer, wanted: "a number or a fraction such as \"30000/1001\"")
                    return nil
                }
            },
            write: { $0.denominator == 1 ? .number(Double($0.numerator)) : .string($0.description) })
    }
}
