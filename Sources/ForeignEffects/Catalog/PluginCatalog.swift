public import EditorCore
internal import Glibc

/// The frei0r and LADSPA plugins in their standard folders, known without loading one: what they said when they were
/// looked at for the first time is kept in a file, by path, size and time of modification.
public struct PluginCatalog: Sendable {
    /// One plugin file and what is known of it.
    private struct Entry: Sendable {
        var path: String
        var identity: String
        var format: PluginExamination.Format
        var effects: JSONValue
        var trouble: String?
    }

    private var entries: [Entry] = []

    /// Raised whenever more is found out about plugins than before.
    private static let version = 2.0

    /// Looks through the folders. Files that are not known yet are examined in a worker.
    ///
    /// - Parameters:
    ///   - cacheFile: where the knowledge is kept; it need not exist.
    ///   - notice: told once, with a sentence, when files have to be examined.
    public init(cacheFile: String, notice: (String) -> Void = { _ in }) {
        let known = Self.read(cacheFile)
        let files = Self.files(in: Self.frei0rFolders, .frei0r) + Self.files(in: Self.ladspaFolders, .ladspa)
        var examiner: PluginExaminer?
        for (path, identity, format) in files {
            if let entry = known[path], entry.identity == identity, entry.format == format {
                entries.append(entry)
                continue
            }
            if examiner == nil {
                let count = files.filter { known[$0.path]?.identity != $0.identity }.count
                notice("looking at \(count) plugin\(count == 1 ? "" : "s") that \(count == 1 ? "is" : "are") new")
                examiner = PluginExaminer()
            }
            guard let (effects, trouble) = examiner?.examine(path, format) else { continue }
            entries.append(Entry(path: path, identity: identity, format: format, effects: effects, trouble: trouble))
        }
        if examiner != nil || known.count != entries.count { Self.write(entries, to: cacheFile) }
    }

    /// The effects of one plugin file, of either kind, wherever it lies.
    /// - Throws: `EditorError` when it holds none.
    public static func effects(inFile path: String) throws -> [EffectDescriptor] {
        guard let identity = FolderListing.identity(of: path) else {
            throw EditorError(.missingInput, "\(path) does not exist")
        }
        var reasons: [String] = []
        for format in [PluginExamination.Format.frei0r, .ladspa] {
            guard let (effects, trouble) = PluginExaminer().examine(path, format) else { continue }
            let catalog = PluginCatalog(entries: [
                Entry(path: path, identity: identity, format: format, effects: effects, trouble: trouble)
            ])
            let found = catalog.frei0r + catalog.ladspa
            if !found.isEmpty { return found }
            if let trouble { reasons.append("as \(format.rawValue) it \(trouble)") }
        }
        throw EditorError(
            .unavailable,
            "\(path) holds no effect: it has no manifest of a Swift module; \(reasons.joined(separator: "; "))")
    }

    private init(entries: [Entry]) { self.entries = entries }

    /// The effects of the frei0r plugins, and of the LADSPA plugins. The first of several with one name counts.
    public var frei0r: [EffectDescriptor] {
        unique(
            entries.filter { $0.format == .frei0r }.flatMap { entry in
                Self.list(entry.effects).compactMap { json in
                    Frei0rDescription(json, path: entry.path)?.descriptor(
                        identity: " \(entry.identity)", trouble: entry.trouble)
                }
            })
    }

    public var ladspa: [EffectDescriptor] {
        unique(
            entries.filter { $0.format == .ladspa }.flatMap { entry in
                Self.list(entry.effects).compactMap { json in
                    LadspaDescription(json, path: entry.path)?.descriptor(
                        identity: " \(entry.identity)", trouble: entry.trouble)
                }
            })
    }

    /// Files that look like plugins and are none that can be used, each with what is wrong.
    public var unusable: [(path: String, trouble: String)] {
        entries.filter { Self.list($0.effects).isEmpty }.map { ($0.path, $0.trouble ?? "holds no effect") }
    }

