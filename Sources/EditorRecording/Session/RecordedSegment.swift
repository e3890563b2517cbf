public import EditorCore

/// One recorded segment: SDVideoCamera's `SDVideoDataModel`, and what else is known of it.
public struct RecordedSegment: Sendable, Hashable {
    /// The movie's file; absolute.
    public var path: String
    /// How long it is in the merged movie, in seconds: pictures by their rate, by the speed.
    public var duration: MediaTime
    /// Share of the longest recording that is reached at its end, 0…1.
    public var progress: Double
    /// Its own share of the longest recording, 0…1.
    public var durationWeight: Double
    /// How many times faster than recorded it plays.
    public var speed = Rational.one
    /// Pictures in the file, those included in which one was held.
    public var frameCount: Int
    /// Places in which the picture before was held, as the camera gave none.
    public var heldCount = 0
    /// Pictures that the camera took and nobody got: lost by driver or bus, or damaged.
    public var lostCount = 0
    /// The camera it began with.
    public var camera: String
    /// How far apart the clocks of microphone and pictures would have run over the segment, in seconds; this was taken
    /// out.
    public var correctedDrift = 0.0
    /// The place in the music that was heard with the first picture; nil without music.
    public var musicTime: MediaTime?
    /// Whether it was found after a crash instead of having been ended.
    public var isRecovered = false

    package init(path: String, duration: MediaTime, frameCount: Int, camera: String) {
        (self.path, self.duration, self.frameCount, self.camera) = (path, duration, frameCount, camera)
        (progress, durationWeight) = (0, 0)
    }
}

extension RecordedSegment {
    package var json: JSONValue {
        [
            "path": .string(path), "duration": .number(duration.seconds), "progress": .number(progress),
            "durationWeight": .number(durationWeight), "speed": .string(speed.description),
            "frames": .number(Double(frameCount)), "held": .number(Double(heldCount)),
            "lost": .number(Double(lostCount)), "camera": .string(camera),
            "correctedDrift": .number(correctedDrift), "musicTime": musicTime.map { .number($0.seconds) } ?? .null,
            "recovered": .bool(isRecovered),
        ]
    }

    init?(_ json: JSONValue) {
        guard case .string(let path)? = json["path"], case .number(let duration)? = json["duration"],
            let time = MediaTime(decimal: duration), time > .zero
        else { return nil }
        self.path = path
        self.duration = time
        progress = json.number("progress") ?? 0
        durationWeight = json.number("durationWeight") ?? 0
        if case .string(let text)? = json["speed"], let speed = Rational(text), speed.numerator > 0 {
            self.speed = speed
        }
        frameCount = Int(json.number("frames") ?? 0)
        heldCount = Int(json.number("held") ?? 0)
        lostCount = Int(json.number("lost") ?? 0)
        if case .string(let text)? = json["camera"] { camera = text } else { camera = "" }
        correctedDrift = json.number("correctedDrift") ?? 0
        musicTime = json.number("musicTime").flatMap { MediaTime(decimal: $0) }
        if case .bool(let flag)? = json["recovered"] { isRecovered = flag }
    }
}

extension JSONValue {
    /// A number within what fits an `Int`.
    func number(_ key: String) -> Double? {
        guard case .number(let number)? = self[key], number.isFinite, abs(number) < 1e15 else { return nil }
        return number
    }
}
