public import EditorCore

public enum WatermarkClockModule: EffectModule {
    public static let name = "watermarkClock"
    public static var effects: [EffectDescriptor] { [.overlay(WatermarkClock.self)] }
}

/// The time of the movie in a corner, in digits of seven strokes.
public final class WatermarkClock: OverlayEffect {
    public struct Parameters: ParameterSet {
        public var placement: OverlayPlacement = {
            var placement = OverlayPlacement()
            placement.center = Animated(Point(0.96, 0.97))
            placement.anchor = Animated(Point(1, 1))
            placement.opacity = 0.7
            return placement
        }()

        public init() {}
        public static let specs: [ParameterSpec<Self>] = OverlayPlacement.specs(at: \.placement)
    }

    public static let id = "watermarkClock"
    public static let summary = "Shows the time of the movie in a corner."
    public static let example: JSONValue = ["opacity": 0.9]

    private let parameters: Parameters
    private let canvas: PixelSize
    /// The picture of the second that was shown last: the same object is converted once.
    private var shown: (seconds: Int, picture: OverlayPicture)?

    public init(_ parameters: Parameters, context: EffectContext) {
        self.parameters = parameters
        canvas = context.canvas
    }

    public func overlay(at time: EffectTime) -> Overlay? {
        let seconds = Int(time.seconds)
        if shown?.seconds != seconds { shown = (seconds, Self.draw(seconds)) }
        // A digit is a thirtieth of the canvas wide.
        let scale = Double(canvas.width) / 30 / Double(Self.cell)
        return parameters.placement.overlay(
            of: shown!.picture, naturalScale: Point(scale, scale), at: time, canvas: canvas)
    }

    private static let cell = 24
    private static let height = 40
    /// Which strokes a digit has: top, upper left, upper right, middle, lower left, lower right, bottom.
    private static let strokes = [
        0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111, 0b1010010, 0b1111111, 0b1111011,
    ]
    /// The strokes as x, y, width and height.
    private static let boxes = [
        (4, 2, 16, 4), (2, 4, 4, 16), (18, 4, 4, 16), (4, 18, 16, 4), (2, 20, 4, 16), (18, 20, 4, 16), (4, 34, 16, 4),
    ]

    /// Minutes and seconds in white.
    private static func draw(_ seconds: Int) -> OverlayPicture {
        let digits = [seconds / 600 % 10, seconds / 60 % 10, nil, seconds % 60 / 10, seconds % 10]
        let width = digits.count * cell
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        func fill(_ x: Int, _ y: Int, _ w: Int, _ h: Int) {
            for row in y..<y + h { for i in (row * width + x) * 4..<(row * width + x + w) * 4 { pixels[i] = 255 } }
        }
        for (place, digit) in digits.enumerated() {
            guard let digit else {
                for y in [11, 26] { fill(place * cell + 10, y, 4, 4) }
                continue
            }
            for (number, box) in boxes.enumerated() where strokes[digit] >> (6 - number) & 1 == 1 {
                fill(place * cell + box.0, box.1, box.2, box.3)
            }
        }
        return OverlayPicture(width: width, height: height, pixels: pixels)
    }
}
