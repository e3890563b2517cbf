package import EditorCore

/// Where the files lie that a module's effects name.
package struct AssetPlace: Sendable {
    package var folder: String
    package var aliases: [AssetReference.Kind: [String: String]]

    package init(folder: String, aliases: [AssetReference.Kind: [String: String]]) {
        (self.folder, self.aliases) = (folder, aliases)
    }
}

/// All that makes an instance of a Swift module's effect, as it is told to a worker.
struct ModuleOpening {
    var path: String
    var effect: String
    var entry: JSONValue
    var pointer: JSONPointer
    var isTransition: Bool

    var json: JSONValue {
        [
            "path": .string(path), "effect": .string(effect), "entry": entry,
            "pointer": .array(pointer.tokens.map { .string($0) }), "transition": .bool(isTransition),
        ]
    }

    init(path: String, effect: String, entry: JSONValue, pointer: JSONPointer, isTransition: Bool) {
        (self.path, self.effect, self.entry) = (path, effect, entry)
        (self.pointer, self.isTransition) = (pointer, isTransition)
    }

    init(_ json: JSONValue) throws {
        guard let path = json.text("path"), let effect = json.text("effect"), let entry = json["entry"],
            let pointer = JSONPointer(json: json["pointer"])
        else { throw ModuleFailure("was opened with garbage") }
        self.init(
            path: path, effect: effect, entry: entry, pointer: pointer, isTransition: json["transition"] == .bool(true))
    }

    /// Reads the entry with the module's own declarations.
    func read() throws -> (prepared: PreparedEffect?, reading: ParameterReading) {
        var reading = ParameterReading()
        let descriptor = try SwiftModuleLibrary.effect(effect, of: path)
        return (descriptor.prepare(entry, pointer, &reading), reading)
    }
}

extension JSONPointer {
    init?(json: JSONValue?) {
        guard case .array(let tokens)? = json else { return nil }
        self.init(tokens.compactMap { if case .string(let token) = $0 { token } else { nil } })
    }
    var json: JSONValue { .array(tokens.map { .string($0) }) }
}

extension MediaTime {
    var json: JSONValue { [.string(String(value)), .string(String(timescale))] }

    init?(json: JSONValue?) {
        guard case .array(let parts)? = json, parts.count == 2, case .string(let value) = parts[0],
            case .string(let scale) = parts[1], let value = Int64(value), let scale = Int64(scale), scale > 0
        else { return nil }
        self.init(value: value, timescale: scale)
    }
}

extension EffectContext {
    /// The parts of a context that a worker is told; assets and reports are its own.
    func json(_ place: AssetPlace) -> JSONValue {
        [
            "width": .number(Double(canvas.width)), "height": .number(Double(canvas.height)),
            "rate": MediaTime(value: frameRate.numerator, timescale: frameRate.denominator).json,
            "duration": duration.json, "start": activeRange.start.json, "end": activeRange.end.json,
            "folder": .string(place.folder),
            "aliases": .object(
                Dictionary(
                    uniqueKeysWithValues: place.aliases.map { kind, names in
                        (kind.rawValue, .object(names.mapValues { .string($0) }))
                    })),
        ]
    }

    init(
        _ json: JSONValue, pointer: JSONPointer,
        assets: (String, [AssetReference.Kind: [String: String]]) -> any AssetLoading,
        report: @escaping @Sendable (Finding) -> Void
    ) throws {
        guard let width = json.integer("width"), let height = json.integer("height"),
            let rate = MediaTime(json: json["rate"]), let duration = MediaTime(json: json["duration"]),
            let start = MediaTime(json: json["start"]), let end = MediaTime(json: json["end"]),
            let folder = json.text("folder"), case .object(let kinds)? = json["aliases"]
        else { throw ModuleFailure("was opened with garbage") }
        var aliases: [AssetReference.Kind: [String: String]] = [:]
        for (name, names) in kinds {
            guard let kind = AssetReference.Kind(rawValue: name), case .object(let members) = names else { continue }
            aliases[kind] = members.compactMapValues { if case .string(let path) = $0 { path } else { nil } }
        }
        self.init(
            canvas: PixelSize(width: width, height: height), frameRate: Rational(rate.value, rate.timescale),
            duration: duration, activeRange: TimeRange(start: start, end: end), assets: assets(folder, aliases),
            pointer: pointer, report: report)
    }
}

extension Finding {
    var json: JSONValue {
        [
            "error": .bool(severity == .error), "cause": .string(cause.rawValue), "code": .string(code),
            "pointer": pointer.json, "message": .string(message), "hint": hint.map { .string($0) } ?? .null,
        ]
    }

    init?(json: JSONValue) {
        guard let code = json.text("code"), let message = json.text("message"),
            let pointer = JSONPointer(json: json["pointer"])
        else { return nil }
        self.init(
            json["error"] == .bool(true) ? .error : .warning,
            cause: json.text("cause").flatMap(Cause.init(rawValue:)) ?? .invalidData, code: code, at: pointer, message,
            hint: json.text("hint"))
    }
}
