public import EditorCore

/// The beauty effect's module.
public enum BeautyModule: EffectModule {
    public static let name = "beauty"
    public static var effects: [EffectDescriptor] { [.video(Beauty.self)] }
}
