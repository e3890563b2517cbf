public import EditorCore

/// Blurs a region, or the whole picture.
public final class Blur: VideoEffect {
    public struct Parameters: ParameterSet {
        public var radius = Animated(Length(fraction: 0.04))
        public var region: Region?

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "radius", \.radius, .animated(.length(in: 0...0.5)),
                help:
                    "How far a point spreads, as a fraction of the canvas width (twice the deviation of a Gaussian); 0 changes nothing."
            ),
            .init(
                "region", \.region, .optional(.object(Region.self)),
                help: "The part that is blurred, a rectangle or an ellipse; null is the whole picture."),
        ]
    }

    public static let id = "blur"
    public static let summary = "Blurs a region, such as a face or a number plate, or everything."
    public static let example: JSONValue = [
        "radius": 0.04,
        "region": [
            "shape": "ellipse", "width": 0.3, "height": 0.4,
            "center": [["time": 0, "value": [0.3, 0.4]], ["time": 2, "value": [0.6, 0.45]]],
        ],
    ]

    private let stage: RegionStage
    private let version = BlurredPlane()

    public init(_ parameters: Parameters, context: EffectContext) {
        // A deviation of a twentieth of a pixel cannot be seen.
        stage = RegionStage(parameters.radius, region: parameters.region, canvas: context.canvas, least: 0.1)
    }

    public func isIdentity(at time: EffectTime) -> Bool { stage.isIdentity(at: time) }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        guard !isIdentity(at: time) else { return }
        version.deviation = stage.pixels(at: time) / 2
        stage.paint(version, onto: &frame, at: time)
    }
}
