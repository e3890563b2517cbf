public import EditorCore
internal import Synchronization

/// Media files on disk, read by libav.
public final class FileMediaLibrary: MediaLibrary {
    private let loader: FileAssetLoader
    private let precision: PicturePrecision
    private let pool: FramePool
    private let probes: ProbeCache

    /// What is known of files; shared by libraries over the same files.
    private final class ProbeCache: Sendable {
        let results = Mutex<[String: Result<MediaInfo, EditorError>]>([:])
    }

    /// - Parameters:
    ///   - baseDirectory: what relative paths are relative to.
    ///   - aliases: names that stand for paths, by kind of asset.
    ///   - precision: which pictures its sources give.
    ///   - web: where files from the web are kept; nil refuses web addresses. Nothing is fetched by a library that was
    ///     made here: see `fetching`.
    public init(
        baseDirectory: String, aliases: [AssetReference.Kind: [String: String]] = [:],
        precision: PicturePrecision = .exact, web: WebCache? = nil
    ) {
        self.precision = precision
        loader = FileAssetLoader(baseDirectory: baseDirectory, aliases: aliases, web: web)
        pool = .shared
        probes = ProbeCache()
    }

    private init(_ other: FileMediaLibrary, loader: FileAssetLoader) {
        self.loader = loader
        precision = other.precision
        pool = other.pool
        probes = other.probes
    }

    /// The same library, which fetches files from the web when they are asked for and not in the cache.
    /// - Parameters:
    ///   - cancellation: stops downloads.
    ///   - report: takes what becomes of each file.
    public func fetching(
        _ access: WebAccess, cancellation: Cancellation, report: @escaping @Sendable (RenderEvent) -> Void
    ) -> FileMediaLibrary {
        FileMediaLibrary(
            self,
            loader: loader.fetching(WebListener(access: access, cancellation: cancellation, report: report)))
    }

    /// The path of an asset's file on this machine; nil when it is on the web and not in the cache, or nowhere.
    public func fileOnDisk(_ asset: AssetReference) -> String? { loader.fileOnDisk(asset) }

    public var assets: any AssetLoading { loader }

    public func makeLoudnessMeter() throws -> any LoudnessMeter { try LoudnessGauge() }

    public func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack {
        try loader.beats(of: asset, cancellation: cancellation)
    }

    public func identity(of asset: AssetReference) throws -> String { try loader.identity(of: asset) }

    /// What tells a file's content from another under the same path, without opening it.
    /// - Throws: `EditorError` `.missingInput`.
    public static func identity(ofFile path: String) throws -> String { try MediaProbe.identity(path) }

    private func resolve(_ path: String) -> String { loader.path(of: AssetReference(path: path, kind: .data)) }

    public func probe(_ path: String) throws -> MediaInfo {
        if let known = probes.results.withLock({ $0[path] }) { return try known.get() }
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
        probes.results.withLock { $0[path] = result }
        return try result.get()
    }

    /// Looks into files side by side, so that `probe` knows them already; what cannot be read `probe` tells.
    /// - Parameters:
    ///   - threads: how many at a time.
    ///   - cancellation: no further file is opened once it is raised.
    public func lookInto(_ paths: [String], threads: Int, cancellation: Cancellation) {
        let unknown = probes.results.withLock { known in Set(paths).filter { known[$0] == nil }.sorted() }
        let taken = Atomic<Int>(0)
        let look: @Sendable () -> Void = { [self] in
            while !cancellation.isCancelled {
                let number = taken.add(1, ordering: .relaxed).oldValue
                guard number < unknown.count else { return }
                _ = try? probe(unknown[number])
            }
        }
        // This thread looks too; without further ones it looks alone.
        let others = (1..<max(1, min(threads, unknown.count))).compactMap { _ in try? WorkerThread { look() } }
        if unknown.count > 1 { look() }
        for thread in others { thread.join() }
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
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool, treatment: SoundTreatment
    ) throws -> any AudioReading {
        guard info.audio.indices.contains(stream) else {
            throw EditorError(.invalidData, "\(info.path) has no sound stream \(stream)")
        }
        do {
            let origin = (info.video?.firstTimestamp ?? .zero) + range.start
            var sound: any AudioReading = try FileAudioSource(
                path: info.path, stream: info.audio[stream].streamIndex, origin: origin)
            let length = Int(range.duration.ticksRounded(per: AudioFormat.rate))
            if isReversed { sound = ReversedSound(sound, sampleCount: length) }
            if treatment.denoise > 0 {
                sound = try DenoisedSound(sound, sampleCount: length, strength: treatment.denoise)
            }
            let pitch = treatment.pitch + (treatment.voice?.pitch ?? 0)
            if speed != .one || pitch != 0 {
                sound = try StretchedSound(
                    sound, speed: speed, filter: VoiceFilter(speed: speed.doubleValue, pitch: pitch))
            }
            if let filter = VoiceFilter(treatment.voice) {
                sound = try StretchedSound(sound, speed: .one, filter: filter)
            }
            return sound
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the sound of \(info.path) could not be opened: \(error)")
        }
    }
}
