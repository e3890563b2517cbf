/// What the editor and a module in a file of its own agree on.
public enum EffectInterface {
    /// Raised whenever a module has to be built anew: when a type that modules see changes its shape or meaning.
    public static let version = 1
    /// The C function that a module's file has; its result is a retained `EffectModuleEntry`.
    public static let entryPoint = "editor_effect_module"
}

/// How a module in a file of its own hands itself over. `editor effects build` writes the few lines that do.
public final class EffectModuleEntry: Sendable {
    public let module: any EffectModule.Type

    public init(_ module: any EffectModule.Type) { self.module = module }

    /// The entry as the module's C function returns it.
    public func handOver() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// The entry that such a function returned; takes it over.
    package static func takeOver(_ pointer: UnsafeMutableRawPointer) -> EffectModuleEntry {
        Unmanaged<EffectModuleEntry>.fromOpaque(pointer).takeRetainedValue()
    }
}
