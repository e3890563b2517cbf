public import EditorCore
internal import EditorMedia
internal import Glibc

/// Looks into media files without a config.
public enum MediaInspector {
    /// - Throws: `EditorError` that names the file.
    public static func probe(_ path: String) throws -> MediaInfo {
        try FileMediaLibrary(baseDirectory: ".").probe(path)
    }

    /// The beats of a music file.
    /// - Parameters:
    ///   - path: a file, or an address on the web, which is fetched into the cache.
    ///   - options: how the web may be used.
    /// - Throws: `EditorError` that names the file.
    public static func beats(
        _ path: String, options: Composition.Options = Composition.Options(),
        cancellation: Cancellation = Cancellation()
    ) throws -> BeatTrack {
        let library = FileMediaLibrary(baseDirectory: ".", web: Composition.webCache)
            .fetching(options.web, cancellation: cancellation) { event in
                if case .download(let download) = event { options.onDownload(download) }
            }
        return try library.beats(of: AssetReference(path: path, kind: .audio), cancellation: cancellation)
    }
}

/// The libraries underneath.
public enum Libraries {
    /// Names and versions in one line.
    public static var versions: String { CodecCatalog.versions }

    /// Gives all code of the process new memory that is zero, which lets x264 use AVX-512, and lets the process keep large
    /// freed blocks for the next span instead of giving them back to the system. For a program that renders and ends;
    /// call it first.
    public static func shapeMemory() { ProcessMemory.shape() }
}

/// The cache of rendered spans, and of files from the web.
public enum SpanCache {
    public struct Entry: Sendable {
        public var name: String
        public var bytes: Int
        /// Seconds since 1970.
        public var lastUse: Double
    }

    public static var folder: String { StandardFolders.caches + "/spans" }

    /// Bytes that rendered spans may occupy from one run to the next.
    private static let capacity = 4 << 30

    static var store: SpanFileStore { SpanFileStore(folder: folder, capacity: capacity) }

    /// Most recently used first.
    public static func entries() -> [Entry] {
        let spans = store.entries().map { Entry(name: $0.name, bytes: $0.size, lastUse: $0.lastUse) }
        let web = Composition.webCache.entries().map {
            Entry(name: "web/\($0.name)", bytes: $0.size, lastUse: $0.lastUse)
        }
        return (spans + web).sorted { $0.lastUse > $1.lastUse }
    }

    /// Removes everything and returns the bytes that frees.
    public static func clear() -> Int { store.clear() + Composition.webCache.clear() }
}

/// Examines whether everything is there that the editor needs.
public enum Doctor {
    public struct Result: Sendable {
        public enum Verdict: String, Sendable { case ok, warn, fail }
        public var subject: String
        public var verdict: Verdict
        public var message: String
        public var fix: String?
    }

    public static func examine() -> [Result] {
        codecs() + fonts() + [modules(), cache(), disk()] + recordingDevices()
    }

    private static func codecs() -> [Result] {
        let needed = [
            ("h264", true), ("aac", true), ("hevc", false), ("vp9", false), ("av1", false), ("opus", false),
            ("gif", false),
        ]
        return needed.map { name, isNeeded in
            let encoder = CodecCatalog.encoder(for: name)
            return Result(
                subject: "codec \(name)", verdict: encoder != nil ? .ok : isNeeded ? .fail : .warn,
                message: encoder.map { "encoded by \($0)" } ?? "no encoder",
                fix: encoder == nil
                    ? "install a libavcodec that has one (Debian: libavcodec59, or libavcodec-extra59)" : nil)
        }
    }

    private static func fonts() -> [Result] {
        [("emoji", 0x1F600, "fonts-noto-color-emoji"), ("CJK", 0x4F60, "fonts-noto-cjk")].map {
            name, character, package in
            let family = FontCatalog.family(holding: UInt32(character))
            return Result(
                subject: "font \(name)", verdict: family == nil ? .warn : .ok,
                message: family ?? "no font has these characters", fix: family == nil ? "apt install \(package)" : nil)
        }
    }

    private static func modules() -> Result {
        var troubles: [String] = []
        let foreign = (try? EffectRegistry.standard().addingForeign { troubles.append($0) })?.descriptors ?? []
        func count(_ origin: EffectOrigin) -> Int { foreign.filter { $0.origin == origin }.count }
        let message =
            "\(count(.frei0r)) effects of frei0r plugins, \(count(.ladspa)) of LADSPA plugins, \(count(.swift)) of Swift modules"
        // That plugins are looked at for the first time is no trouble.
        let trouble = troubles.first { !$0.hasPrefix("looking at") }
        return Result(
            subject: "modules", verdict: trouble == nil ? .ok : .warn, message: trouble ?? message,
            fix: trouble == nil ? nil : "build the module anew or remove it")
    }

    private static func cache() -> Result {
        let entries = SpanCache.entries()
        let size = entries.reduce(0) { $0 + $1.bytes } >> 20
        let folder = StandardFolders.caches
        let isWritable = access(folder, W_OK) == 0 || access(folder, F_OK) != 0
        return Result(
            subject: "cache", verdict: isWritable ? .ok : .warn,
            message: isWritable
                ? "\(entries.count) spans, \(size) MiB in \(SpanCache.folder)" : "\(folder) cannot be written to",
            fix: isWritable ? nil : "make it writable, or set XDG_CACHE_HOME")
    }

    private static func disk() -> Result {
        var space = statvfs()
        let folder = access(StandardFolders.caches, F_OK) == 0 ? StandardFolders.caches : "."
        guard statvfs(folder, &space) == 0 else {
            return Result(subject: "disk", verdict: .warn, message: "free space cannot be told", fix: nil)
        }
        let free = Int(space.f_bavail) * Int(space.f_frsize) >> 30
        return Result(
            subject: "disk", verdict: free < 2 ? .warn : .ok, message: "\(free) GiB free",
            fix: free < 2 ? "make room: a minute of movie takes some 50 MiB, its spans as much again" : nil)
    }
}
