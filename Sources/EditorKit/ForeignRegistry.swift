public import EditorCore
internal import EditorMedia
internal import ForeignEffects

extension EffectRegistry {
    /// Where what is known of plugins is kept.
    private static var catalogFile: String { StandardFolders.caches + "/plugins.json" }

    /// With the effects of the frei0r and LADSPA plugins of this machine, and of the Swift modules in the folders that
    /// are searched.
    /// - Parameter notice: told of modules that cannot be used, and when plugins have to be looked at for the first time,
    ///   which takes a few seconds.
    /// - Throws: `EditorError` when two modules or effects have one name.
    public func addingForeign(notice: (String) -> Void = { _ in }) throws -> EffectRegistry {
        try addingForeign(AssetPlace(folder: ".", aliases: [:]), notice: notice)
    }

    private func addingForeign(_ place: AssetPlace, notice: (String) -> Void) throws -> EffectRegistry {
        try addingModules(place, notice: notice).addingPlugins(notice)
    }

    private func addingModules(_ place: AssetPlace, notice: (String) -> Void) throws -> EffectRegistry {
        var registry = self
        for file in SwiftModuleFile.all(in: ForeignModules.folders, trouble: notice)
        where !registry.modules.contains(file.manifest.name) {
            try registry.register(file.descriptors(place), as: file.manifest.name)
        }
        return registry
    }

    private func addingPlugins(_ notice: (String) -> Void) throws -> EffectRegistry {
        guard !modules.contains("frei0r"), !modules.contains("ladspa") else { return self }
        var registry = self
        let catalog = PluginCatalog(cacheFile: Self.catalogFile, notice: notice)
        try registry.register(catalog.frei0r, as: "frei0r")
        try registry.register(catalog.ladspa, as: "ladspa")
        return registry
    }

    /// With the foreign effects that a config needs: the modules whose files it names, and what lies in the standard
    /// folders when it names an effect or a module that is not known yet.
    /// - Parameters:
    ///   - baseDirectory: what the config's paths are relative to.
    ///   - aliases: names that stand for paths, by kind of asset.
    public func adding(
        neededBy document: ConfigurationDocument, baseDirectory: String,
        aliases: [AssetReference.Kind: [String: String]] = [:]
    ) throws -> EffectRegistry {
        let place = AssetPlace(folder: baseDirectory, aliases: aliases)
        var registry = self
        for path in ForeignModules.files(namedIn: document) {
            let file = try SwiftModuleFile(ForeignModules.resolve(path, baseDirectory))
            guard !registry.modules.contains(file.manifest.name) else { continue }
            try registry.register(file.descriptors(place), as: file.manifest.name)
        }
        // Plugins are many; they are looked for only where a config names one.
        let unknown = registry.unknownNames(in: document.value)
        guard !unknown.isEmpty else { return registry }
        registry = try registry.addingModules(place) { _ in }
        let isPlugin = { (name: String) in
            ["frei0r", "ladspa"].contains { name == $0 || name.hasPrefix($0 + ".") }
        }
        return unknown.contains(where: isPlugin) ? try registry.addingPlugins { _ in } : registry
    }

    /// The names of effects and modules in a config that are not known.
    private func unknownNames(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            var names = members.values.flatMap(unknownNames)
            if case .string(let type)? = members["type"], self[type] == nil { names.append(type) }
            if case .array(let listed)? = members["effectModules"] {
                for case .string(let name) in listed where !ForeignModules.isFile(name) && !modules.contains(name) {
                    names.append(name)
                }
            }
            return names
        case .array(let elements): return elements.flatMap(unknownNames)
        default: return []
        }
    }
}

/// Effect modules in files of their own.
public enum ForeignModules {
    /// Where Swift modules are looked for: `effects` in the working directory, the folders in `EDITOR_EFFECTS_PATH`, and
    /// the user's.
    public static var folders: [String] {
        let named = StandardFolders.environment("EDITOR_EFFECTS_PATH")?.split(separator: ":").map(String.init) ?? []
        return ["effects"] + named + [StandardFolders.path(.library) + "/effects"]
    }

    /// Whether a name in `effectModules` is that of a file.
    static func isFile(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".so") }

    static func resolve(_ path: String, _ baseDirectory: String) -> String {
        path.hasPrefix("/") ? path : "\(baseDirectory)/\(path)"
    }

    /// The module files that a config names.
    static func files(namedIn document: ConfigurationDocument) -> [String] {
        guard case .array(let names)? = document.value["effectModules"] else { return [] }
        return names.compactMap { if case .string(let name) = $0, isFile(name) { name } else { nil } }
    }

    /// The name of the module in a file.
    /// - Throws: `EditorError` when it cannot be used.
    static func name(ofFile path: String) throws -> String { try SwiftModuleFile(path).manifest.name }

    /// The effects in a file: a Swift module, or a frei0r or LADSPA plugin.
    /// - Throws: `EditorError` when it is none of these.
    public static func effects(inFile path: String) throws -> [EffectDescriptor] {
        let path = path.contains("/") ? path : "./" + path
        guard path.hasSuffix(".so"), !ModuleManifest.exists(besides: path) else {
            return try SwiftModuleFile(path).descriptors(AssetPlace(folder: ".", aliases: [:]))
        }
        return try PluginCatalog.effects(inFile: path)
    }

    /// The folder of the compiled interface that modules are built against.
    /// - Throws: `EditorError` when it is nowhere.
    public static func coreInterface() throws -> String {
        if let folder = CoreInterface.folder { return folder }
        throw EditorError(
            .unavailable,
            "EditorCore.swiftmodule is neither in \(CoreInterface.places.joined(separator: " nor in ")); run \"make install\" in the editor's checkout, or use the editor in its build folder"
        )
    }

    /// Describes a freshly built module in the manifest beside it.
    /// - Returns: the manifest's path.
    /// - Throws: `EditorError`.
    public static func writeManifest(name: String, library: String, swift: String) throws -> String {
        let described = try SwiftModuleFile.describe(library: library)
        guard case .string(let module)? = described["name"], let effects = described["effects"] else {
            throw EditorError(.unavailable, "the module \(library) describes no effects")
        }
        let manifest = ModuleManifest(name: module, swift: swift, library: library, effects: effects)
        guard let file = manifest.write() else {
            throw EditorError(.cannotCreateOutput, "no manifest can be written beside \(library)")
        }
        return file
    }
}

/// The other end of foreign effects: this executable as their worker.
public enum ForeignWorker {
    /// Runs the worker if that is what the process was started for; to be called first in `main` of a program that
    /// renders with foreign effects.
    /// - Parameter arguments: the command line without the program.
    /// - Returns: the exit code; nil when this is no worker.
    public static func runIfAsked(_ arguments: [String]) -> Int32? {
        EffectWorker.runIfAsked(arguments) { folder, aliases in
            FileMediaLibrary(baseDirectory: folder, aliases: aliases).assets
        }
    }
}
