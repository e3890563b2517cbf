public import EditorCore

/// What a config says about a piece of music.
public struct MusicParameters: ParameterSet {
    /// A sound file; a whole number is kept as its digits, the place in the config's list of recommended music.
    public var source = AssetReference(path: "", kind: .audio)
    /// Factor for amplitudes, 0…2.
    public var volume: AnimatedNumber = 0.5
    /// When the music begins, on the movie's clock; never before the effect's `timeRange`.
    public var start: MediaTime = .zero
    /// What is skipped of the file's beginning, each time round.
    public var sourceStart: MediaTime = .zero
    public var loop: MusicLoop = .forever
    public var loopCrossfade: MediaTime = .zero
    public var fadeIn: MediaTime = .zero
    /// nil is no fade, but for 10 ms where the movie's end cuts the music off.
    public var fadeOut: MediaTime?
    public var fadeCurve = FadeCurve.linear
    public var role = MusicRole.music
    /// nil leaves the music as loud as it is under other sound.
    public var duck: DuckingParameters?
    /// Integrated loudness in LUFS that the whole file is brought to before `volume`; nil takes it as it is.
    public var loudness: Double?

    public init() {}

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "source", \.source, .sound, required: true,
            help: "The sound file, or a title or the number of an entry in recommendMusicList."),
        .init(
            "volume", \.volume, ParameterType<Double>.gain().animated(),
            help: "0 is silent, 1 as loud as the file; \"-6dB\" does as well."),
        .init(
            "start", \.start, .seconds(), unit: "seconds",
            help: "When the music begins in the movie; within timeRange, if there is one."),
        .init(
            "sourceStart", \.sourceStart, .seconds(), unit: "seconds", help: "Skips this much of the file's beginning."),
        .init(
            "loop", \.loop, .musicLoop,
            help: "true plays the file again and again, false once, a whole number as many times."),
        .init(
            "loopCrossfade", \.loopCrossfade, .seconds(in: 0...60), unit: "seconds",
            help: "How long the end of one round sounds into the next, at equal power; at most half of a round."),
        .init(
            "fadeIn", \.fadeIn, .seconds(), unit: "seconds", help: "How long the music takes to rise at its beginning."),
        .init(
            "fadeOut", \.fadeOut, .optional(.seconds()), unit: "seconds",
            help: "How long the music takes to fall at its end; null is 10 ms at the movie's end, elsewhere none."),
        .init("fadeCurve", \.fadeCurve, .choice, help: "The shape of both fades."),
        .init(
            "role", \.role, .choice,
            help: "voice makes it a voice-over, to which all music that ducks gives way."),
        .init(
            "duck", \.duck, .ducking,
            help:
                "true turns the music down while the clips, the sound below it or a voice are loud; an object says how."
        ),
        .init(
            "loudness", \.loudness, .optional(.number(in: -70 ... -5)), unit: "LUFS",
            help: "Brings the whole file to this integrated loudness before volume; null takes it as it is."),
    ]
}

/// What a piece of music is to the others.
public enum MusicRole: String, Sendable, Hashable, CaseIterable {
    case music
    /// A voice-over.
    case voice
}

/// How often a piece of music is played.
public enum MusicLoop: Sendable, Hashable {
    case forever
    case times(Int)

    /// nil is without end.
    var count: Int? { if case .times(let count) = self { count } else { nil } }
}

/// How music gives way to other sound.
public struct DuckingParameters: ParameterSet, Hashable {
    /// Level of the other sound from which it counts, RMS in dBFS.
    public var threshold = -30.0
    /// What happens to the music meanwhile, in dB.
    public var attenuation = -12.0
    /// Milliseconds from the last other sound until the music is back.
    public var fadeIn = 1500.0
    /// Milliseconds in which the music goes down.
    public var fadeOut = 250.0

    public init() {}

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "threshold", \.threshold, .number(in: -80...0), unit: "dBFS",
            help: "Level (RMS) of the sound below from which the music goes down."),
        .init("attenuation", \.attenuation, .number(in: -60...0), unit: "dB", help: "How far the music goes down."),
        .init(
            "fadeIn", \.fadeIn, .number(in: 0...60_000), unit: "milliseconds",
            help: "How long the music takes to come back, counted from the last loud sound."),
        .init(
            "fadeOut", \.fadeOut, .number(in: 0...60_000), unit: "milliseconds",
            help: "How long the music takes to go down."),
    ]
}

extension ParameterType where Value == AssetReference {
    /// A sound file's path, or a whole number that stands for one.
    static var sound: Self {
        let path = ParameterType.file(.audio)
        return ParameterType(
            name: "audio file", schema: ["anyOf": [path.schema, ["type": "integer", "minimum": 0]]],
            read: { value, pointer, reading in
                switch value {
                case .string: return path.read(value, pointer, &reading)
                case .number(let number) where number >= 0 && number < 1e6 && number == number.rounded():
                    return path.read(.string(String(Int(number))), pointer, &reading)
                default:
                    reading.wrongType(value, at: pointer, wanted: "a path, a title or a whole number")
                    return nil
                }
            },
            write: path.write)
    }
}

extension ParameterType where Value == MusicLoop {
    static var musicLoop: Self {
        let times = ParameterType<Int>.integer(in: 1...1_000_000)
        return ParameterType(
            name: "boolean or whole number", range: "1…1000000",
            schema: ["anyOf": [["type": "boolean"], times.schema]],
            read: { value, pointer, reading in
                switch value {
                case .bool(let flag): return flag ? .forever : .times(1)
                case .number: return times.read(value, pointer, &reading).map { .times($0) }
                default:
                    reading.wrongType(value, at: pointer, wanted: "true, false or a whole number")
                    return nil
                }
            },
            write: { $0.count.map { $0 == 1 ? false : .number(Double($0)) } ?? true })
    }
}

extension ParameterType where Value == DuckingParameters? {
    /// true, false or an object.
    static var ducking: Self {
        let object = ParameterType<DuckingParameters>.object(DuckingParameters.self)
        return ParameterType(
            name: "boolean or object", schema: ["anyOf": [["type": "boolean"], object.schema]],
            read: { value, pointer, reading in
                switch value {
                case .bool(let flag): return .some(flag ? DuckingParameters() : nil)
                case .object: return object.read(value, pointer, &reading).map(Optional.some)
                default:
                    reading.wrongType(
                        value, at: pointer, wanted: "true, false or an object {threshold, attenuation, fadeIn, fadeOut}"
                    )
                    return nil
                }
            },
            write: { $0.map(object.write) ?? false })
    }
}
