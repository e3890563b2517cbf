public import EditorCore

/// The ways from one clip to the next.
public enum TransitionModule: EffectModule {
    public static let name = "transition"
    public static var effects: [EffectDescriptor] {
        [
            .transition(CrossDissolve.self), .transition(FadeThroughColor.self), .transition(Slide.self),
            .transition(Push.self), .transition(Wipe.self), .transition(Circle.self), .transition(Zoom.self),
        ]
    }
}
