public import EditorCore

/// Colour: adjustments, look-up tables, looks, hidden regions and the colour key.
public enum ColorModule: EffectModule {
    public static let name = "color"
    public static var effects: [EffectDescriptor] {
        [
            .video(ColorAdjustment.self), .video(LookUpTable.self), .video(Look.self), .video(Blur.self),
            .video(Pixelate.self), .video(ChromaKey.self),
        ]
    }
}
