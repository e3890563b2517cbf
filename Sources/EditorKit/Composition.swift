public import EditorCore
internal import EditorMedia
internal import TransitionEffects

/// A config, read and ready to be checked, planned and rendered: the door for programs.
///
/// ```swift
/// let composition = try Composition(contentsOf: "cfg.json")
/// let result = try composition.render(to: "movie.mp4") { event in print(event) }
/// ```
///
/// A value that may be used from any thread; renders may run side by side.
public struct Composition: Sendable {
    public internal(set) var configuration: Configuration
    /// The effects that the config may use.
    public let registry: EffectRegistry
    private(set) var library: FileMediaLibrary
    let baseDirectory: String
    /// What the configuration was read from.
    let document: ConfigurationDocument
    /// What reading the config found.
    let readingFindings: [Finding]

    /// What a caller may want differently from the config.
    public struct Options: Sendable {
        /// The movie's file; nil leaves it to the config.
        public var output: String?
        /// Whether an existing file may be replaced.
        public var overwrites = false
        /// One range of the composed timeline, in place of `selectTimeRange`; nil ends are open.
        public var from: MediaTime?
        public var to: MediaTime?
        /// Half size and the fastest encoding.
        public var isDraft = false
        /// Spans rendered side by side; nil is one a core.
        public var jobs: Int?
        /// Whether rendered spans are kept for the next time.
        public var usesCache = true
        /// Whether warnings are errors.
        public var isStrict = false
        /// How music and pictures on the web may be fetched.
        public var web = WebAccess()
        /// Takes what becomes of each file on the web; called on the thread that plans.
        public var onDownload: @Sendable (RenderEvent.Download) -> Void = { _ in }

        public init() {}
    }

    /// - Parameters:
    ///   - document: the parsed config.
    ///   - baseDirectory: what the config's relative paths are relative to.
    ///   - registry: the effects that there are; the config may narrow them down.
    public init(
        _ document: ConfigurationDocument, baseDirectory: String, registry: EffectRegistry, requiresClips: Bool = true
    ) {
        let read = Configuration.read(document, requiresClips: requiresClips)
        configuration = read.configuration
        self.document = document
        self.baseDirectory = baseDirectory
        var findings = read.findings
        var known = registry
        do {
            known = try registry.adding(
                neededBy: document, baseDirectory: baseDirectory,
                aliases: [.audio: read.configuration.musicAliases, .image: read.configuration.imageAliases])
        } catch {
            findings.append(Finding(asError: error, at: JSONPointer(), code: Self.unusableModule))
        }
        // A module that is named by its file goes by its own name from here on.
        let names = read.configuration.effectModules?.map { name in
            guard ForeignModules.isFile(name) else { return name }
            return (try? ForeignModules.name(ofFile: ForeignModules.resolve(name, baseDirectory))) ?? name
        }
        self.registry = Self.narrow(known, to: names, &findings)
        readingFindings = findings
        library = Self.library(read.configuration, baseDirectory, .exact)
    }

    /// The config's files, by a library whose sources give pictures of a precision.
    func library(_ precision: PicturePrecision) -> FileMediaLibrary {
        precision == .exact ? library : Self.library(configuration, baseDirectory, precision)
    }

    /// The same, its files looked into by a library that knows them already.
    func sharing(_ library: FileMediaLibrary) -> Composition {
        var result = self
        result.library = library
        return result
    }

    private static func library(_ configuration: Configuration, _ folder: String, _ precision: PicturePrecision)
        -> FileMediaLibrary
    {
        FileMediaLibrary(
            baseDirectory: folder, aliases: [.audio: configuration.musicAliases, .image: configuration.imageAliases],
            precision: precision, web: webCache)
    }

    /// Reads a config file with the built-in effects.
    /// - Parameter path: `-` is standard input.
    /// - Throws: `EditorError` when the file cannot be read or is no JSON.
    public init(contentsOf path: String) throws {
        let document = try ConfigurationDocument(contentsOf: path)
        self.init(document, baseDirectory: Self.folder(of: path), registry: try .standard())
    }

