/// A group of effects that come together.
public protocol EffectModule: SendableMetatype {
    /// The word in `effectModules`.
    static var name: String { get }
    static var effects: [EffectDescriptor] { get }
}

/// The effects a program knows, by id. A value: it is built once, at the top, and handed down.
public struct EffectRegistry: Sendable {
    private var byID: [String: EffectDescriptor] = [:]
    /// Names of the registered modules, in order.
    public private(set) var modules: [String] = []

    public init() {}

    /// Adds a module's effects. Throws when an id or the module's name is taken already.
    /// - Parameter isBuiltIn: whether the module comes with the editor.
    public mutating func register(_ module: any EffectModule.Type, isBuiltIn: Bool = false) throws {
        try register(
            module.effects.map {
                var descriptor = $0
                descriptor.origin = isBuiltIn ? .builtIn : .compiledIn
                return descriptor
            }, as: module.name)
    }

    /// Adds effects that come from foreign files, as a module of that name.
    package mutating func register(_ effects: [EffectDescriptor], as module: String) throws {
        guard !modules.contains(module) else {
            throw EditorError(.unavailable, "the effect module \"\(module)\" is registered twice")
        }
        for var descriptor in effects {
            if let other = byID[descriptor.id] {
                throw EditorError(
                    .unavailable,
                    "the effect \"\(descriptor.id)\" of module \"\(module)\" is already registered by module \"\(other.module)\""
                )
            }
            descriptor.module = module
            byID[descriptor.id] = descriptor
        }
        modules.append(module)
    }

    public subscript(id: String) -> EffectDescriptor? { byID[id] }

    /// All effects by module, then by id.
    public var descriptors: [EffectDescriptor] {
        let order = Dictionary(uniqueKeysWithValues: modules.enumerated().map { ($1, $0) })
        return byID.values.sorted { (order[$0.module] ?? 0, $0.id) < (order[$1.module] ?? 0, $1.id) }
    }

    public func descriptors(of kind: EffectKind) -> [EffectDescriptor] { descriptors.filter { $0.kind == kind } }

    /// Only the effects of some modules; for a config that names its modules.
    public func limited(to names: [String]) -> EffectRegistry {
        var result = self
        result.modules = modules.filter(names.contains)
        result.byID = byID.filter { names.contains($0.value.module) }
        return result
    }
}
