internal import CFFmpeg
public import EditorCore
internal import Synchronization

/// Gives effects the contents of files on this machine. Safe on any thread; images are decoded once.
public final class FileAssetLoader: AssetLoading, Sendable {
    private let baseDirectory: String
    private let aliases: [AssetReference.Kind: [String: String]]
    private let web: WebCache?
    private let listener: WebListener
    private let memory: Memory

    /// What was read, shared by loaders over the same files.
    private final class Memory: Sendable {
        let images = ImageCache()
        /// Sound files that were found to decode, by path and identity, with the stream that is played.
        let sounds = Mutex<[String: Int]>([:])
        /// Loudness of sound files that were measured, by the same keys.
        let loudnesses = Mutex<[String: Double?]>([:])
        /// Beats of sound files that were looked for, by the same keys.
        let beats = Mutex<[String: BeatTrack]>([:])
    }

    /// - Parameters:
    ///   - baseDirectory: what relative paths are relative to.
    ///   - aliases: paths by the names that configs may use instead, such as the titles of music. A file whose literal
    ///     path is that name comes first.
    ///   - web: where files from the web are kept; nil refuses web addresses. Only what is there is used.
    public convenience init(
        baseDirectory: String, aliases: [AssetReference.Kind: [String: String]] = [:], web: WebCache? = nil
    ) {
        var offline = WebListener()
        offline.access.isOffline = true
        self.init(baseDirectory, aliases, web, offline, Memory())
    }

    private init(
        _ baseDirectory: String, _ aliases: [AssetReference.Kind: [String: String]], _ web: WebCache?,
        _ listener: WebListener, _ memory: Memory
    ) {
        self.baseDirectory = baseDirectory
        self.aliases = aliases
        self.web = web
        self.listener = listener
        self.memory = memory
    }

    /// The same loader, which fetches what is not in the cache.
    func fetching(_ listener: WebListener) -> FileAssetLoader {
        FileAssetLoader(baseDirectory, aliases, web, listener, memory)
    }

    /// The path of the file that an asset names; the file need not exist.
    public func path(of asset: AssetReference) -> String {
        let literal = resolve(asset.path)
        if let alias = aliases[asset.kind]?[asset.path], !FileBytes.exists(literal) { return resolve(alias) }
        return literal
    }

    func fileOnDisk(_ asset: AssetReference) -> String? {
        let path = path(of: asset)
        if WebAddress(path) != nil { return web?.localPath(of: path) }
        return FileBytes.exists(path) ? path : nil
    }

    private func resolve(_ path: String) -> String {
        if let file = EditorMedia.localPath(ofFileAddress: path) { return file }
        if path.hasPrefix("/") || ["", "."].contains(baseDirectory) || WebAddress(path) != nil { return path }
        return baseDirectory.hasSuffix("/") ? baseDirectory + path : baseDirectory + "/" + path
    }

    /// What tells the content of an asset from another under the same path: its size and its time of modification. A
    /// file on the web is fetched for that.
    /// - Throws: `EditorError` `.missingInput` when the file is missing or cannot be fetched.
    public func identity(of asset: AssetReference) throws -> String {
        let path = try localPath(of: asset)
        return try identity(ofFile: path)
    }

    private func identity(ofFile path: String) throws -> String {
        try FileBytes.requireFile(path)
        return try MediaProbe.identity(path)
    }

    private func localPath(of asset: AssetReference) throws -> String {
        let path = path(of: asset)
        guard let address = WebAddress(path) else {
            if let scheme = Self.foreignScheme(of: asset.path), !FileBytes.exists(path) {
                throw EditorError(
                    .invalidData, "\(asset.path) cannot be read: \(scheme) is none of http, https, file")
            }
            return path
        }
        guard let web, asset.kind == .audio || asset.kind == .image else {
            throw EditorError(
                .unavailable,
                "\(address.shown) is on the web; only music and pictures are fetched from there, so download it first")
        }
        return try web.file(for: address, kind: asset.kind, listener: listener) { file in
            if asset.kind == .audio {
                _ = try playableStream(file)
            } else {
                _ = try memory.images.image(file, identity: try identity(ofFile: file), width: nil)
            }
        }
    }

