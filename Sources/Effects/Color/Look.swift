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

    private let stage: MapStage<LookRecipe>

    public init(_ parameters: Parameters, context: EffectContext) {
        stage = MapStage(parameters.name.recipe, strength: parameters.strength, canvas: context.canvas)
    }

    public func isIdentity(at time: EffectTime) -> Bool { stage.isIdentity(at: time) }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) { stage.apply(to: &frame, at: time) }
}
