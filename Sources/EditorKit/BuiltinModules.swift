internal import BeautyEffects
internal import ColorEffects
public import EditorCore
internal import MusicEffects
internal import StickerEffects
internal import TextEffects
internal import TransitionEffects

extension EffectRegistry {
    /// The modules that come with the editor, in the order they are listed.
    private static var builtinModules: [any EffectModule.Type] {
        [
            StickerModule.self, TextModule.self, BeautyModule.self, ColorModule.self, MusicModule.self,
            TransitionModule.self,
        ]
    }

    /// The built-in effects, and those of `modules`, through one door.
    /// - Throws: `EditorError` when two effects or modules have one name.
    public static func standard(adding modules: [any EffectModule.Type] = []) throws -> EffectRegistry {
        var registry = EffectRegistry()
        for module in builtinModules { try registry.register(module, isBuiltIn: true) }
        for module in modules { try registry.register(module) }
        return registry
    }
}
