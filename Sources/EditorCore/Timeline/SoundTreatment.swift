/// A voice that a clip's sound is given.
public enum VoiceEffect: String, Sendable, Hashable, CaseIterable {
    /// All on one pitch.
    case robot
    /// Eight semitones up, with the size of the throat.
    case chipmunk
    /// Five semitones down, with the size of the throat.
    case deep
    /// Two echoes, 130 and 260 ms later.
    case echo

    /// Semitones that the voice is moved by.
    public var pitch: Double {
        switch self {
        case .chipmunk: 8
        case .deep: -5
        case .robot, .echo: 0
        }
    }
}

/// What is done to a clip's sound besides its speed and its volume.
public struct SoundTreatment: Sendable, Hashable {
    /// Semitones up, or down below 0; the length stays.
    public var pitch = 0.0
    public var voice: VoiceEffect?
    /// How much of the steady noise is taken away, 0…1.
    public var denoise = 0.0

    public init(pitch: Double = 0, voice: VoiceEffect? = nil, denoise: Double = 0) {
        (self.pitch, self.voice, self.denoise) = (pitch, voice, denoise)
    }
}

extension ParameterType where Value == Double {
    /// A number of 0…1, or a boolean: false is 0, true `usual`.
    static func strength(usual: Double) -> Self {
        let number = ParameterType.number(in: 0...1)
        return ParameterType(
            name: "number or boolean", range: number.range, schema: ["anyOf": [number.schema, ["type": "boolean"]]],
            read: { value, pointer, reading in
                switch value {
                case .bool(let flag): return flag ? usual : 0
                case .number: return number.read(value, pointer, &reading)
                default:
                    reading.wrongType(value, at: pointer, wanted: "a number of 0 to 1, true or false")
                    return nil
                }
            },
            write: { .number($0) })
    }
}