    private func unique(_ descriptors: [EffectDescriptor]) -> [EffectDescriptor] {
        var seen: Set<String> = []
        return descriptors.filter { seen.insert($0.id).inserted }
    }

    private static func list(_ json: JSONValue) -> [JSONValue] {
        if case .array(let elements) = json { elements } else { [] }
    }

    // MARK: Folders

    private static var home: String { getenv("HOME").map { String(cString: $0) } ?? "" }

    /// A variable that is set but empty names no folder.
    private static func folders(_ variable: String, _ standard: [String]) -> [String] {
        guard let value = getenv(variable) else { return standard }
        return String(cString: value).split(separator: ":").map(String.init)
    }

    static var frei0rFolders: [String] {
        folders("FREI0R_PATH", ["\(home)/.frei0r-1/lib", "/usr/local/lib/frei0r-1", "/usr/lib/frei0r-1"])
    }

    static var ladspaFolders: [String] {
        folders("LADSPA_PATH", ["\(home)/.ladspa", "/usr/local/lib/ladspa", "/usr/lib/ladspa"])
    }

    private static func files(in folders: [String], _ format: PluginExamination.Format) -> [(
        path: String, identity: String, format: PluginExamination.Format
    )] {
        folders.flatMap { folder in
            FolderListing.names(in: folder).filter { $0.hasSuffix(".so") }.compactMap { name in
                let path = "\(folder)/\(name)"
                return FolderListing.identity(of: path).map { (path, $0, format) }
            }
        }
    }

    // MARK: The file

    private static func read(_ path: String) -> [String: Entry] {
        guard let bytes = CacheFile.read(path),
            let json = try? ConfigurationDocument.parse(utf8: bytes, name: path), json["version"] == .number(version),
            case .array(let files)? = json["files"]
        else { return [:] }
        var result: [String: Entry] = [:]
        for file in files {
            guard let path = file.text("path"), let identity = file.text("identity"), let effects = file["effects"],
                let format = file.text("format").flatMap(PluginExamination.Format.init(rawValue:))
            else { continue }
            result[path] = Entry(
                path: path, identity: identity, format: format, effects: effects, trouble: file.text("trouble"))
        }
        return result
    }

    private static func write(_ entries: [Entry], to path: String) {
        let json: JSONValue = [
            "version": .number(version),
            "files": .array(
                entries.map { entry in
                    [
                        "path": .string(entry.path), "identity": .string(entry.identity),
                        "format": .string(entry.format.rawValue), "effects": entry.effects,
                        "trouble": entry.trouble.map { .string($0) } ?? .null,
                    ]
                }),
        ]
        CacheFile.write(Array(json.text().utf8), to: path)
    }
}

/// Examines plugins one after another in a worker; one that takes the worker down gets a new one for the next.
private final class PluginExaminer {
    private var worker: WorkerProcess?
    private var answer: [UInt8] = []

    /// - Returns: what the file holds, and what went wrong; nil when no worker can be had, so that nothing is known.
    func examine(_ path: String, _ format: PluginExamination.Format) -> (effects: JSONValue, trouble: String?)? {
        do {
            let described = try ask(path, format, isTried: false)
            do {
                return (try ask(path, format, isTried: true), nil)
            } catch let failure as ModuleFailure {
                return (described, "\(failure) when it was tried")
            }
        } catch let failure as ModuleFailure {
            return ([], "\(failure)")
        } catch {
            return nil
        }
    }

    private func ask(_ path: String, _ format: PluginExamination.Format, isTried: Bool) throws -> JSONValue {
        let worker = try self.worker ?? WorkerProcess(sharing: nil, limits: WorkerLimits())
        self.worker = worker
        var request = PayloadWriter()
        request.append(format.rawValue)
        request.append(path)
        request.append(isTried ? 1 : 0)
        do {
            try worker.call(.examine, request.bytes, answer: &answer)
        } catch {
            self.worker = nil
            throw error
        }
        guard let json = try? ConfigurationDocument.parse(utf8: answer, name: path) else {
            throw ModuleFailure("has names that are no text")
        }
        return json
    }
}