    /// The scheme of an address that is neither a path nor one of those that are read.
    private static func foreignScheme(of text: String) -> Substring? {
        guard let end = text.firstRange(of: "://")?.lowerBound, end > text.startIndex else { return nil }
        let scheme = text[..<end]
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) } ? scheme : nil
    }

    /// The pictures of an image file, or of a video file that fits in memory. Damaged and enormous files are refused.
    /// - Parameter width: pixels; a vector image is drawn that wide, and a picture more than four times as wide is
    ///   kept at twice this width.
    public func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset {
        let path = try localPath(of: asset)
        return try memory.images.image(path, identity: try identity(ofFile: path), width: width)
    }

    /// A new reader of the file's first sound stream; position 0 is its first sample.
    /// - Throws: `EditorError` `.invalidData` when there is no sound, or its first second does not decode.
    public func audio(_ asset: AssetReference) throws -> any AudioReading {
        let path = try localPath(of: asset)
        let key = try key(ofFile: path)
        if let stream = memory.sounds.withLock({ $0[key] }) { return try open(path, stream: stream) }
        let stream = try playableStream(path)
        memory.sounds.withLock { $0[key] = stream }
        return try open(path, stream: stream)
    }

    private func key(ofFile path: String) throws -> String { try identity(ofFile: path) + " " + path }

    private func open(_ path: String, stream: Int) throws -> FileAudioSource {
        do {
            return try FileAudioSource(path: path, stream: stream, origin: nil)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the sound of \(path) could not be opened: \(error)")
        }
    }

    /// The sound stream that is played, after a look at whether it can be.
    private func playableStream(_ path: String) throws -> Int {
        guard let stream = try Demuxer(path: path).bestStream(AVMEDIA_TYPE_AUDIO) else {
            throw EditorError(.invalidData, "\(path) has no sound")
        }
        var second = AudioBuffer(sampleCount: AudioFormat.sampleRate)
        let trial = try open(path, stream: stream)
        guard try trial.read(from: 0, into: &second) > 0 else {
            throw EditorError(.invalidData, "the sound of \(path) cannot be decoded")
        }
        return stream
    }

    public func loudness(of asset: AssetReference, cancellation: Cancellation) throws -> Double? {
        let path = try localPath(of: asset)
        let key = try key(ofFile: path)
        if let known = memory.loudnesses.withLock({ $0[key] }) { return known }
        let (sound, gauge) = (try audio(asset), try LoudnessGauge(measuresPeak: false))
        var (block, position) = (AudioBuffer(sampleCount: 0), 0)
        repeat {
            try cancellation.check()
            block.clear(sampleCount: 1 << 14)
            let got = try sound.read(from: position, into: &block)
            for channel in block.channels.indices { block.channels[channel].removeLast(block.sampleCount - got) }
            try gauge.add(block)
            position += got
        } while block.sampleCount == 1 << 14
        let loudness = try gauge.reading().integrated
        memory.loudnesses.withLock { $0[key] = .some(loudness) }
        return loudness
    }

    func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack {
        let key = try key(ofFile: try localPath(of: asset))
        if let known = memory.beats.withLock({ $0[key] }) { return known }
        let track = try BeatFinder().beats(of: try audio(asset), cancellation: cancellation)
        memory.beats.withLock { $0[key] = track }
        return track
    }

    /// A file's text: UTF-8, or UTF-16 with a byte order mark; at most 16 MB.
    public func text(_ asset: AssetReference) throws -> String { try TextFile.read(try localPath(of: asset)) }

    /// Makes a font file known to fontconfig, which has to happen before text is laid out with it.
    public func fontFamily(_ asset: AssetReference) throws -> String {
        let path = try localPath(of: asset)
        return try FontRegistry.family(path, identity: try identity(ofFile: path))
    }
}
