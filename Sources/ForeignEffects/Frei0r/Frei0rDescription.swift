internal import EditorCore

/// What is known of a frei0r plugin without loading it: its own description, its defaults, and what a trial showed.
struct Frei0rDescription: Sendable {
    var path: String
    var name: String
    var author = ""
    var explanation = ""
    var kind = Frei0rLibrary.Kind.filter
    var isBGR = false
    var version = 1
    var parameters: [Frei0rLibrary.Parameter] = []
    /// As `Frei0rInstance.values` gives them.
    var numbers: [Double] = []
    var texts: [String] = []
    /// Whether earlier frames change what it does.
    var hasMemory = false
    /// Whether the same frames give the same result twice.
    var isRepeatable = true

    /// The word behind `frei0r.`: the file's name, which is what other hosts use.
    var label: String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.hasSuffix(".so") ? file.dropLast(3) : file)
    }

    /// Where among the numbers a mixer keeps how far it has faded; nil when it does not fade by itself.
    var fader: Int? {
        guard kind == .mixer2 else { return nil }
        var position = 0
        for parameter in parameters {
            if parameter.kind == .number, parameter.name.lowercased() == "fader" { return position }
            position += parameter.kind.numberCount
        }
        return nil
    }

    var json: JSONValue {
        [
            "name": .string(name), "author": .string(author), "explanation": .string(explanation),
            "kind": .number(Double(kind.rawValue)), "bgr": .bool(isBGR), "version": .number(Double(version)),
            "numbers": .array(numbers.map { .number($0) }), "texts": .array(texts.map { .string($0) }),
            "memory": .bool(hasMemory), "repeatable": .bool(isRepeatable),
            "parameters": .array(
                parameters.map {
                    .array([.string($0.name), .number(Double($0.kind.rawValue)), .string($0.explanation)])
                }),
        ]
    }

    init(_ library: Frei0rLibrary, numbers: [Double], texts: [String]) {
        (path, name, author, explanation) = (library.path, library.name, library.author, library.explanation)
        (kind, isBGR, version) = (library.kind, library.isBGR, library.version)
        (parameters, self.numbers, self.texts) = (library.parameters, numbers, texts)
    }

    /// nil for what this program did not write.
    init?(_ json: JSONValue, path: String) {
        guard let name = json.text("name"), let kind = json.integer("kind").flatMap(Frei0rLibrary.Kind.init(rawValue:)),
            let version = json.integer("version"), case .array(let numbers)? = json["numbers"],
            case .array(let texts)? = json["texts"], case .array(let parameters)? = json["parameters"]
        else { return nil }
        (self.path, self.name, self.kind, self.version) = (path, name, kind, version)
        author = json.text("author") ?? ""
        explanation = json.text("explanation") ?? ""
        isBGR = json["bgr"] == .bool(true)
        hasMemory = json["memory"] == .bool(true)
        isRepeatable = json["repeatable"] != .bool(false)
        // A value that is no number was none in the plugin.
        self.numbers = numbers.map { if case .number(let number) = $0 { number } else { 0 } }
        self.texts = texts.map { if case .string(let text) = $0 { text } else { "" } }
        for parameter in parameters {
            guard case .array(let parts) = parameter, parts.count == 3, case .string(let name) = parts[0],
                case .number(let number) = parts[1], case .string(let explanation) = parts[2],
                let kind = Int(exactly: number).flatMap(Frei0rLibrary.Parameter.Kind.init(rawValue:))
            else { return nil }
            self.parameters.append(.init(name: name, kind: kind, explanation: explanation))
        }
        guard self.numbers.count == self.parameters.reduce(0, { $0 + $1.kind.numberCount }) else { return nil }
    }
}

extension Frei0rLibrary.Parameter.Kind {
    /// How many numbers a value takes.
    var numberCount: Int {
        switch self {
        case .flag, .number: 1
        case .color: 3
        case .point: 2
        case .text: 0
        }
    }
}

extension JSONValue {
    func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }
    func integer(_ key: String) -> Int? {
        if case .number(let number)? = self[key] { Int(exactly: number) } else { nil }
    }
}

extension Frei0rDescription {
    var effectKind: EffectKind {
        switch kind {
        case .filter: .video
        case .source: .overlay
        case .mixer2, .mixer3: .transition
        }
    }

