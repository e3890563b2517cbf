/// One clip of `assetArray`.
public struct ClipConfiguration: ParameterSet, Hashable {
    /// Relative paths are relative to the config's folder. Empty for a generator.
    public var path = ""
    /// The effect that makes the clip's pictures in place of a file.
    public var generator: EffectConfiguration?
    /// The part of the source that is used, counted from its first picture; nil is all of it. Of an overlay clip: when
    /// it shows on the composed timeline; nil is from where the clip before it begins, for as long as it is.
    public var timeRange: TimeRange?
    /// The part of the source that an overlay clip uses; nil is all of it.
    public var sourceRange: TimeRange?
    /// How long it shows, in seconds. A still needs it; a movie that is shorter holds its last picture, a longer one is cut.
    public var duration: MediaTime?
    /// How it is fitted; nil is the config's `videoGravity`.
    public var videoGravity: VideoGravity?
    /// Factor on its sound, 0…2, over the time of the placed clip.
    public var volume: AnimatedNumber = 1
    /// How many times faster it runs, 0.1…10.
    public var speed = Rational.one
    /// Whether it runs backwards.
    public var reverse = false
    /// How it leads into the next clip; nil is a cut.
    public var transition: TransitionConfiguration?
    /// Effects on this clip alone, first is lowest.
    public var effects: [EffectConfiguration] = []
    /// Which of the source's sound streams is heard, from 0; nil is the best one.
    public var audioStream: Int?
    /// Seconds its last picture stands on after its end; nil is none.
    public var hold: MediaTime?
    /// A slow move over the picture; nil is none.
    public var kenBurns: KenBurns?
    /// Whether it lies over the clips before it, from where the one before it begins, instead of following them.
    public var overlay = false
    /// Where the middle of an overlay clip lies, over the time of the placed clip.
    public var center = Animated(Point(0.5, 0.5))
    /// How wide an overlay clip is, over the time of the placed clip; nil fits it to the canvas.
    public var width: Animated<Length>?
    /// Whether its sound is left out.
    public var mute = false
    /// Semitones that its sound is moved up by, -24…24.
    public var pitch = 0.0
    /// A voice that its sound is given; nil is its own.
    public var voice: VoiceEffect?
    /// How much of its steady noise is taken away, 0…1.
    public var denoise = 0.0
    /// Where it stands in the config.
    public var pointer = JSONPointer()

    public init() {}

    public init(path: String, pointer: JSONPointer = JSONPointer()) {
        self.path = path
        self.pointer = pointer
    }

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "path", \.path, .path, help: "A movie, an animation or a still image. Needed where there is no generator."),
        .init(
            "generator", \.generator, .optional(.effect),
            help:
                "In place of a path: an effect that makes pictures of its own over the whole canvas, such as a frei0r "
                + "source or a text; 3 seconds where there is no duration."),
        .init(
            "timeRange", \.timeRange, .optional(.timeRange),
            help:
                "The part of the source that is used, counted from its first picture; null is all of it. Of an overlay "
                + "clip: when it shows on the composed timeline; its last picture is held if it is shorter."),
        .init(
            "sourceRange", \.sourceRange, .optional(.timeRange),
            help: "The part of the source that an overlay clip uses, counted from its first picture; null is all of it."
        ),
        .init(
            "duration", \.duration, .optional(.seconds(in: 0.001...86_400)), unit: "seconds",
            help: "How long it shows: a still for so long, a shorter movie holds its last picture, a longer one is cut."
        ),
        .init(
            "videoGravity", \.videoGravity, .optional(.choice),
            help: "How it is fitted to the canvas; null is the config's videoGravity."),
        .init(
            "volume", \.volume, .animated(.gain(in: 0...2)),
            unit: "times the recorded level, or dB",
            help: "Loudness of its sound: 0 is silence, 1 as recorded, 2 twice as much, \"-6dB\" about half."),
        .init("speed", \.speed, .factor(in: 0.1...10), help: "How many times faster it runs; sound keeps its pitch."),
        .init("reverse", \.reverse, .bool, help: "Whether it runs backwards, sound too."),
        .init(
            "transition", \.transition, .optional(.transition), help: "How it leads into the next clip; null is a cut."),
        .init("effects", \.effects, .lenientList(of: .effect), help: "Effects on this clip alone, first is lowest."),
        .init(
            "audioStream", \.audioStream, .optional(.integer(in: 0...63)),
            help: "Which of the source's sound streams is heard, from 0; null is the best one."),
        .init(
            "hold", \.hold, .optional(.seconds(in: 0...86_400)), unit: "seconds",
            help: "How long its last picture stands on after its end."),
        .init("kenBurns", \.kenBurns, .optional(.object(KenBurns.self)), help: "A slow move over the picture."),
        .init(
            "overlay", \.overlay, .bool,
            help:
                "Whether it lies over the others, at its timeRange or from where the clip before it begins, instead of "
                + "following that one."),
        .init(
            "center", \.center, .animated(.point), unit: "fractions of the canvas",
            help: "Where the middle of an overlay clip lies."),
        .init(
            "width", \.width, .optional(.animated(.length(in: 0.001...10))), unit: "fractions of the canvas width",
            help: "How wide an overlay clip is; null fits it to the canvas."),
        .init("mute", \.mute, .bool, help: "Whether its sound is left out."),
        .init(
            "pitch", \.pitch, .number(in: -24...24), unit: "semitones",
            help: "Moves its sound up, or down below 0; its length stays."),
        .init(
            "voice", \.voice, .optional(.choice),
            help:
                "A voice that its sound is given: robot is all on one pitch, chipmunk high, deep low, echo repeats it twice."
        ),
        .init(
            "denoise", \.denoise, .strength(usual: 0.5),
            help:
                "How much of its steady noise is taken away: 1 is 40 dB, true 20; what it is, is learnt from its quietest "
                + "stretch."),
    ]
}

