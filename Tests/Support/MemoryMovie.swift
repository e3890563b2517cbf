public import EditorCore
internal import Synchronization

/// Movies and spans in memory: "encodes" pictures and samples by keeping their bytes.
public final class MemoryMovie: MovieBackend, MovieFormat, SpanStore {
    private struct State {
        var movies: [String: [UInt8]] = [:]
        var spans: [Fingerprint: [EncodedPacket]] = [:]
        var encodedFrames = 0
        var begun = 0
        var abandoned = 0
    }

    private let state = Mutex(State())
    public let audioCodec: String?
    public let pictureIdentity: String
    /// Called before each picture is kept.
    private let watch: @Sendable (_ encodedFrames: Int) throws -> Void

    public init(
        hasSound: Bool = true, pictureIdentity: String = "memory",
        watch: @escaping @Sendable (_ encodedFrames: Int) throws -> Void = { _ in }
    ) {
        audioCodec = hasSound ? "samples" : nil
        self.pictureIdentity = pictureIdentity
        self.watch = watch
    }

    public var soundIdentity: String { "memory" }
    public var videoCodec: String? { "pixels" }
    public var encoderThreads: Int { 1 }
    public var findings: [Finding] { [] }

    /// Finished movies by path.
    public var movies: [String: [UInt8]] { state.withLock { $0.movies } }
    public var spanNames: Set<Fingerprint> { state.withLock { Set($0.spans.keys) } }
    public var encodedFrames: Int { state.withLock { $0.encodedFrames } }
    public var abandonedCount: Int { state.withLock { $0.abandoned } }

    /// Forgets some kept spans.
    public func forget(_ names: some Sequence<Fingerprint>) {
        state.withLock { state in for name in names { state.spans[name] = nil } }
    }

    public func format(for settings: ExportSettings) throws -> any MovieFormat { self }
    public func makeSpanEncoder() throws -> any SpanEncoder { PixelEncoder(self) }
    public func makeSoundEncoder() throws -> any SoundEncoder { SampleEncoder() }
    public func makeWriter(path: String, replacing: Bool, subtitles: [SubtitleTrack]) throws -> any MovieWriter {
        MemoryWriter(self, path: path)
    }

    public func contains(_ name: Fingerprint) -> Bool { state.withLock { $0.spans[name] != nil } }
    public func load(_ name: Fingerprint) -> [EncodedPacket]? { state.withLock { $0.spans[name] } }
    public func remove(_ name: Fingerprint) { state.withLock { $0.spans[name] = nil } }

    public func save(_ packets: [EncodedPacket], as name: Fingerprint) throws {
        state.withLock { $0.spans[name] = packets }
    }

    fileprivate func countFrame() throws {
        try watch(
            state.withLock { state in
                state.encodedFrames += 1
                return state.encodedFrames
            })
    }

    fileprivate func finish(_ path: String, _ bytes: [UInt8]) { state.withLock { $0.movies[path] = bytes } }
    fileprivate func abandon() { state.withLock { $0.abandoned += 1 } }
}

private final class PixelEncoder: SpanEncoder {
    private let movie: MemoryMovie
    private var packets: [EncodedPacket] = []

    init(_ movie: MemoryMovie) { self.movie = movie }

    func encode(_ frame: VideoFrame) throws {
        try movie.countFrame()
        let bytes = (0..<frame.format.planeCount).flatMap { SyntheticFrames.bytes(of: frame, plane: $0) }
        let number = Int64(packets.count)
        packets.append(EncodedPacket(data: bytes, pts: number, dts: number, duration: 1, isKey: number == 0))
    }

    func finish() throws -> [EncodedPacket] { packets }
}

private final class SampleEncoder: SoundEncoder {
    private var samples: [Float] = []

    func encode(_ buffer: AudioBuffer) throws {
        for i in 0..<buffer.sampleCount { samples += buffer.channels.map { $0[i] } }
    }

    func finish() throws -> [EncodedPacket] {
        let bytes = samples.flatMap { sample in (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> ($0 * 8)) }
        }
        return [EncodedPacket(data: bytes, pts: 0, dts: 0, duration: Int64(samples.count / 2), isKey: true)]
    }
}

private final class MemoryWriter: MovieWriter {
    private let movie: MemoryMovie
    private let path: String
    private var bytes: [UInt8] = []
    private var isFinished = false

    init(_ movie: MemoryMovie, path: String) { (self.movie, self.path) = (movie, path) }

    func writeSound(_ packets: [EncodedPacket]) throws { append("sound", packets, 0) }
    func writeSpan(_ packets: [EncodedPacket], firstFrame: Int) throws { append("span", packets, firstFrame) }

    private func append(_ word: String, _ packets: [EncodedPacket], _ first: Int) {
        for packet in packets {
            bytes += Array("\(word) \(packet.pts + Int64(first)) \(packet.isKey)\n".utf8)
            bytes += packet.data
        }
    }

    func finish() throws {
        isFinished = true
        movie.finish(path, bytes)
    }

    func abandon() { if !isFinished { movie.abandon() } }
}
