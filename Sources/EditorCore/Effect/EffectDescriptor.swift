/// What kind of thing an effect changes.
public enum EffectKind: String, Sendable, CaseIterable {
    case video, overlay, audio, transition
}

/// Where an effect comes from.
public enum EffectOrigin: String, Sendable, CaseIterable {
    /// It comes with the editor.
    case builtIn = "built-in"
    /// It was compiled into a program of somebody's own.
    case compiledIn = "compiled in"
    /// A Swift module that is loaded from a file.
    case swift
    /// A plugin of the frei0r collection, or of any that keeps its interface.
    case frei0r
    /// A LADSPA plugin.
    case ladspa

    /// Whether its code is a file that is loaded while the editor runs.
    public var isForeign: Bool { self == .swift || self == .frei0r || self == .ladspa }
}

/// Everything the core knows of an effect before one is made. Built from the effect's type, or, for effects in foreign
/// files, from what is known of the file.
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
    public internal(set) var origin = EffectOrigin.compiledIn
    /// Whether the effect remembers the frames before: it is then given the frames of a span in order, by an instance
    /// that begins with the span.
    public let isOrdered: Bool
    /// The file that holds the code of a foreign effect.
    public let file: String?
    /// What is known to be wrong with it; a sentence. nil when nothing is.
    public let trouble: String?
    /// Tells one version of the file from another; part of the keys of rendered spans.
    package let identity: String

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
        isOrdered = false
        file = nil
        trouble = nil
        identity = ""
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

    /// An effect that is known from its file.
    ///
    /// - Parameters:
    ///   - parameters: its own, without `timeRange`.
    ///   - prepare: decodes its own parameters; keys named in `ignoring` are read by the core.
    package init(
        id: String, kind: EffectKind, summary: String, version: Int, example: JSONValue, origin: EffectOrigin,
        file: String, identity: String, isOrdered: Bool = false, trouble: String? = nil,
        parameters: [ParameterSummary],
        prepare: @escaping @Sendable (JSONValue, JSONPointer, [String], inout ParameterReading) -> PreparedEffect?
    ) {
        (self.id, self.kind, self.summary, self.version) = (id, kind, summary, version)
        (self.example, self.origin, self.file, self.identity) = (example, origin, file, identity)
        (self.isOrdered, self.trouble) = (isOrdered, trouble)
        let common = kind == .transition ? [] : CommonEffectParameters.specs.map(\.summary)
        self.parameters = parameters + common
        let names = parameters.map(\.name)
        self.prepare = { value, pointer, reading in
            guard kind != .transition else { return prepare(value, pointer, ["type", "duration"], &reading) }
            var prepared = prepare(value, pointer, ["type"] + common.map(\.name), &reading)
            let timing = CommonEffectParameters.read(value, at: pointer, ignoring: ["type"] + names, into: &reading)
            prepared?.timeRange = timing?.timeRange
            return prepared
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
    /// Whether a render goes on without the effect when it fails.
    package var skipsOnFailure: Bool
    package var make: @Sendable (EffectContext) throws -> EffectInstance

    package init(
        timeRange: TimeRange? = nil, skipsOnFailure: Bool = false,
        make: @escaping @Sendable (EffectContext) throws -> EffectInstance
    ) {
        (self.timeRange, self.skipsOnFailure, self.make) = (timeRange, skipsOnFailure, make)
    }
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
