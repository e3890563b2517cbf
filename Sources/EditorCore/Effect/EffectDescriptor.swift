/// What kind of thing an effect changes.
public enum EffectKind: String, Sendable, CaseIterable {
    case video, overlay, audio, transition
}

/// Everything the core knows of an effect before one is made. Built from the effect's type.
public struct EffectDescriptor: Sendable {
    public let id: String
    public let kind: EffectKind
    public let summary: String
    public let version: Int
    public let example: JSONValue
    /// In declaration order, `timeRange` (which every effect but a transition has) last.
    public let parameters: [ParameterSummary]
    /// Name of the module that registered it.
    public internal(set) var module = ""

    package let prepare: @Sendable (JSONValue, JSONPointer, inout ParameterReading) -> PreparedEffect?

    public static func video<E: VideoEffect>(_ type: E.Type) -> EffectDescriptor {
        EffectDescriptor(type, .video) { .video($0) }
    }
    public static func overlay<E: OverlayEffect>(_ type: E.Type) -> EffectDescriptor {
        EffectDescriptor(type, .overlay) { .overlay($0) }
    }
    public static func audio<E: AudioEffect>(_ type: E.Type) -> EffectDescriptor {
        EffectDescriptor(type, .audio) { .audio($0) }
    }
    public static func transition<E: TransitionEffect>(_ type: E.Type) -> EffectDescriptor {
        EffectDescriptor(type, .transition) { .transition($0) }
    }

    private init<E: Effect>(_ type: E.Type, _ kind: EffectKind, wrap: @escaping @Sendable (E) -> EffectInstance) {
        id = E.id
        self.kind = kind
        summary = E.summary
        version = E.version
        example = E.example
        let common = kind == .transition ? [] : CommonEffectParameters.specs.map(\.summary)
        parameters = E.Parameters.specs.map(\.summary) + common
        let commonNames = common.map(\.name)
        let ownNames = E.Parameters.specs.map(\.name)
        prepare = { value, pointer, reading in
            let ignoring = ["type"] + (kind == .transition ? ["duration"] : commonNames)
            guard let parameters = E.Parameters.read(value, at: pointer, ignoring: ignoring, into: &reading) else {
                return nil
            }
            var common = CommonEffectParameters()
            if kind != .transition {
                common =
                    CommonEffectParameters.read(value, at: pointer, ignoring: ["type"] + ownNames, into: &reading)
                    ?? common
            }
            return PreparedEffect(timeRange: common.timeRange) { context in wrap(try E(parameters, context: context)) }
        }
    }

    /// The JSON Schema of the effect's object in a config.
    public var schema: JSONValue {
        ParameterSummary.objectSchema(of: parameters, adding: ["type": ["const": .string(id)]])
    }
}

/// The parameters that the core itself reads for every effect.
struct CommonEffectParameters: ParameterSet {
    var timeRange: TimeRange?

    static let specs: [ParameterSpec<Self>] = [
        .init("timeRange", \.timeRange, .optional(.timeRange), help: "When the effect is on; null is always.")
    ]
}

/// Checked parameters, ready to become instances.
package struct PreparedEffect: Sendable {
    package var timeRange: TimeRange?
    package var make: @Sendable (EffectContext) throws -> EffectInstance
}

/// An effect at work, by kind. Not Sendable: it belongs to the thread that made it.
package enum EffectInstance {
    case video(any VideoEffect)
    case overlay(any OverlayEffect)
    case audio(any AudioEffect)
    case transition(any TransitionEffect)

    var surroundings: String {
        switch self {
        case .video(let effect): effect.surroundings
        case .overlay(let effect): effect.surroundings
        case .audio(let effect): effect.surroundings
        case .transition(let effect): effect.surroundings
        }
    }

    var subtitles: SubtitleTrack? {
        if case .overlay(let effect) = self { effect.subtitles } else { nil }
    }
}