extension ClipConfiguration {
    /// The schema with the rule that `check` holds to.
    static var wholeSchema: JSONValue {
        guard case .object(var members) = schema() else { return schema() }
        let isGenerated: [String: JSONValue] = [
            "required": ["generator"], "properties": ["generator": ["type": "object"]],
        ]
        members["if"] = .object(isGenerated)
        members["then"] = ["not": ["required": ["path"]]]
        members["else"] = ["required": ["path"]]
        return .object(members)
    }

    /// What messages call it.
    public var name: String { generator?.type ?? path }

    public func check(given: Set<String>, at pointer: JSONPointer, into reading: inout ParameterReading) {
        switch (given.contains("path"), given.contains("generator")) {
        case (false, false):
            reading.error(
                "config.missing", at: pointer, "path is missing", hint: "a clip has a path, or a generator in its place"
            )
        case (true, true):
            reading.error(
                "config.twoChoices", at: pointer.appending("generator"), "a clip has a path or a generator, not both",
                hint: "leave one of them out")
        default: break
        }
    }
}

/// A slow move over a picture, from one framing to another, linear over the clip's length.
public struct KenBurns: ParameterSet, Hashable {
    /// What the canvas shows of the fitted picture.
    public struct Framing: ParameterSet, Hashable {
        /// The place that lies in the middle of the canvas, as fractions of the fitted picture.
        public var center = Point(0.5, 0.5)
        /// How many times larger than fitted; 1…10.
        public var zoom = 1.0

        public init() {}

        public init(center: Point = Point(0.5, 0.5), zoom: Double) { (self.center, self.zoom) = (center, zoom) }

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "center", \.center, .point,
                help: "The place in the middle of the canvas, as fractions of the fitted picture."),
            .init("zoom", \.zoom, .number(in: 1...10), help: "How many times larger than fitted."),
        ]
    }

    public var from = Framing()
    public var to = Framing(zoom: 1.2)

    public init() {}

    public static let specs: [ParameterSpec<Self>] = [
        .init("from", \.from, .object(Framing.self), help: "What is seen when the clip begins."),
        .init("to", \.to, .object(Framing.self), help: "What is seen when the clip ends."),
    ]
}

extension ParameterType where Value == ClipConfiguration {
    /// A path, or an object with a `path`.
    static var clip: Self {
        ParameterType(
            name: "clip", schema: ["anyOf": [["type": "string", "minLength": 1], ClipConfiguration.wholeSchema]],
            read: { value, pointer, reading in
                switch value {
                case .string:
                    return ParameterType<String>.path.read(value, pointer, &reading).map {
                        ClipConfiguration(path: $0, pointer: pointer)
                    }
                case .object:
                    var clip = ClipConfiguration.read(value, at: pointer, into: &reading)
                    clip?.pointer = pointer
                    return clip
                default:
                    reading.wrongType(value, at: pointer, wanted: "a path or an object with a path")
                    return nil
                }
            },
            write: { .string($0.path) })
    }
}
