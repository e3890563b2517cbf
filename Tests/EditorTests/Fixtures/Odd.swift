public import EditorCore

public enum OddModule: EffectModule {
    public static let name = "odd"
    public static var effects: [EffectDescriptor] { [.video(Odd.self)] }
}

/// Makes luma darker by ten, and from the third frame on misbehaves as it is told.
public final class Odd: VideoEffect {
    public struct Parameters: ParameterSet {
        public var fault = "none"
        public var amount = 10

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init("fault", \.fault, .word(["none", "throw", "trap", "size", "stray"]), help: "What goes wrong."),
            .init("amount", \.amount, .integer(in: 0...20), unit: "codes", help: "How much darker."),
        ]
    }

    struct Tired: Error {}

    public static let id = "odd"
    public static let summary = "Breaks if it is told to."

    private let parameters: Parameters

    public init(_ parameters: Parameters, context: EffectContext) { self.parameters = parameters }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
        if time.index >= 2 {
            switch parameters.fault {
            case "throw": throw Tired()
            case "trap": fatalError("too odd to go on")
            case "size":
                frame = FramePool().frame(.yuv420, PixelSize(width: 8, height: 8))
                return
            case "stray":
                frame.withMutablePlane(0) { pixels, layout in
                    let end = layout.stride * layout.height
                    for i in end..<end + 1 << 16 { pixels[i] = 0 }
                }
            default: break
            }
        }
        let amount = UInt8(parameters.amount)
        frame.withMutablePlane(0) { pixels, layout in
            for y in 0..<layout.height {
                for x in 0..<layout.width { pixels[y * layout.stride + x] -= amount }
            }
        }
    }
}