    /// The keys of a config entry. `reserved` are those that the editor reads itself.
    func dynamicParameters(reserved: [String]) -> [DynamicParameter] {
        var names = ParameterNames(reserved: reserved)
        var (number, text) = (0, 0)
        return parameters.map { parameter in
            let start = number
            number += parameter.kind.numberCount
            let key = names.key(for: parameter.name)
            let help = Self.sentence(parameter.explanation.isEmpty ? parameter.name : parameter.explanation)
            switch parameter.kind {
            case .flag: return .flag(key, default: numbers[start] >= 0.5, help: help)
            case .number:
                // Most keep to 0…1 as frei0r wants it; some have ranges of their own, which they do not tell.
                let value = numbers[start].isFinite ? numbers[start] : 0
                return .number(key, in: (0...1).contains(value) ? 0...1 : nil, default: value, help: help)
            case .color:
                func byte(_ index: Int) -> UInt8 { UInt8(min(1, max(0, numbers[start + index])) * 255) }
                let color = Color(red: byte(0), green: byte(1), blue: byte(2))
                return .color(key, default: color, help: help)
            case .point:
                func part(_ value: Double) -> Double { value.isFinite ? min(1000, max(-1000, value)) : 0 }
                return .point(key, default: Point(part(numbers[start]), part(numbers[start + 1])), help: help)
            case .text:
                defer { text += 1 }
                return .text(key, default: text < texts.count ? texts[text] : "", help: help)
            }
        }
    }

    private static func sentence(_ text: String) -> String {
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let last = trimmed.last else { return "Not explained by the plugin." }
        return ".!?".contains(last) ? trimmed : trimmed + "."
    }

    /// - Parameters:
    ///   - identity: tells this version of the file from others.
    ///   - trouble: what went wrong when the plugin was tried.
    func descriptor(identity: String, trouble: String?) -> EffectDescriptor {
        let timing = kind == .mixer2 || kind == .mixer3 ? ["duration", "easing"] : ["timeRange"]
        let placements = kind == .source ? OverlayPlacement.specs.map(\.summary) : []
        let reserved = ["type"] + timing + ForeignOptions.names + placements.map(\.name)
        let dynamic = dynamicParameters(reserved: reserved)
        let (names, placementNames) = (dynamic.map(\.summary.name), placements.map(\.name))
        let isUsable = kind != .mixer3
        let notes = [
            trouble, isUsable ? nil : "cannot be used: it mixes three pictures, and no place in a movie has three",
            isRepeatable ? nil : "gives another result each time, so a movie is not the same twice",
        ].compactMap { $0 }
        return EffectDescriptor(
            id: "frei0r.\(label)", kind: effectKind,
            summary: Self.sentence(explanation.isEmpty ? name : explanation), version: version, example: [:],
            origin: .frei0r, file: path, identity: identity, isOrdered: hasMemory || !isRepeatable,
            trouble: notes.isEmpty ? nil : notes.joined(separator: "; "),
            parameters: dynamic.map(\.summary) + placements + ForeignOptions.specs.map(\.summary)
        ) { value, pointer, ignoring, reading in
            guard
                let values = DynamicParameter.read(
                    dynamic, from: value, at: pointer, ignoring: ignoring + ForeignOptions.names + placementNames,
                    into: &reading),
                let options = ForeignOptions.read(
                    value, at: pointer, ignoring: ignoring + names + placementNames, into: &reading)
            else { return nil }
            var placement = OverlayPlacement()
            if kind == .source {
                placement =
                    OverlayPlacement.read(
                        value, at: pointer, ignoring: ignoring + names + ForeignOptions.names, into: &reading)
                    ?? placement
            }
            let (settings, place) = (Frei0rSettings(description: self, options: options, values: values), placement)
            return PreparedEffect(skipsOnFailure: options.onFailure == .skip) { context in
                switch kind {
                case .filter: return .video(Frei0rFilter(settings, context))
                case .source: return .overlay(Frei0rSource(settings, placement: place, context))
                case .mixer2: return .transition(Frei0rMixer(settings, context))
                case .mixer3: throw ModuleFailure("mixes three pictures")
                }
            }
        }
    }
}
