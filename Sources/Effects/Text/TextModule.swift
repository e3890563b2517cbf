public import EditorCore

/// Texts and captions.
public enum TextModule: EffectModule {
    public static var name: String { "text" }
    public static var effects: [EffectDescriptor] { [.overlay(TextEffect.self)] }
}
