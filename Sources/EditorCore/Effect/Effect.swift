/// The contract of every effect.
///
/// - An instance is made before the first frame and used by one thread at a time; several instances of one effect may
///   work on neighbouring parts of a movie side by side. Unless it declares otherwise an effect is *stateless*: what it
///   does at a time depends on that time, its parameters and the frame alone, never on frames seen before.
/// - It sees frames, time, parameters and assets: no files, codecs, threads.
/// - It allocates nothing per frame in steady state.
/// - What it throws is told to the user with the effect's name and the time.
///
/// Conform to `VideoEffect`, `OverlayEffect`, `AudioEffect` or `TransitionEffect`.
public protocol Effect: AnyObject, SendableMetatype {
    associatedtype Parameters: ParameterSet

    /// The word after `"type"` in a config. Third parties use `module.effect`.
    static var id: String { get }
    /// One sentence for the list of effects.
    static var summary: String { get }
    /// Raised whenever the same parameters give another result; part of the keys of rendered spans.
    static var version: Int { get }
    /// A config entry that shows the effect off, without its `type`.
    static var example: JSONValue { get }

    /// Loads assets and prepares what does not change. Throws an `EditorError` that says what is wrong.
    init(_ parameters: Parameters, context: EffectContext) throws

    /// What its pictures depend on besides its parameters, its assets and its version, such as the machine's fonts; part
    /// of the keys of rendered spans. Asked for once, after `init`.
    var surroundings: String { get }

    /// Whether the effect leaves everything as it is at this time; then it is not called.
    func isIdentity(at time: EffectTime) -> Bool
}

extension Effect {
    public static var version: Int { 1 }
    public static var example: JSONValue { [:] }
    public var surroundings: String { "" }
    public func isIdentity(at time: EffectTime) -> Bool { false }
}

/// Changes a picture in place.
public protocol VideoEffect: Effect {
    /// The pixels it works on; the core converts. `yuv420` costs nothing, `rgba` a conversion each way. An effect that
    /// makes parts of a picture transparent asks for `yuva420`; what lies behind shows there.
    static var pixelFormat: PixelFormat { get }

    /// `frame` has the canvas' size and `pixelFormat`; where `yuv420` is asked for, a clip with alpha keeps its fourth
    /// plane (`yuva420`). Writing copies it first when somebody else still needs it.
    func process(_ frame: inout VideoFrame, at time: EffectTime) throws
}

extension VideoEffect {
    public static var pixelFormat: PixelFormat { .yuv420 }
}

/// Puts a small picture over the canvas.
public protocol OverlayEffect: Effect {
    /// The picture and its place at a time, or nil for nothing.
    func overlay(at time: EffectTime) throws -> Overlay?

    /// Captions that the movie is to hold as a track of its own; nil for none. Asked for once, after `init`.
    var subtitles: SubtitleTrack? { get }
}

extension OverlayEffect {
    public var subtitles: SubtitleTrack? { nil }
}

/// An overlay effect that may show several pictures at once, each in its own place.
package protocol OverlaysEffect: OverlayEffect {
    /// The pictures at a time, the lowest first; `overlay(at:)`, which is not called then, gives the first.
    func overlays(at time: EffectTime) throws -> [Overlay]
}

/// Changes sound in place. Blocks come in order from the start of the effect's range to its end, of any length.
public protocol AudioEffect: Effect {
    /// `buffer` is stereo at 48 kHz; it holds the mix of everything below. `time.index` is its first sample.
    func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws
}

/// A sound effect that gives way to other sound, or to which others give way.
public protocol ListeningAudioEffect: AudioEffect {
    /// Whether it adds a voice, which listeners hear even from above. It must do nothing but add then. Does not change.
    var isVoice: Bool { get }
    /// Whether it wants to hear other sound. Does not change.
    var listens: Bool { get }

    /// As `process(_:at:)`, which is not called then.
    /// - Parameter heard: the mix of everything below, and the voices above; as long as `buffer`.
    func process(_ buffer: inout AudioBuffer, hearing heard: AudioBuffer, at time: EffectTime) throws
}

/// Leads from one clip's picture to the next.
public protocol TransitionEffect: Effect {
    /// - Parameters:
    ///   - from: the outgoing picture; the result is written here.
    ///   - to: the incoming picture, of the same size and format (`yuv420`).
    ///   - progress: 0…1, eased.
    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) throws
}
