internal import EditorCore

/// The way something moves over the canvas.
public enum Direction: String, Sendable, CaseIterable {
    case left, right, up, down

    var isHorizontal: Bool { self == .left || self == .right }
    /// Whether it moves towards lower columns or rows.
    var isBackward: Bool { self == .left || self == .up }
}
