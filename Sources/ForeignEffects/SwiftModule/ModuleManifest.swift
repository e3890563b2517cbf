internal import CForeign
public import EditorCore

/// What is known of a Swift module without loading its code: the file beside it, `NAME.effects.json`, that
/// `editor effects build` writes.
public struct ModuleManifest: Sendable {
    public var name: String
    /// Version of the interface that it was built for.
    public var interface: Int
    /// The compiler that it was built with, to the commit, and by its usual name.
    public var compiler: String
    public var swift: String
    /// Which `EditorCore` it was built against; empty when that is not known.
    public var core: String
    /// Path of the shared library.
    public var library: String
    /// The module's effects as the module itself describes them.
    public var effects: JSONValue

    static let suffix = ".effects.json"

    /// The compiler that this program was built with.
    public static var ownCompiler: String { String(cString: editor_compiler()) }

    public init(name: String, swift: String, library: String, effects: JSONValue) {
        (self.name, self.swift, self.library, self.effects) = (name, swift, library, effects)
        interface = EffectInterface.version
        compiler = Self.ownCompiler
        core = CoreInterface.digest ?? ""
    }

    /// The manifest at a path, or beside a library at that path.
    /// - Throws: `EditorError` when there is none, or when it is none.
    public init(contentsOf path: String) throws {
        let file = path.hasSuffix(".so") ? Self.path(besides: path) : path
        guard let bytes = CacheFile.read(file) else {
            throw EditorError(
                .unavailable, "the module \(path) has no manifest \(file); build it with \"editor effects build\"")
        }
        let json = try ConfigurationDocument.parse(utf8: bytes, name: file) ?? .null
        guard let name = json.text("name"), let interface = json.integer("interface"),
            let compiler = json.text("compiler"), let swift = json.text("swift"), let library = json.text("library"),
            let effects = json["effects"], !library.contains("/")
        else {
            throw EditorError(
                .unavailable, "\(file) is no manifest of a module; build it anew with \"editor effects build\"")
        }
        (self.name, self.interface, self.compiler, self.swift) = (name, interface, compiler, swift)
        self.effects = effects
        core = json.text("core") ?? ""
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        self.library = folder + library
    }

    static func path(besides library: String) -> String {
        let folder = library.lastIndex(of: "/").map { library[...$0] } ?? ""
        var file = library[folder.endIndex...]
        if file.hasPrefix("lib") { file = file.dropFirst(3) }
        return folder + file.dropLast(3) + suffix
    }

    /// Whether there is a manifest beside a library.
    public static func exists(besides library: String) -> Bool {
        FolderListing.identity(of: path(besides: library)) != nil
    }

    /// Why the module cannot be loaded into this program, with what to do about it; nil when it can.
    public var mismatch: String? {
        if interface != EffectInterface.version {
            return
                "the module \(name) (\(library)) was built for version \(interface) of the effect interface, this editor has version \(EffectInterface.version); build it anew with \"editor effects build\" in its folder"
        }
        if compiler != Self.ownCompiler {
            return
                "the module \(name) (\(library)) was built with \(swift) and this editor with another compiler (\(Self.ownCompiler)); build it anew with \"editor effects build\" and the Swift that built the editor"
        }
        // Where a type has another size than the module believes, it reads what is not there.
        if let own = CoreInterface.digest, own != core {
            return
                "the module \(name) (\(library)) was built against another EditorCore than this editor's; build it anew with \"editor effects build\" in its folder"
        }
        return nil
    }

    /// Writes the manifest beside the library.
    /// - Returns: its path; nil when it could not be written.
    public func write() -> String? {
        let file = Self.path(besides: library)
        let json: JSONValue = [
            "manifest": 1, "name": .string(name), "interface": .number(Double(interface)),
            "compiler": .string(compiler), "swift": .string(swift), "core": .string(core),
            "library": .string(String(library.split(separator: "/").last ?? "")), "effects": effects,
        ]
        return CacheFile.write(Array((json.text(indent: 2) + "\n").utf8), to: file) ? file : nil
    }
}

extension EffectDescriptor {
    /// What a manifest says of an effect.
    var manifestEntry: JSONValue {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "summary": .string(summary),
            "version": .number(Double(version)), "example": example,
            "parameters": .array(
                parameters.filter { $0.name != "timeRange" }.map { parameter in
                    var entry: [String: JSONValue] = [
                        "name": .string(parameter.name), "type": .string(parameter.type),
                        "keyframes": .bool(parameter.isAnimatable), "help": .string(parameter.help),
                        "schema": parameter.schema, "required": .bool(parameter.defaultValue == nil),
                    ]
                    if let range = parameter.range { entry["range"] = .string(range) }
                    if let unit = parameter.unit { entry["unit"] = .string(unit) }
                    if let value = parameter.defaultValue { entry["default"] = value }
                    return .object(entry)
                }),
        ]
    }
}

extension ParameterSummary {
    /// As a manifest says it; nil for what is no parameter.
    init?(_ json: JSONValue) {
        guard let name = json.text("name"), let type = json.text("type"), let help = json.text("help"),
            let schema = json["schema"]
        else { return nil }
        let value: JSONValue? = json["required"] == .bool(true) ? Optional.none : json["default"] ?? .null
        self.init(
            name: name, type: type, range: json.text("range"), isAnimatable: json["keyframes"] == .bool(true),
            unit: json.text("unit"), defaultValue: value, help: help, schema: schema)
    }
}
