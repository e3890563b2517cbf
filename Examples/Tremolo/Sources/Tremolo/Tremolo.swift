public import EditorCore
internal import Glibc

public enum TremoloModule: EffectModule {
    public static let name = "tremolo"
    public static var effects: [EffectDescriptor] { [.audio(Tremolo.self)] }
}

/// The sound swells and fades at a steady rate.
public final class Tremolo: AudioEffect {
    public struct Parameters: ParameterSet {
        public var depth: AnimatedNumber = 0.5
        public var rate = 5.0

        public init() {}
        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "depth", \.depth, .animated(.number(in: 0...1)),
                help: "How far it fades: 0 changes nothing, 1 goes down to silence."),
            .init("rate", \.rate, .number(in: 0.1...20), unit: "hertz", help: "How often it does so."),
        ]
    }

    public static let id = "tremolo"
    public static let summary = "Lets the sound swell and fade."
    public static let example: JSONValue = ["depth": 0.7, "rate": 6]

    private let parameters: Parameters

    public init(_ parameters: Parameters, context: EffectContext) { self.parameters = parameters }

    public func process(_ buffer: inout AudioBuffer, at time: EffectTime) {
        for i in 0..<buffer.sampleCount {
            // The number of the sample, and not of the block, so that blocks of any length give the same.
            let seconds = Double(time.index + i) / Double(AudioFormat.sampleRate)
            let wave = (1 - cos(2 * .pi * parameters.rate * seconds)) / 2
            let gain = Float(1 - parameters.depth.value(at: seconds) * wave)
            for channel in buffer.channels.indices { buffer.channels[channel][i] *= gain }
        }
    }
}
