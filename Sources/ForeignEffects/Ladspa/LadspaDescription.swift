internal import CForeign
internal import EditorCore
internal import Glibc

/// What is known of a LADSPA plugin without loading it.
struct LadspaDescription: Sendable {
    struct Control: Sendable {
        var name: String
        var hints: Int
        var lower: Double
        var upper: Double
    }

    var path: String
    var index: Int
    var label: String
    var name: String
    var maker: String
    /// Numbers of its audio ports.
    var inputs: Int
    var outputs: Int
    var controls: [Control]
    /// By how many samples its output comes late, at its defaults.
    var latency = 0
    /// Whether noise went through it without becoming infinite.
    var isFinite = true

    init(_ plugin: LadspaLibrary.Plugin, path: String) {
        self.path = path
        (index, label, name, maker) = (plugin.index, plugin.label, plugin.name, plugin.maker)
        inputs = plugin.ports.filter { $0.kind == .audioIn }.count
        outputs = plugin.ports.filter { $0.kind == .audioOut }.count
        controls = plugin.ports.filter { $0.kind == .controlIn }.map {
            Control(name: $0.name, hints: $0.hints, lower: $0.lower, upper: $0.upper)
        }
    }

    var json: JSONValue {
        [
            "index": .number(Double(index)), "label": .string(label), "name": .string(name), "maker": .string(maker),
            "inputs": .number(Double(inputs)), "outputs": .number(Double(outputs)),
            "latency": .number(Double(latency)), "finite": .bool(isFinite),
            "controls": .array(
                controls.map {
                    .array([.string($0.name), .number(Double($0.hints)), .number($0.lower), .number($0.upper)])
                }),
        ]
    }

    /// nil for what this program did not write.
    init?(_ json: JSONValue, path: String) {
        guard let index = json.integer("index"), let label = json.text("label"), let name = json.text("name"),
            let maker = json.text("maker"), let inputs = json.integer("inputs"), let outputs = json.integer("outputs"),
            case .array(let controls)? = json["controls"]
        else { return nil }
        (self.path, self.index, self.label, self.name, self.maker) = (path, index, label, name, maker)
        (self.inputs, self.outputs) = (inputs, outputs)
        latency = json.integer("latency") ?? 0
        isFinite = json["finite"] != .bool(false)
        self.controls = []
        for control in controls {
            guard case .array(let parts) = control, parts.count == 4, case .string(let name) = parts[0],
                case .number(let hints) = parts[1], case .number(let lower) = parts[2],
                case .number(let upper) = parts[3]
            else { return nil }
            self.controls.append(Control(name: name, hints: Int(hints), lower: lower, upper: upper))
        }
    }

    /// Runs a little noise through it, with its defaults.
    mutating func examine(_ library: LadspaLibrary) throws {
        guard let plugin = library.plugins.first(where: { $0.index == index }) else { return }
        let count = 1024
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: count * (inputs + outputs + 1))
        memory.initialize(repeating: 0, count: count * (inputs + outputs + 1))
        defer { memory.deallocate() }
        let slots = (0..<inputs + outputs).map { memory + $0 * count }
        var state: UInt32 = 1
        for input in slots.prefix(inputs) {
            for i in 0..<count {
                state = state &* 1_664_525 &+ 1_013_904_223
                input[i] = Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.5
            }
        }
        let instance = try library.instantiate(plugin)
        for _ in 0..<8 {
            instance.run(
                count, controls: controls.map(\.defaultValue), inputs: Array(slots.prefix(inputs)),
                outputs: Array(slots.suffix(outputs)))
        }
        isFinite = slots.suffix(outputs).allSatisfy { output in (0..<count).allSatisfy { output[$0].isFinite } }
        latency = instance.output(named: "latency").flatMap { Int(exactly: $0.rounded()) } ?? 0
    }
}

extension LadspaDescription.Control {
    private func has(_ bit: Int32) -> Bool { hints & Int(bit) != 0 }
    private var factor: Double { has(LADSPA_HINT_SAMPLE_RATE) ? Double(AudioFormat.sampleRate) : 1 }
    private var least: Double? { has(LADSPA_HINT_BOUNDED_BELOW) && lower.isFinite ? lower * factor : nil }
    private var most: Double? { has(LADSPA_HINT_BOUNDED_ABOVE) && upper.isFinite ? upper * factor : nil }

