/// How one clip leads into the next. Parameters of the transition's own are decoded by the transition itself.
public struct TransitionConfiguration: Sendable, Hashable {
    /// The transition's id.
    public var type: String
    /// How long both clips show, in seconds; 0.001…30.
    public var duration: MediaTime
    /// How the blend moves from one clip to the other.
    public var easing: Easing
    /// The object without `type`, `duration` and `easing`.
    public var value: JSONValue
    /// Where it stands in the config.
    public var pointer: JSONPointer

    public init(
        type: String, duration: MediaTime, easing: Easing = .linear, value: JSONValue = [:],
        pointer: JSONPointer = JSONPointer()
    ) {
        self.type = type
        self.duration = duration
        self.easing = easing
        self.value = value
        self.pointer = pointer
    }

    /// What the reference says of the keys that every transition has.
    public static var timing: [ParameterSummary] { Timing.specs.map(\.summary) }

    /// The keys that every transition has.
    struct Timing: ParameterSet {
        var duration = MediaTime(value: 1, timescale: 2)
        var easing = Easing.linear

        static let specs: [ParameterSpec<Self>] = [
            .init(
                "duration", \.duration, .seconds(in: 0.001...30), unit: "seconds",
                help: "How long both clips show; the movie is shorter by it."),
            .init("easing", \.easing, .choice, help: "How the blend moves from one clip to the other."),
        ]
    }
}

extension ParameterType where Value == TransitionConfiguration {
    /// An object with a `type`, a `duration` and an `easing`; nothing else in it is looked at.
    static var transition: Self {
        ParameterType(
            name: "transition", schema: ["$ref": "#/$defs/transition"],
            read: { value, pointer, reading in
                guard let type = reading.readType(of: "a transition", in: value, at: pointer, example: "crossDissolve"),
                    case .object(var members) = value
                else { return nil }
                let own = members.keys.filter { !["duration", "easing"].contains($0) }
                guard
                    let timing = TransitionConfiguration.Timing.read(
                        value, at: pointer, ignoring: Array(own), into: &reading)
                else { return nil }
                for key in ["type", "duration", "easing"] { members[key] = nil }
                return TransitionConfiguration(
                    type: type, duration: timing.duration, easing: timing.easing, value: .object(members),
                    pointer: pointer)
            },
            write: { transition in
                guard case .object(var members) = transition.value else { return .null }
                members["type"] = .string(transition.type)
                members["duration"] = .number(transition.duration.seconds)
                members["easing"] = .string(transition.easing.rawValue)
                return .object(members)
            })
    }
}