    /// The folder that a config's relative paths are relative to.
    public static func folder(of path: String) -> String {
        guard path != "-", let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The code of a finding that a module's file cannot be used.
    private static let unusableModule = "module.unusable"

    private static func narrow(_ registry: EffectRegistry, to names: [String]?, _ findings: inout [Finding])
        -> EffectRegistry
    {
        guard let names else { return registry }
        for (index, name) in names.enumerated() where !registry.modules.contains(name) {
            // A file that cannot be used has been told of.
            if ForeignModules.isFile(name) { continue }
            findings.append(
                Finding(
                    .error, cause: .unavailable, code: "config.module",
                    at: JSONPointer(["effectModules", String(index)]),
                    "there is no effect module \"\(name)\"", hint: Suggestion.hint(for: name, in: registry.modules)))
        }
        // Transitions belong to the clips, not to the effects that a config chooses among.
        return registry.limited(to: names + [TransitionModule.name])
    }

    /// The export settings that a run with these options would use.
    public func settings(_ options: Options = Options()) -> ExportSettings {
        let location = OutputLocation(configuration, output: options.output, baseDirectory: baseDirectory)
        var configuration = configuration
        if options.isDraft {
            func half(_ length: Int) -> Int { max(2, (length / 2 + 1) / 2 * 2) }
            configuration.renderSize = PixelSize(
                width: half(configuration.renderSize.width), height: half(configuration.renderSize.height))
        }
        return ExportSettings(configuration, fileName: location.fileName, isDraft: options.isDraft)
    }

    /// Checks everything and decides everything.
    /// - Parameter cancellation: stops reading the files that effects name.
    /// - Throws: `EditorError` with all findings when there is an error.
    public func plan(_ options: Options = Options(), cancellation: Cancellation = Cancellation()) throws -> RenderPlan {
        try plan(options, output: nil, cancellation: cancellation)
    }

    /// - Parameters:
    ///   - output: a place that is checked together with everything else.
    ///   - opensEncoders: whether the encoders' findings come together with the others.
    func plan(
        _ options: Options, output: OutputLocation?, opensEncoders: Bool = true,
        cancellation: Cancellation = Cancellation()
    ) throws -> RenderPlan {
        let settings = settings(options)
        var findings = readingFindings
        // Without its module nothing can be said of an effect.
        if findings.contains(where: { $0.code == Self.unusableModule }), let error = EditorError(findings) {
            throw error
        }
        let location = OutputLocation(configuration, output: options.output, baseDirectory: baseDirectory)
        findings += ExportSettings.findings(on: location.fileName, outputFileType: configuration.outputFileType)
        if opensEncoders { findings += encoderFindings(settings) }
        if let output { findings += placeFindings(output, overwrite: options.overwrites) }
        let plan = try planner(options, cancellation).plan(
            configuration, findings: findings, settings: settings, range: Self.range(options))
        if options.isStrict, let error = Self.strictError(plan.findings) { throw error }
        return plan
    }

    /// Checks the config, and whether the movie can be written where it would go; a config without clips too.
    /// - Returns: warnings.
    /// - Throws: `EditorError` with all findings when there is an error.
    public func check(_ options: Options = Options(), cancellation: Cancellation = Cancellation()) throws -> [Finding] {
        let settings = settings(options)
        let location = OutputLocation(configuration, output: options.output, baseDirectory: baseDirectory)
        let place = placeFindings(location, overwrite: true)
        var findings = readingFindings + encoderFindings(settings) + place
        if place.isEmpty, !options.overwrites, let taken = placeFindings(location, overwrite: false).first {
            // No fault of the config: another name will do.
            findings.append(Finding(.warning, cause: taken.cause, code: "output.exists", taken.message))
        }
        findings += offerFindings()
        findings = try planner(options, cancellation).check(
            configuration, findings: findings, settings: settings, range: Self.range(options))
        if options.isStrict, let error = Self.strictError(findings) { throw error }
        return findings
    }

    /// Files that the config offers to choose from, which no render needs.
    private func offerFindings() -> [Finding] {
        var offered: [(String, JSONPointer)] = configuration.previewTagImageNameArray.enumerated().map {
            ($1, JSONPointer(["previewTagImageNameArray", String($0)]))
        }
        for (index, music) in configuration.recommendMusicList.enumerated() {
            let place = JSONPointer(["recommendMusicList", String(index)])
            if let path = music.musicPathURL { offered.append((path, place.appending("musicPathURL"))) }
            if let path = music.musicImageName { offered.append((path, place.appending("musicImageName"))) }
        }
        return offered.compactMap { path, pointer in
            do {
                _ = try library.identity(of: AssetReference(path: path, kind: .data, pointer: pointer))
                return nil
            } catch {
                var finding = Finding(asError: error, at: pointer, code: "offer.missing")
                finding.severity = .warning
                return finding
            }
        }
    }

    /// Planning fetches what is on the web.
    private func planner(_ options: Options, _ cancellation: Cancellation) -> RenderPlanner {
        let fetching = library.fetching(options.web, cancellation: cancellation) { event in
            if case .download(let download) = event { options.onDownload(download) }
        }
        let files = configuration.assetArray.map(\.path).filter { !$0.isEmpty }
        fetching.lookInto(files, threads: Cores.count, cancellation: cancellation)
        return RenderPlanner(registry: registry, library: fetching, cancellation: cancellation)
    }

    private static func range(_ options: Options) -> (from: MediaTime?, to: MediaTime?)? {
        options.from == nil && options.to == nil ? nil : (options.from, options.to)
    }

    private func placeFindings(_ location: OutputLocation, overwrite: Bool) -> [Finding] {
        do {
            try location.check(overwrite: overwrite)
            return []
        } catch {
            return [Finding(asError: error, at: JSONPointer(), code: "output")]
        }
    }

    private func encoderFindings(_ settings: ExportSettings) -> [Finding] {
        do {
            return try FFmpegMovieBackend().format(for: settings).findings
        } catch {
            return Finding.all(of: error, at: JSONPointer(["export"]), code: "export")
        }
    }

    private static func strictError(_ findings: [Finding]) -> EditorError? {
        EditorError(
            findings.map { finding in
                var finding = finding
                finding.severity = .error
                return finding
            })
    }
}

extension ConfigurationDocument {
    /// Reads and parses a config file.
    /// - Parameter path: `-` is standard input.
    /// - Throws: `EditorError` when the file cannot be read or is no JSON.
    public init(contentsOf path: String) throws {
        let isInput = path == "-"
        let bytes =
            isInput
            ? try FileBytes.readStandardInput(limit: Self.sizeLimit) : try FileBytes.read(path, limit: Self.sizeLimit)
        try self.init(utf8: bytes, name: isInput ? "standard input" : path)
    }
}
