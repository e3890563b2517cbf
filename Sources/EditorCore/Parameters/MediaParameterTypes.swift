extension ParameterType where Value == Color {
    /// `"rrggbb"` or `"rrggbbaa"`.
    public static var color: Self {
        var type = ParameterType<String>.string.map(
            { text, pointer, reading in
                if let color = Color(hex: text) { return color }
                reading.error(
                    "config.color", at: pointer,
                    "\(pointer.tokens.last(where: { Int($0) == nil }) ?? "colour") \"\(text)\" is no colour",
                    hint: "write six hexadecimal digits, such as \"ff8840\", or eight with alpha last")
                return nil
            }, back: { $0.description })
        type.name = "colour"
        type.schema = ["type": "string", "pattern": "^#?([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"]
        return type
    }
}

extension ParameterType where Value == Point {
    /// `[x, y]`, each a finite number.
    public static var point: Self {
        var type = ParameterType<[Double]>.list(of: .number(in: -1000...1000), count: 2...2).map(
            { pair, _, _ in Point(pair[0], pair[1]) }, back: { [$0.x, $0.y] })
        type.name = "point"
        type.range = nil
        type.schema = ["type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2]
        return type
    }
}

extension ParameterType where Value == Length {
    /// A fraction of the canvas width within `range`, or pixels as `"120px"`.
    public static func length(in range: ClosedRange<Double>) -> Self {
        let number = ParameterType<Double>.number(in: range)
        return ParameterType(
            name: "length", range: number.range,
            schema: ["anyOf": [number.schema, ["type": "string", "pattern": "^-?[0-9.]+px$"]]],
            read: { value, pointer, reading in
                guard case .string(let text) = value else {
                    return number.read(value, pointer, &reading).map { Length(fraction: $0) }
                }
                if text.hasSuffix("px"), let pixels = Double(text.dropLast(2)), pixels.isFinite, abs(pixels) <= 100_000,
                    pixels >= 0 || range.lowerBound < 0
                {
                    return Length(pixels: pixels)
                }
                reading.error(
                    "config.length", at: pointer, "\(pointer.tokens.last ?? "length") \"\(text)\" is no length",
                    hint: "write a fraction of the canvas width, such as 0.25, or pixels, such as \"120px\"")
                return nil
            },
            write: { $0.pixels == 0 ? .number($0.fraction) : .string("\(JSONValue.number($0.pixels).text())px") })
    }
}

extension ParameterType {
    /// A type, or keyframes of it; reads well in a list of specs: `.animated(.number(in: 0...1))`.
    public static func animated<Moving: Interpolatable>(
        _ type: ParameterType<Moving>
    ) -> ParameterType<Animated<Moving>> where Value == Animated<Moving> {
        type.animated()
    }

