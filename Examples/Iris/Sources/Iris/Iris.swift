public import EditorCore

public enum IrisModule: EffectModule {
    public static let name = "iris"
    public static var effects: [EffectDescriptor] { [.transition(Iris.self)] }
}

/// The incoming picture shows through a circle that opens.
public final class Iris: TransitionEffect {
    public struct Parameters: ParameterSet {
        public var center = Point(0.5, 0.5)

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "center", \.center, .point, unit: "fractions of the canvas",
                help: "Where the circle opens; [0, 0] is the top left corner.")
        ]
    }

    public static let id = "iris"
    public static let summary = "Opens a circle onto the incoming picture."
    public static let example: JSONValue = ["center": [0.5, 0.4]]

    /// The circle's middle, and the way from it to the farthest corner, in pixels.
    private let (x, y, reach): (Double, Double, Double)

    public init(_ parameters: Parameters, context: EffectContext) {
        let (width, height) = (Double(context.canvas.width), Double(context.canvas.height))
        (x, y) = (parameters.center.x * width, parameters.center.y * height)
        let (across, down) = (max(abs(x), abs(width - x)), max(abs(y), abs(height - y)))
        reach = (across * across + down * down).squareRoot()
    }

    public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        guard progress > 0 else { return }
        for plane in 0..<3 {
            // A sample of chroma stands for two by two pixels.
            let step = plane == 0 ? 1.0 : 2.0
            let (middle, radius) = (x / step, reach * progress / step)
            to.withPlane(plane) { incoming, source in
                from.withMutablePlane(plane) { outgoing, target in
                    for row in 0..<target.height {
                        let distance = Double(row) - y / step
                        guard abs(distance) <= radius else { continue }
                        let half = (radius * radius - distance * distance).squareRoot()
                        let first = max(0, Int((middle - half).rounded(.up)))
                        let end = min(target.width, Int((middle + half).rounded(.down)) + 1)
                        for column in first..<max(first, end) {
                            outgoing[row * target.stride + column] = incoming[row * source.stride + column]
                        }
                    }
                }
            }
        }
    }
}
