/// What a meter read of a sound.
public struct LoudnessReading: Sendable, Hashable {
    /// Integrated loudness as ITU-R BS.1770 and EBU R 128 define it, in LUFS; nil when nothing passes the gate at
    /// -70 LUFS, or when there is less than 400 ms.
    public var integrated: Double?
    /// The largest peak of both channels between the samples, in dBTP; nil when every sample is 0.
    public var truePeak: Double?

    public init(integrated: Double? = nil, truePeak: Double? = nil) {
        (self.integrated, self.truePeak) = (integrated, truePeak)
    }
}

/// Measures how loud a sound is. Belongs to one thread; its memory grows by some hundred kilobytes an hour at most.
public protocol LoudnessMeter: AnyObject {
    /// Takes the next samples of the sound: 48 kHz stereo, blocks of any length.
    func add(_ buffer: AudioBuffer) throws
    /// Of all that was added.
    func reading() throws -> LoudnessReading
}

/// How loud a whole movie is to be.
public struct LoudnessTarget: ParameterSet, Hashable {
    /// Integrated loudness in LUFS.
    public var target = -14.0
    /// The most that the true peak may be, in dBTP.
    public var truePeak = -1.0

    public init() {}

    public init(target: Double, truePeak: Double = -1) { (self.target, self.truePeak) = (target, truePeak) }

    /// Targets by name: what video platforms play at, what podcasts are delivered at, and EBU R 128.
    public static let presets: [(name: String, target: LoudnessTarget)] = [
        ("social", LoudnessTarget(target: -14)), ("podcast", LoudnessTarget(target: -16)),
        ("ebuR128", LoudnessTarget(target: -23)),
    ]

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "target", \.target, .number(in: -70 ... -5), unit: "LUFS",
            help: "Integrated loudness of the whole movie."),
        .init(
            "truePeak", \.truePeak, .number(in: -20...0), unit: "dBTP",
            help: "The most that the true peak may be; the limiter keeps it."),
    ]
}

extension ParameterType where Value == LoudnessTarget {
    /// A preset's name, or an object `{target, truePeak}`.
    static var loudnessTarget: Self {
        let names = LoudnessTarget.presets.map(\.name)
        let word = ParameterType<String>.word(names)
        let object = ParameterType<LoudnessTarget>.object(LoudnessTarget.self)
        return ParameterType(
            name: "object, or one of " + names.joined(separator: ", "),
            schema: ["anyOf": [word.schema, object.schema]],
            read: { value, pointer, reading in
                switch value {
                case .string:
                    return word.read(value, pointer, &reading).flatMap { name in
                        LoudnessTarget.presets.first { $0.name == name }?.target
                    }
                case .object: return object.read(value, pointer, &reading)
                default:
                    reading.wrongType(
                        value, at: pointer,
                        wanted: "an object {target, truePeak} or one of " + names.joined(separator: ", "))
                    return nil
                }
            },
            write: object.write)
    }
}