    /// The default as ladspa.h describes it; without one, 0 or what is nearest to it.
    var defaultValue: Double {
        let (low, high) = (least ?? 0, most ?? max(1, least ?? 0))
        func between(_ share: Double) -> Double {
            has(LADSPA_HINT_LOGARITHMIC) && low > 0 && high > 0
                ? exp(log(low) * (1 - share) + log(high) * share) : low * (1 - share) + high * share
        }
        let value: Double =
            switch Int32(hints) & LADSPA_HINT_DEFAULT_MASK {
            case LADSPA_HINT_DEFAULT_MINIMUM: low
            case LADSPA_HINT_DEFAULT_LOW: between(0.25)
            case LADSPA_HINT_DEFAULT_MIDDLE: between(0.5)
            case LADSPA_HINT_DEFAULT_HIGH: between(0.75)
            case LADSPA_HINT_DEFAULT_MAXIMUM: high
            case LADSPA_HINT_DEFAULT_1: 1
            case LADSPA_HINT_DEFAULT_100: 100
            case LADSPA_HINT_DEFAULT_440: 440
            default: 0
            }
        let inRange = min(most ?? value, max(least ?? value, value))
        return has(LADSPA_HINT_INTEGER) ? inRange.rounded() : inRange
    }

    func parameter(_ key: String) -> DynamicParameter {
        let help = name.isEmpty ? "Not explained by the plugin." : "\(name)."
        let unit = ParameterNames.unit(in: name)
        if has(LADSPA_HINT_TOGGLED) { return .flag(key, default: defaultValue > 0, help: help) }
        var range: ClosedRange<Double>?
        if least != nil || most != nil, (least ?? -1e9) <= (most ?? 1e9) { range = (least ?? -1e9)...(most ?? 1e9) }
        if has(LADSPA_HINT_INTEGER), let range, range.lowerBound >= -1e9, range.upperBound <= 1e9 {
            let whole =
                Int(
                    range.lowerBound.rounded(.up))...max(
                    Int(range.lowerBound.rounded(.up)), Int(range.upperBound.rounded(.down)))
            let value = min(whole.upperBound, max(whole.lowerBound, Int(defaultValue)))
            return .integer(key, in: whole, default: value, unit: unit, help: help)
        }
        return .number(key, in: range, default: defaultValue, unit: unit, help: help)
    }
}

extension LadspaDescription {
    /// How the plugin's channels meet the movie's two; nil when they do not.
    var wiring: LadspaWiring? {
        switch (inputs, outputs) {
        case (1, 1): .twice
        case (2, 2), (1, 2), (2, 1): .once
        case (0, 1), (0, 2): .added
        default: nil
        }
    }

    func descriptor(identity: String, trouble: String?) -> EffectDescriptor {
        var names = ParameterNames(reserved: ["type", "timeRange"] + ForeignOptions.names)
        let dynamic = controls.map { $0.parameter(names.key(for: $0.name)) }
        let keys = dynamic.map(\.summary.name)
        let unfit = "has \(inputs) inputs and \(outputs) outputs, which does not fit stereo sound"
        let notes = [
            trouble, wiring == nil ? unfit : nil,
            isFinite ? nil : "gives numbers that are none, or infinite, with its defaults",
            latency > 0 ? "delays the sound by \(latency) samples" : nil,
        ].compactMap { $0 }
        return EffectDescriptor(
            id: "ladspa.\(label)", kind: .audio, summary: name.hasSuffix(".") ? name : name + ".", version: 1,
            example: [:], origin: .ladspa, file: path, identity: identity,
            trouble: notes.isEmpty ? nil : notes.joined(separator: "; "),
            parameters: dynamic.map(\.summary) + ForeignOptions.specs.map(\.summary)
        ) { value, pointer, ignoring, reading in
            guard
                let values = DynamicParameter.read(
                    dynamic, from: value, at: pointer, ignoring: ignoring + ForeignOptions.names, into: &reading),
                let options = ForeignOptions.read(value, at: pointer, ignoring: ignoring + keys, into: &reading)
            else { return nil }
            return PreparedEffect(skipsOnFailure: options.onFailure == .skip) { _ in
                guard let wiring else { throw ModuleFailure(unfit) }
                return .audio(LadspaEffect(self, wiring: wiring, options: options, values: values))
            }
        }
    }
}
