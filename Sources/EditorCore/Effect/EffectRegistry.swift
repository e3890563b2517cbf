/// A group of effects that come together.
public protocol EffectModule {
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
    public mutating func register(_ module: any EffectModule.Type) throws {
        guard !modules.contains(module.name) else {
            throw EditorError(.unavailable, "the effect module \"\(module.name)\" is registered twice")
        }
        for var descriptor in module.effects {
            if let other = byID[descriptor.id] {
                throw EditorError(
                    .unavailable,
                    "the effect \"\(descriptor.id)\" of module \"\(module.name)\" is already registered by module \"\(other.module)\""
                )
            }
            descriptor.module = module.name
            byID[descriptor.id] = descriptor
        }
        modules.append(module.name)
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
