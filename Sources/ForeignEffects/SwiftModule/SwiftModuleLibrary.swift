internal import EditorCore
internal import Glibc
internal import Synchronization

/// A Swift module's code, loaded into this process: the editor's if it is trusted, else a worker's. It stays loaded.
enum SwiftModuleLibrary {
    /// The modules that are loaded, by path.
    private static let loaded = Mutex<[String: EffectModuleEntry]>([:])

    /// - Throws: `ModuleFailure`.
    static func module(of path: String) throws -> any EffectModule.Type {
        if let known = loaded.withLock({ $0[path] }) { return known.module }
        guard let handle = dlopen(path.contains("/") ? path : "./" + path, RTLD_NOW | RTLD_LOCAL) else {
            throw ModuleFailure("cannot be loaded: \(dlerror().map { String(cString: $0) } ?? path)")
        }
        guard let symbol = dlsym(handle, EffectInterface.entryPoint) else {
            throw ModuleFailure("is no effect module: it has no \(EffectInterface.entryPoint)")
        }
        typealias Entry = @convention(c) () -> UnsafeMutableRawPointer
        let entry = EffectModuleEntry.takeOver(unsafeBitCast(symbol, to: Entry.self)())
        loaded.withLock { $0[path] = entry }
        return entry.module
    }

    static func effect(_ id: String, of path: String) throws -> EffectDescriptor {
        guard let effect = try module(of: path).effects.first(where: { $0.id == id }) else {
            throw ModuleFailure("is not in \(path), whatever the manifest says; build the module anew")
        }
        return effect
    }
}
