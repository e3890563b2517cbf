import EditorCore
import EditorTestSupport
import Testing

/// The parameters of every effect below: one strength that is neutral at 0.
struct Strength: ParameterSet {
    var strength = 0.5
    static let specs: [ParameterSpec<Self>] = [
        .init("strength", \.strength, .number(in: 0...1), help: "How much; 0 changes nothing.")
    ]
}

/// One way for an effect to go wrong.
enum Fault { case none, shared, outside, memory, neutral, identity, small, row, size }

class Brighten: VideoEffect {
    typealias Parameters = Strength
    class var id: String { "brighten" }
    class var fault: Fault { .none }
    static let summary = "Makes it brighter."

    private let strength: Double
    private var calls = 0

    required init(_ parameters: Strength, context: EffectContext) throws {
        if Self.fault == .small, context.canvas.width == 1 { throw EditorError(.internalBug, "too small") }
        strength = parameters.strength
    }

    func isIdentity(at time: EffectTime) -> Bool { Self.fault == .identity ? true : strength == 0 }

    func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
        calls += 1
        if Self.fault == .shared {
            frame.planes[0].base[0] ^= 1
            return
        }
        var more = UInt8(strength * 40)
        if Self.fault == .neutral { more += 1 }
        if Self.fault == .memory { more += UInt8(calls) }
        if Self.fault == .row { more += UInt8(frame.layout(ofPlane: 0).stride / 64) }
        guard more > 0 else { return }
        frame.withMutablePlane(0) { pixels, layout in
            for y in 0..<layout.height {
                for x in 0..<layout.width { pixels[y * layout.stride + x] &+= more }
            }
        }
        if Self.fault == .outside { (frame.planes[0].base - 1).pointee = 0 }
        if Self.fault == .size { frame = SyntheticFrames.plain(PixelSize(width: 2, height: 2), y: 0) }
    }
}

final class WritesToShared: Brighten { override class var fault: Fault { .shared } }
final class WritesOutside: Brighten { override class var fault: Fault { .outside } }
final class Remembers: Brighten { override class var fault: Fault { .memory } }
final class NeverNeutral: Brighten { override class var fault: Fault { .neutral } }
final class LiesOfIdentity: Brighten { override class var fault: Fault { .identity } }
final class NeedsRoom: Brighten { override class var fault: Fault { .small } }
final class MindsRows: Brighten { override class var fault: Fault { .row } }
final class Resizes: Brighten { override class var fault: Fault { .size } }

final class Badge: OverlayEffect {
    typealias Parameters = Strength
    static let id = "badge"
    static let summary = "A white dot."
    private let picture = OverlayPicture(width: 1, height: 1, pixels: [255, 255, 255, 128])
    private let strength: Double

    init(_ parameters: Strength, context: EffectContext) { strength = parameters.strength }

    func overlay(at time: EffectTime) -> Overlay? {
        strength == 0 ? nil : Overlay(picture, center: Point(.nan, 0), opacity: 1 + strength)
    }
}

/// Fades each block in anew.
final class Clicks: AudioEffect {
    typealias Parameters = Strength
    static let id = "clicks"
    static let summary = "Turns the sound up block by block."

    init(_ parameters: Strength, context: EffectContext) {}

    func process(_ buffer: inout AudioBuffer, at time: EffectTime) {
        for channel in buffer.channels.indices {
            for i in buffer.channels[channel].indices {
                buffer.channels[channel][i] *= Float(i) / Float(buffer.sampleCount)
            }
        }
    }
}

/// Turns the sound down as time goes on, whatever the blocks.
final class Quieter: AudioEffect {
    typealias Parameters = Strength
    static let id = "quieter"
    static let summary = "Turns the sound down."
    private let strength: Double

    init(_ parameters: Strength, context: EffectContext) { strength = parameters.strength }

    func process(_ buffer: inout AudioBuffer, at time: EffectTime) {
        for channel in buffer.channels.indices {
            for i in buffer.channels[channel].indices {
                let seconds = Double(time.index + i) / Double(AudioFormat.sampleRate)
                buffer.channels[channel][i] *= Float(1 - strength * seconds / 2)
            }
        }
    }
}

class Cut: TransitionEffect {
    typealias Parameters = Strength
    class var id: String { "cut" }
    class var moment: Double { 0.5 }
    static let summary = "Shows the next picture from the middle on."

    required init(_ parameters: Strength, context: EffectContext) {}

    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) {
        if progress >= Self.moment { from = to }
    }
}

final class NeverThere: Cut { override class var moment: Double { 2 } }

struct Careless: ParameterSet {
    var far = 3.0
    var file = AssetReference(path: "", kind: .data)
    static let specs: [ParameterSpec<Self>] = [
        .init("far", \.far, .number(in: 0...1), help: ""),
        .init("file", \.file, .file(.data), required: true, help: "A file."),
        .init("type", \.far, .number(in: 0...5), help: "The id's place."),
    ]
}

final class Undescribed: OverlayEffect {
    typealias Parameters = Careless
    static let id = "not described"
    static let summary = ""
    static let example: JSONValue = ["far": 0.5]
    init(_ parameters: Careless, context: EffectContext) {}
    func overlay(at time: EffectTime) -> Overlay? { nil }
}

/// Effects that keep the contract pass, and each breach is told.
@Suite struct EffectContractTests {
    @Test(arguments: [EffectDescriptor.video(Brighten.self), .audio(Quieter.self), .transition(Cut.self)])
    func goodEffectsPass(descriptor: EffectDescriptor) {
        let neutral: JSONValue? = descriptor.kind == .transition ? nil : ["strength": 0]
        #expect(EffectContract.failures(of: descriptor, neutral: neutral) == [])
    }

    @Test(
        arguments: [
            (.video(WritesToShared.self), "still in use elsewhere"),
            (.video(WritesOutside.self), "writes outside the picture"),
            (.video(Remembers.self), "another instance, order of frames or row length"),
            (.video(MindsRows.self), "another instance, order of frames or row length"),
            (.video(NeverNeutral.self), "changes the picture with neutral parameters"),
            (.video(LiesOfIdentity.self), "changes the picture where it says it does not"),
            (.video(NeedsRoom.self), "1×1: throws \"too small\""),
            (.video(Resizes.self), "another size or format"),
            (.overlay(Badge.self), "not premultiplied"),
            (.overlay(Badge.self), "no finite place"),
            (.overlay(Badge.self), "opacity 1.5"),
            (.audio(Clicks.self), "block length"),
            (.audio(Clicks.self), "changes the sound with neutral parameters"),
            (.transition(NeverThere.self), "does not end with the incoming picture"),
            (.overlay(Undescribed.self), "the id is no word"),
            (.overlay(Undescribed.self), "the summary is empty"),
            (.overlay(Undescribed.self), "the parameter far has no help"),
            (.overlay(Undescribed.self), "the default of far is not allowed: far 3 is outside 0 to 1"),
            (.overlay(Undescribed.self), "the parameter type is there twice or reserved"),
            (.overlay(Undescribed.self), "the example is not read: file is missing"),
        ] as [(EffectDescriptor, String)])
    func breachesAreTold(descriptor: EffectDescriptor, words: String) {
        let failures = EffectContract.failures(of: descriptor, neutral: ["strength": 0])
        #expect(failures.contains { $0.contains(words) }, "\(failures)")
    }
}
