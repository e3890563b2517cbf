public import EditorCore

/// What the camera screen is doing; the names are SDVideoCamera's.
public enum RecordingState: String, Sendable, Hashable {
    /// Nothing is recorded yet.
    case idle
    case inProgress
    /// There are segments, and room for more.
    case pause
    /// The longest recording is reached, or the session is over.
    case stop
}

/// A session as its file holds it: everything that is needed to go on after a crash.
public struct SessionRecord: Sendable, Hashable {
    /// Tells it from other sessions; part of the segments' names.
    public var id: String
    /// Seconds since 1970.
    public var created: Double
    public var state = RecordingState.idle
    /// The longest recording; nil is without a limit.
    public var limit: MediaTime?
    /// Size and rate of the segments' pictures.
    public var size: PixelSize
    public var frameRate: Rational
    /// The config that the session was begun with; absolute. nil is none.
    public var configPath: String?
    public var segments: [RecordedSegment] = []
    /// The segment that is being recorded.
    public var running: Running?
    /// Number of the next segment; never used twice, so that no file takes the place of another.
    public var nextNumber = 1

    /// A segment that is not ended.
    public struct Running: Sendable, Hashable {
        public var path: String
        public var speed: Rational
        public var camera: String
        public var musicTime: MediaTime?

        package init(path: String, speed: Rational, camera: String, musicTime: MediaTime?) {
            (self.path, self.speed, self.camera, self.musicTime) = (path, speed, camera, musicTime)
        }
    }

    public init(
        id: String, created: Double, limit: MediaTime?, size: PixelSize, frameRate: Rational, configPath: String?
    ) {
        (self.id, self.created, self.limit) = (id, created, limit)
        (self.size, self.frameRate, self.configPath) = (size, frameRate, configPath)
    }

    /// Length of the merged movie so far.
    public var duration: MediaTime { segments.reduce(.zero) { $0 + $1.duration } }

    /// What is left of the longest recording; nil without a limit.
    public var left: MediaTime? { limit.map { max(.zero, $0 - duration) } }

    /// Appends a segment, and gives it its share.
    package mutating func append(_ segment: RecordedSegment) {
        segments.append(segment)
        updateShares()
    }

    mutating func updateShares() {
        var end = MediaTime.zero
        let whole = (limit ?? duration).seconds
        for index in segments.indices {
            end = end + segments[index].duration
            segments[index].durationWeight = whole > 0 ? segments[index].duration.seconds / whole : 0
            segments[index].progress = whole > 0 ? end.seconds / whole : 0
        }
    }

    private static let version = 1.0

    public var json: JSONValue {
        [
            "version": .number(Self.version), "id": .string(id), "created": .number(created),
            "state": .string(state.rawValue), "maxVideoDuration": limit.map { .number($0.seconds) } ?? .null,
            "width": .number(Double(size.width)), "height": .number(Double(size.height)),
            "frameRate": .string(frameRate.description), "config": configPath.map { .string($0) } ?? .null,
            "duration": .number(duration.seconds), "nextNumber": .number(Double(nextNumber)),
            "segments": .array(segments.map(\.json)),
            "running": running.map {
                [
                    "path": .string($0.path), "speed": .string($0.speed.description), "camera": .string($0.camera),
                    "musicTime": $0.musicTime.map { .number($0.seconds) } ?? .null,
                ]
            } ?? .null,
        ]
    }

    /// - Throws: `EditorError` `.invalidData` that names the file.
    package init(_ json: JSONValue, path: String) throws {
        guard case .string(let id)? = json["id"], let width = json.number("width"),
            let height = json.number("height"), case .string(let rate)? = json["frameRate"],
            let frameRate = Rational(rate), frameRate.numerator > 0, (2...16384).contains(width),
            (2...16384).contains(height), json.number("version") == Self.version
        else {
            throw EditorError(.invalidData, "\(path) is no session of this editor; editor record --list shows those")
        }
        self.id = id
        created = json.number("created") ?? 0
        if case .string(let word)? = json["state"] { state = RecordingState(rawValue: word) ?? .pause }
        limit = json.number("maxVideoDuration").flatMap { MediaTime(decimal: $0) }
        size = PixelSize(width: Int(width), height: Int(height))
        self.frameRate = frameRate
        if case .string(let path)? = json["config"] { configPath = path }
        if case .array(let list)? = json["segments"] { segments = list.compactMap(RecordedSegment.init) }
        nextNumber = max(1, Int(json.number("nextNumber") ?? 1))
        if let value = json["running"], case .string(let path)? = value["path"] {
            var running = Running(path: path, speed: .one, camera: "", musicTime: nil)
            if case .string(let text)? = value["speed"] { running.speed = Rational(text) ?? .one }
            if case .string(let text)? = value["camera"] { running.camera = text }
            running.musicTime = value.number("musicTime").flatMap { MediaTime(decimal: $0) }
            self.running = running
        }
        updateShares()
    }
}
