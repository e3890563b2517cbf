/// One compressed picture or block of sound.
public struct EncodedPacket: Sendable {
    public var data: [UInt8]
    /// Presentation and decoding time: frames from the start of the span, or samples from the start of the sound. The
    /// decoding time may lie before the start, where later pictures are coded first.
    public var pts: Int64
    public var dts: Int64
    public var duration: Int64
    public var isKey: Bool

    public init(data: [UInt8], pts: Int64, dts: Int64, duration: Int64, isKey: Bool) {
        self.data = data
        self.pts = pts
        self.dts = dts
        self.duration = duration
        self.isKey = isKey
    }
}

/// Opens encoders and writes movies: what the core asks of whoever knows codecs and containers. Safe on any thread.
public protocol MovieBackend: Sendable {
    /// Finds the encoders and checks every setting.
    /// - Throws: `EditorError` `.invalidData` for names that nobody knows and values that do not go together,
    ///   `.unavailable` for codecs that are not installed.
    func format(for settings: ExportSettings) throws -> any MovieFormat
}

/// A checked way to encode and write. Equal settings give equal bytes. Safe on any thread.
public protocol MovieFormat: Sendable {
    /// Whatever the bytes of a span, or of the sound, depend on besides the pictures and samples.
    var pictureIdentity: String { get }
    var soundIdentity: String { get }
    /// Names of the codecs; nil in a container without such a stream.
    var videoCodec: String? { get }
    var audioCodec: String? { get }
    /// Threads that one span's encoder works with. Part of the format and not of the run, so that the bytes are the same
    /// on every machine.
    var encoderThreads: Int { get }
    /// What the settings came to that the user may want to know.
    var findings: [Finding] { get }

    /// How the encoder understood the speed and quality that were asked for, where it has other words for them.
    var note: String? { get }

    /// A fresh encoder for one span; belongs to one thread.
    func makeSpanEncoder() throws -> any SpanEncoder
    /// A fresh encoder for the whole sound.
    func makeSoundEncoder() throws -> any SoundEncoder
    /// Starts a movie file. Nothing stands under `path` itself before the writer is finished.
    /// - Parameters:
    ///   - replacing: whether a file that has the name already gives way then; else finishing fails with
    ///     `.cannotCreateOutput`.
    ///   - subtitles: tracks of captions that it holds.
    func makeWriter(path: String, replacing: Bool, subtitles: [SubtitleTrack]) throws -> any MovieWriter
}

/// Encodes the pictures of one span into a closed group of pictures.
public protocol SpanEncoder: AnyObject {
    func encode(_ frame: VideoFrame) throws
    /// All packets of the span, in coding order.
    func finish() throws -> [EncodedPacket]
}

/// Encodes sound, 48 kHz stereo, block after block.
public protocol SoundEncoder: AnyObject {
    func encode(_ buffer: AudioBuffer) throws
    func finish() throws -> [EncodedPacket]
}

/// Writes one movie file. It appears whole or not at all.
public protocol MovieWriter: AnyObject {
    /// - Parameter firstFrame: number of the movie's frame that the span begins with.
    func writeSpan(_ packets: [EncodedPacket], firstFrame: Int) throws
    /// To be called once, before the first span.
    func writeSound(_ packets: [EncodedPacket]) throws
    /// Completes the file and gives it its name.
    func finish() throws
    /// Removes what was written so far. Does nothing after `finish`.
    func abandon()
}

/// Keeps encoded spans from one run to the next. Entries are whole or not there. Safe on any thread.
public protocol SpanStore: Sendable {
    func contains(_ name: Fingerprint) -> Bool
    /// nil when there is no such entry, or when it is damaged.
    func load(_ name: Fingerprint) -> [EncodedPacket]?
    func save(_ packets: [EncodedPacket], as name: Fingerprint) throws
    /// Forgets an entry, if there is one.
    func remove(_ name: Fingerprint)
}

extension MovieFormat {
    public var note: String? { nil }
}
