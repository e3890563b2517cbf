/// What happened to a window.
public enum WindowEvent: Sendable, Hashable {
    /// A key went down, or is held down and repeats.
    case key(WindowKey, isShifted: Bool, isRepeated: Bool)
    /// The part that can be drawn on has another size now.
    case resized
    /// What was drawn is lost: draw it again.
    case exposed
    /// The user wants it closed.
    case closed
}

/// A key, by what the keyboard's layout makes of it.
public enum WindowKey: Sendable, Hashable {
    case left, right, up, down, home, end, space, escape, enter
    /// The key's character without shift, in lower case.
    case character(Character)
}
