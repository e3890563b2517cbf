import EditorTestSupport

@testable import EditorCore

/// Turns JSON into plans over made-up media, with a few small effects.
struct Stage: Sendable {
    var library: FakeMediaLibrary
    var registry: EffectRegistry

    init(_ sources: [String: FakeMediaLibrary.Source], assets: FakeAssets = FakeAssets()) {
        library = FakeMediaLibrary(sources, assets: assets)
        registry = EffectRegistry()
        // The names are unlike; registering cannot fail.
        try! registry.register(StageEffects.self)
    }

    /// A config, without complaint about its form.
    func configuration(_ config: JSONValue) throws -> Configuration {
        let read = Configuration.read(ConfigurationDocument(config, name: "test"), requiresClips: true)
        if let error = EditorError(read.findings) { throw error }
        return read.configuration
    }

    /// Plans a config. Unless it says otherwise the canvas is 32×32 at 30 frames a second, with a key frame every 10.
    func plan(_ config: JSONValue, range: (from: MediaTime?, to: MediaTime?)? = nil) throws -> RenderPlan {
        guard case .object(var members) = config else { throw EditorError(.invalidData, "a config is an object") }
        members["renderSize"] = members["renderSize"] ?? ["width": 32, "height": 32]
        members["export"] = members["export"] ?? ["keyFrameInterval": 0.34]
        let configuration = try configuration(.object(members))
        return try RenderPlanner(registry: registry, library: library).plan(
            configuration, settings: ExportSettings(configuration, fileName: "movie.mp4"), range: range)
    }
}

/// The small effects of the stage.
enum StageEffects: EffectModule {
    static let name = "stage"
    static var effects: [EffectDescriptor] {
        [.video(Lift.self), .overlay(Dot.self), .audio(Gain.self), .transition(Mix.self)]
    }
}

struct StageAmount: ParameterSet {
    var amount = 1.0

    init() {}

    static let specs: [ParameterSpec<Self>] = [
        .init("amount", \.amount, .number(in: -200...200), help: "How much.")
    ]
}

/// Adds to luma.
final class Lift: VideoEffect {
    static let id = "lift"
    static let summary = "Adds to luma."
    private let amount: Int

    init(_ parameters: StageAmount, context: EffectContext) throws { amount = Int(parameters.amount) }

    func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
        frame.withMutablePlane(0) { pixels, layout in
            for y in 0..<layout.height {
                for x in 0..<layout.width {
                    let i = y * layout.stride + x
                    pixels[i] = UInt8(max(0, min(255, Int(pixels[i]) + amount)))
                }
            }
        }
    }
}

/// A white square of so many pixels in the middle.
final class Dot: OverlayEffect {
    static let id = "dot"
    static let summary = "A white square."
    private let picture: OverlayPicture
    private let center: Point

    init(_ parameters: StageAmount, context: EffectContext) throws {
        let side = max(1, Int(parameters.amount))
        picture = OverlayPicture(width: side, height: side, pixels: Array(repeating: 255, count: side * side * 4))
        center = Point(Double(context.canvas.width) / 2, Double(context.canvas.height) / 2)
    }

    func overlay(at time: EffectTime) -> Overlay? { Overlay(picture, center: center) }
}

/// Multiplies the sound.
final class Gain: AudioEffect {
    static let id = "gain"
    static let summary = "Multiplies the sound."
    private let amount: Float

    init(_ parameters: StageAmount, context: EffectContext) throws { amount = Float(parameters.amount) }

    func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws { buffer.scale(by: amount) }
}

/// Mixes two pictures in proportion.
final class Mix: TransitionEffect {
    static let id = "mix"
    static let summary = "Mixes two pictures."

    init(_ parameters: StageAmount, context: EffectContext) throws {}

    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) throws {
        for plane in 0..<3 {
            let other = SyntheticFrames.bytes(of: to, plane: plane)
            from.withMutablePlane(plane) { pixels, layout in
                for y in 0..<layout.height {
                    for x in 0..<layout.width {
                        let i = y * layout.stride + x
                        let (a, b) = (Double(pixels[i]), Double(other[y * layout.width + x]))
                        pixels[i] = UInt8((a + (b - a) * progress).rounded())
                    }
                }
            }
        }
    }
}
