/// How the movie is encoded; refines `exportPreset`. nil leaves the choice to the preset and the container.
public struct ExportConfiguration: ParameterSet, Hashable {
    /// Name of a codec or of an encoder, such as `h264` or `libx265`.
    public var videoCodec: String?
    /// Constant rate factor, 0…63; lower is better.
    public var crf: Double?
    /// Speed of the encoder in x264's words.
    public var preset: String?
    /// Bits a second; in place of `crf`.
    public var videoBitRate: Int?
    /// Name of a codec or of an encoder, such as `aac`.
    public var audioCodec: String?
    /// Bits a second.
    public var audioBitRate: Int?
    /// Seconds from one key frame to the next, 0.1…30.
    public var keyFrameInterval = MediaTime(value: 2, timescale: 1)
    /// A name of libavutil's, such as `yuv420p`.
    public var pixelFormat: String?
    /// Hertz.
    public var sampleRate: Int?
    /// Private options of the encoders, by name.
    public var options: [String: String] = [:]

    public init() {}

    /// x264's speeds, fastest first.
    public static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "videoCodec", \.videoCodec, .optional(.name),
            help: "Codec or encoder of the picture, such as h264; null suits the container."),
        .init(
            "crf", \.crf, .optional(.number(in: 0...63)),
            help: "Constant rate factor: 0 is the best the codec has, higher is smaller and worse."),
        .init(
            "preset", \.preset, .optional(.word(presets)),
            help: "Speed of the encoder in x264's words; other encoders take their nearest."),
        .init(
            "videoBitRate", \.videoBitRate, .optional(.integer(in: 1000...1_000_000_000)), unit: "bits a second",
            help: "Size of the picture's stream, in place of crf."),
        .init(
            "audioCodec", \.audioCodec, .optional(.name),
            help: "Codec or encoder of the sound, such as aac; null suits the container."),
        .init(
            "audioBitRate", \.audioBitRate, .optional(.integer(in: 8000...2_000_000)), unit: "bits a second",
            help: "Size of the sound's stream."),
        .init(
            "keyFrameInterval", \.keyFrameInterval, .seconds(in: 0.1...30), unit: "seconds",
            help: "How far key frames lie apart."),
        .init(
            "pixelFormat", \.pixelFormat, .optional(.name), help: "Pixel format of the movie, such as yuv420p."),
        .init(
            "sampleRate", \.sampleRate, .optional(.integer(in: 8000...192_000)), unit: "hertz",
            help: "Sample rate of the movie's sound."),
        .init("options", \.options, .options, help: "Options of the encoders by name, such as {\"tune\": \"film\"}."),
    ]
}

extension ParameterType where Value == [String: String] {
    /// An object of strings, numbers and booleans, kept as the words an encoder takes.
    static var options: Self {
        ParameterType(
            name: "object",
            schema: ["type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]]],
            read: { value, pointer, reading in
                guard case .object(let members) = value else {
                    reading.wrongType(value, at: pointer, wanted: "an object")
                    return nil
                }
                var result: [String: String] = [:]
                for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                    switch member {
                    case .string(let text): result[key] = text
                    case .number(let number) where number.isFinite: result[key] = JSONValue.number(number).text()
                    case .bool(let flag): result[key] = flag ? "1" : "0"
                    default:
                        reading.wrongType(member, at: pointer.appending(key), wanted: "a string or a number")
                    }
                }
                return result
            },
            write: { .object($0.mapValues { .string($0) }) })
    }
}
