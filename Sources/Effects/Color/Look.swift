public import EditorCore

/// Gives the picture one of ten looks that come with the editor.
public final class Look: VideoEffect {
    public struct Parameters: ParameterSet {
        public var name = LookName.clear
        public var strength: AnimatedNumber = 1

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init("name", \.name, .choice, required: true, help: "Which look."),
            .init(
                "strength", \.strength, .animated(.number(in: 0...1)),
                help: "How much of the look the picture takes; 0 changes nothing."),
        ]
    }

    public static let id = "look"
    public static let summary = "Gives the picture one of ten looks, from clear daylight to black and white film."
    public static let example: JSONValue = ["name": "golden", "strength": 0.8]

    private let strength: AnimatedNumber
    private let cache: CurveCache<LookRecipe>

    public init(_ parameters: Parameters, context: EffectContext) {
        strength = parameters.strength
        cache = CurveCache(parameters.name.recipe, width: context.canvas.width)
    }

    private func strength(at time: EffectTime) -> Double { max(0, min(1, strength.value(at: time.seconds))) }

    public func isIdentity(at time: EffectTime) -> Bool { strength(at: time) == 0 }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        let strength = strength(at: time)
        guard strength > 0 else { return }
        frame.withPlanarPicture { cache.apply(to: $0, strength: strength) }
    }
}
