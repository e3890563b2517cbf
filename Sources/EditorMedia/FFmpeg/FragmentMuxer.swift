internal import CFFmpeg
internal import EditorCore
internal import Glibc

/// Writes a movie in fragments, each readable as soon as it is in the file. Belongs to one thread.
final class FragmentMuxer {
    enum Track { case video, sound }

    /// What the pictures are.
    enum Pictures {
        case encoder(Encoder)
        case coded(CodedVideo)
    }

    private let path: String
    private let output: OutputContext
    private let flusher: FileFlusher
    private var streams: [Track: OutputContext.Stream] = [:]
    private var isIndexWritten = false
    /// Bytes up to the end of the last whole fragment.
    private var wholeSize: Int64 = 0

    /// Creates the file; what it holds is told by `begin`.
    /// - Throws: `EditorError` `.cannotCreateOutput` that names the file, `FFmpegError`.
    init(path: String) throws {
        self.path = path
        output = try OutputContext(format: "mp4", path: path)
        try output.createFile(calling: path)
        do {
            flusher = try FileFlusher(path)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Whether it is known what the file holds.
    var isBegun: Bool { !streams.isEmpty }

    func begin(_ pictures: Pictures, sound: Encoder?) throws {
        switch pictures {
        case .encoder(let encoder): streams[.video] = try output.addStream(encoder)
        case .coded(let video): streams[.video] = try video.addStream(to: output)
        }
        if let sound { streams[.sound] = try output.addStream(sound) }
        // The index is written with the first fragment, when it is known how much of the sound's start is the encoder's
        // own. Fragments are cut by hand, so that they are as long as we like and not as the key frames.
        try output.writeHeader([("movflags", "frag_custom+delay_moov+default_base_moof+write_colr")])
    }

    func write(_ encoded: EncodedPacket, _ track: Track) throws {
        guard let stream = streams[track] else { return }
        // Fragments hold each track by itself, so nothing has to be interleaved and held back for it.
        try output.write(encoded, to: stream, .asGiven)
    }

    /// Closes the running fragment. The file is put on the disk meanwhile, by a thread that may wait for it.
    func flush() throws {
        guard isBegun else { return }
        try output.writeHeldBack()
        // The first call writes the index alone.
        if !isIndexWritten { try output.writeHeldBack() }
        isIndexWritten = true
        wholeSize = try output.flush()
        try flusher.flush()
    }

    /// Closes the file and waits until it is on the disk.
    func finish() throws {
        guard isBegun else { return }
        try output.finish()
        try flusher.finish()
    }

    /// Closes the file and cuts off what lies behind its last whole fragment.
    func cut() {
        output.close()
        truncate(path, Int(wholeSize))
    }
}