    /// This type, or keyframes of it: `[{"time": 0, "value": …, "easing": "easeOut"}, …]`.
    public func animated() -> ParameterType<Animated<Value>> where Value: Interpolatable {
        let easing = ParameterType<Easing>.choice
        let keyframe: JSONValue = [
            "type": "object", "required": ["time", "value"], "additionalProperties": false,
            "properties": ["time": ["type": "number"], "value": schema, "easing": easing.schema],
        ]
        return ParameterType<Animated<Value>>(
            name: name, range: range,
            schema: ["anyOf": [schema, ["type": "array", "items": keyframe, "minItems": 1]]],
            isAnimatable: true,
            read: { value, pointer, reading in
                guard case .array(let elements) = value, case .object? = elements.first else {
                    return self.read(value, pointer, &reading).map { Animated($0) }
                }
                var keyframes: [Animated<Value>.Keyframe] = []
                for (index, element) in elements.enumerated() {
                    let place = pointer.appending(index)
                    guard case .object(let members) = element else {
                        reading.wrongType(element, at: place, wanted: "a keyframe {time, value, easing}")
                        return nil
                    }
                    for key in members.keys where !["time", "value", "easing"].contains(key) {
                        reading.error(
                            "config.unknownKey", at: place.appending(key), "unknown key \"\(key)\"",
                            hint: Suggestion.hint(for: key, in: ["time", "value", "easing"]))
                        return nil
                    }
                    guard let time = members["time"], let value = members["value"] else {
                        reading.error("config.missing", at: place, "a keyframe needs time and value")
                        return nil
                    }
                    let moment = ParameterType<Double>.number(in: 0...1e6).read(time, place.appending("time"), &reading)
                    let read = self.read(value, place.appending("value"), &reading)
                    let curve =
                        members["easing"].map { easing.read($0, place.appending("easing"), &reading) } ?? .linear
                    guard let moment, let read, let curve else { return nil }
                    keyframes.append(.init(time: moment, value: read, easing: curve))
                }
                return Animated(keyframes: keyframes)
            },
            write: { animated in
                if animated.isConstant { return self.write(animated.keyframes[0].value) }
                return .array(
                    animated.keyframes.map {
                        [
                            "time": .number($0.time), "value": self.write($0.value),
                            "easing": .string($0.easing.rawValue),
                        ]
                    })
            })
    }
}

extension ParameterType where Value == AssetReference {
    /// The path of a file; noted as an asset, so that it is looked for before the first frame.
    public static func file(_ kind: AssetReference.Kind) -> Self {
        var type = ParameterType<String>.path.map(
            { (path, pointer, reading) -> AssetReference? in
                let asset = AssetReference(path: path, kind: kind, pointer: pointer)
                reading.note(asset)
                return asset
            }, back: { $0.path })
        type.name = "\(kind.rawValue) file"
        return type
    }
}

extension ParameterType where Value == MediaTime {
    /// Seconds within `range`, kept as the exact decimal.
    public static func seconds(in range: ClosedRange<Double> = 0...1e6) -> Self {
        var type = ParameterType<Double>.number(in: range).map(
            { number, _, _ in MediaTime(decimal: number) }, back: { $0.seconds })
        type.name = "seconds"
        return type
    }
}

extension ParameterType where Value == TimeRange {
    /// `{"start": s, "duration": d}` or `{"start": s, "end": e}`, in seconds; the length must be more than nothing.
    public static var timeRange: Self {
        let seconds = ParameterType<MediaTime>.seconds()
        let keys = ["start", "duration", "end"]
        return ParameterType(
            name: "time range",
            schema: [
                "type": "object", "additionalProperties": false,
                "properties": ["start": seconds.schema, "duration": seconds.schema, "end": seconds.schema],
            ],
            read: { value, pointer, reading in
                let name = pointer.tokens.last ?? "time range"
                guard case .object(let members) = value else {
                    reading.wrongType(value, at: pointer, wanted: "an object {start, duration} or {start, end}")
                    return nil
                }
                var read: [String: MediaTime] = [:]
                var failed = false
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    guard keys.contains(key) else {
                        reading.error(
                            "config.unknownKey", at: pointer.appending(key), "unknown key \"\(key)\" in \(name)",
                            hint: Suggestion.hint(for: key, in: keys))
                        failed = true
                        continue
                    }
                    read[key] = seconds.read(value, pointer.appending(key), &reading)
                    failed = failed || read[key] == nil
                }
                if failed { return nil }
                let start = read["start"] ?? .zero
                if read["duration"] != nil, read["end"] != nil {
                    reading.error(
                        "config.range", at: pointer, "\(name) has both duration and end", hint: "leave one out")
                    return nil
                }
                guard let end = read["end"] ?? read["duration"].map({ start + $0 }) else {
                    reading.error("config.missing", at: pointer, "\(name) needs a duration or an end")
                    return nil
                }
                guard end > start else {
                    reading.error(
                        "config.range", at: pointer, "\(name) is empty: it starts at \(start) and ends at \(end)")
                    return nil
                }
                return TimeRange(start: start, end: end)
            },
            write: { ["start": .number($0.start.seconds), "duration": .number($0.duration.seconds)] })
    }
}
