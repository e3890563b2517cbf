public import EditorCore

public enum GlowModule: EffectModule {
    public static let name = "glow"
    public static var effects: [EffectDescriptor] { [.video(Glow.self)] }
}

/// What is brighter than a threshold shines into what is around it.
public final class Glow: VideoEffect {
    public struct Parameters: ParameterSet {
        public var strength: AnimatedNumber = 0.6
        public var threshold = 0.6
        public var radius = Length(fraction: 0.02)

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "strength", \.strength, .animated(.number(in: 0...4)),
                help: "How much light is added; 0 changes nothing."),
            .init("threshold", \.threshold, .number(in: 0...1), help: "Where bright begins: 0 is black, 1 white."),
            .init("radius", \.radius, .length(in: 0...0.2), unit: "fractions of the width", help: "How far it shines."),
        ]
    }

    public static let id = "glow"
    public static let summary = "Lets bright parts shine into what is around them."
    public static let example: JSONValue = ["strength": 0.8, "threshold": 0.7]

    private let parameters: Parameters
    private var blur: BoxBlur

    public init(_ parameters: Parameters, context: EffectContext) {
        self.parameters = parameters
        blur = BoxBlur(size: context.canvas, radius: Int(parameters.radius.pixels(onWidth: context.canvas.width)))
    }

    public func isIdentity(at time: EffectTime) -> Bool { parameters.strength.value(at: time.seconds) == 0 }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        // Luma runs from 16 to 235; a sixteenth of a step keeps what the blur spreads thin.
        let floor = 16 + Int(parameters.threshold * 219)
        let gain = Int(parameters.strength.value(at: time.seconds) * 256)
        frame.withMutablePlane(0) { luma, layout in
            blur.fill { x, y in max(0, Int(luma[y * layout.stride + x]) - floor) << 4 }
            // Two boxes make a tent, which looks round enough.
            for _ in 0..<2 { blur.apply() }
            for y in 0..<layout.height {
                for x in 0..<layout.width {
                    let i = y * layout.stride + x
                    let lit = Int(luma[i]) + (blur[x, y] * gain + 2048) >> 12
                    luma[i] = UInt8(max(Int(luma[i]), min(235, lit)))
                }
            }
        }
    }
}
