public import EditorCore

/// Pictures over the movie.
public enum StickerModule: EffectModule {
    public static let name = "sticker"
    public static var effects: [EffectDescriptor] { [.overlay(Sticker.self)] }
}
