internal import CFFmpeg
public import EditorCore

/// Writes sound alone as WAV or FLAC with 24 bits, or as M4A, by the name's ending. The file appears whole or not at all.
/// Belongs to one thread.
public final class SoundFileWriter {
    /// The endings that can be written.
    public static let endings = ["wav", "flac", "m4a"]

    private let encoder: SoundTrackEncoder
    private let muxer: Muxer
    /// Name of the codec.
    public let codec: String

    /// - Parameters:
    ///   - replacing: whether a file that has the name already gives way at the end.
    ///   - settings: the bit rate and the sample rate are taken from them.
    /// - Throws: `EditorError`: `.usage` for another ending, `.cannotCreateOutput`, `.unavailable` without an encoder.
    public init(path: String, replacing: Bool, settings: ExportSettings) throws {
        FFmpegLog.install()
        let (name, container) =
            switch try Self.ending(of: path) {
            case "wav": ("pcm_s24le", "wav")
            case "flac": ("flac", "flac")
            default: ("aac", "ipod")
            }
        guard let found = EncoderChoice.encoder(named: name) else {
            throw EditorError(.unavailable, "this libavcodec has no encoder \(name), which \(path) needs")
        }
        let sound = try SoundSettings(settings, codec: found, needsGlobalHeader: container == "ipod")
        encoder = try SoundTrackEncoder(sound)
        codec = CodecCatalog.name(of: found.pointee.id)
        muxer = try Muxer(
            path: path, replacing: replacing, format: container, video: nil, sound: try sound.makeEncoder(),
            frameRate: .one,
            options: container == "ipod" ? [("movflags", "+faststart")] : [])
    }

    /// The ending of a path, if it is one of `endings`.
    /// - Throws: `EditorError` `.usage`.
    public static func ending(of path: String) throws -> String {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        guard endings.contains(ending) else {
            throw EditorError(.usage, "\(path) must end in .\(endings.joined(separator: ", ."))")
        }
        return ending
    }

    /// Appends 48 kHz stereo.
    public func write(_ buffer: AudioBuffer) throws {
        try encoder.encode(buffer)
        try muxer.writeSoundNow(encoder.takePackets())
    }

    /// Completes the file and gives it its name.
    public func finish() throws {
        try muxer.writeSoundNow(try encoder.finish())
        try muxer.finish()
    }

    /// Removes what was written so far.
    public func abandon() { muxer.abandon() }
}
