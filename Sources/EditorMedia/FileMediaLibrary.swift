public import EditorCore
internal import Synchronization

/// Media files on disk, read by libav.
public final class FileMediaLibrary: MediaLibrary {
    private let loader: FileAssetLoader
    private let precision: PicturePrecision
    private let pool = FramePool()
    private let probes = Mutex<[String: Result<MediaInfo, EditorError>]>([:])

    /// - Parameters:
    ///   - baseDirectory: what relative paths are relative to.
    ///   - aliases: names that stand for paths, by kind of asset.
    ///   - precision: which pictures its sources give.
    public init(
        baseDirectory: String, aliases: [AssetReference.Kind: [String: String]] = [:],
        precision: PicturePrecision = .exact
    ) {
        self.precision = precision
        loader = FileAssetLoader(baseDirectory: baseDirectory, aliases: aliases)
    }

    public var assets: any AssetLoading { loader }

    public func identity(of asset: AssetReference) throws -> String { try loader.identity(of: asset) }

    /// What tells a file's content from another under the same path, without opening it.
    /// - Throws: `EditorError` `.missingInput`.
    public static func identity(ofFile path: String) throws -> String { try MediaProbe.identity(path) }

    private func resolve(_ path: String) -> String { loader.path(of: AssetReference(path: path, kind: .data)) }

    public func probe(_ path: String) throws -> MediaInfo {
        if let known = probes.withLock({ $0[path] }) { return try known.get() }
        let result: Result<MediaInfo, EditorError>
        do {
            let resolved = resolve(path)
            if let sequence = try ImageSequenceFile.open(resolved) {
                result = .success(try MediaInfo(sequence, path: resolved))
            } else {
                var info = try MediaProbe.probe(resolved)
                info.path = resolved
                result = .success(info)
            }
        } catch let error as EditorError {
            result = .failure(error)
        } catch {
            result = .failure(EditorError(.ioFailed, "\(path) could not be looked into: \(error)"))
        }
        probes.withLock { $0[path] = result }
        return try result.get()
    }

    public func openVideo(_ info: MediaInfo, request: PictureRequest) throws -> any VideoSource {
        do {
            if let sequence = try ImageSequenceFile.open(info.path) {
                return try ImageSequenceSource(info, sequence: sequence, request: request, pool: pool)
            }
            return try FileVideoSource(info, request: request, precision: precision, pool: pool)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(info.path) could not be opened: \(error)")
        }
    }

    public func openAudio(
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool
    ) throws -> any AudioReading {
        guard info.audio.indices.contains(stream) else {
            throw EditorError(.invalidData, "\(info.path) has no sound stream \(stream)")
        }
        do {
            let origin = (info.video?.firstTimestamp ?? .zero) + range.start
            var sound: any AudioReading = try FileAudioSource(
                path: info.path, stream: info.audio[stream].streamIndex, origin: origin)
            if isReversed {
                let length = Int(range.duration.ticksRounded(per: AudioFormat.rate))
                sound = ReversedSound(sound, sampleCount: length)
            }
            return speed == .one ? sound : try StretchedSound(sound, speed: speed)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the sound of \(info.path) could not be opened: \(error)")
        }
    }
}
