public import EditorCore

/// Music and voice-over.
public enum MusicModule: EffectModule {
    public static let name = "music"
    public static var effects: [EffectDescriptor] { [.audio(MusicEffect.self)] }
}
