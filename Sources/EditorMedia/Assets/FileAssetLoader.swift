internal import CFFmpeg
public import EditorCore
internal import Synchronization

/// Gives effects the contents of files on this machine. Safe on any thread; images are decoded once.
public final class FileAssetLoader: AssetLoading, Sendable {
    private let baseDirectory: String
    private let aliases: [AssetReference.Kind: [String: String]]
    private let images = ImageCache()
    /// Sound files that were found to decode, by path and identity, with the stream that is played.
    private let sounds = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - baseDirectory: what relative paths are relative to.
    ///   - aliases: paths by the names that configs may use instead, such as the titles of music. A file whose literal
    ///     path is that name comes first.
    public init(baseDirectory: String, aliases: [AssetReference.Kind: [String: String]] = [:]) {
        self.baseDirectory = baseDirectory
        self.aliases = aliases
    }

    /// The path of the file that an asset names; the file need not exist.
    public func path(of asset: AssetReference) -> String {
        let literal = resolve(asset.path)
        if let alias = aliases[asset.kind]?[asset.path], !FileBytes.exists(literal) { return resolve(alias) }
        return literal
    }

    private func resolve(_ path: String) -> String {
        if path.hasPrefix("/") || ["", "."].contains(baseDirectory) || isAddress(path) { return path }
        return baseDirectory.hasSuffix("/") ? baseDirectory + path : baseDirectory + "/" + path
    }

    private func isAddress(_ path: String) -> Bool {
        let lowercased = path.prefix(8).lowercased()
        return lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://")
    }

    /// What tells the content of an asset from another under the same path: its size and its time of modification.
    /// - Throws: `EditorError` `.missingInput` when the file is missing, `.unavailable` when it is on the network.
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
        guard !isAddress(path) else {
            throw EditorError(
                .unavailable, "\(path) is on the network; only files on this machine are read, so download it first")
        }
        return path
    }

    /// The pictures of an image file, or of a video file that fits in memory. Damaged and enormous files are refused.
    /// - Parameter width: pixels; a vector image is drawn that wide, and a picture more than four times as wide is
    ///   kept at twice this width.
    public func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset {
        let path = try localPath(of: asset)
        return try images.image(path, identity: try identity(ofFile: path), width: width)
    }

    /// A new reader of the file's first sound stream; position 0 is its first sample.
    /// - Throws: `EditorError` `.invalidData` when there is no sound, or its first second does not decode.
    public func audio(_ asset: AssetReference) throws -> any AudioReading {
        let path = try localPath(of: asset)
        let key = try identity(ofFile: path) + " " + path
        func open(_ stream: Int) throws -> FileAudioSource {
            do {
                return try FileAudioSource(path: path, stream: stream, origin: nil)
            } catch let error as FFmpegError {
                throw EditorError(.ioFailed, "the sound of \(path) could not be opened: \(error)")
            }
        }
        if let stream = sounds.withLock({ $0[key] }) { return try open(stream) }
        guard let stream = try Demuxer(path: path).bestStream(AVMEDIA_TYPE_AUDIO) else {
            throw EditorError(.invalidData, "\(path) has no sound")
        }
        var second = AudioBuffer(sampleCount: AudioFormat.sampleRate)
        let trial = try open(stream)
        guard try trial.read(from: 0, into: &second) > 0 else {
            throw EditorError(.invalidData, "the sound of \(path) cannot be decoded")
        }
        sounds.withLock { $0[key] = stream }
        return try open(stream)
    }

    /// A file's text: UTF-8, or UTF-16 with a byte order mark; at most 16 MB.
    public func text(_ asset: AssetReference) throws -> String { try TextFile.read(try localPath(of: asset)) }

    /// Makes a font file known to fontconfig, which has to happen before text is laid out with it.
    public func fontFamily(_ asset: AssetReference) throws -> String {
        let path = try localPath(of: asset)
        return try FontRegistry.family(path, identity: try identity(ofFile: path))
    }
}
