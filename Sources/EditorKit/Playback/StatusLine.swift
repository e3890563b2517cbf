public import EditorCore

/// Words in a window, such as the line under a preview, as a small picture on a dark ground.
public final class StatusLine {
    private let label: PictureLabel
    private var shown: (text: String, picture: OverlayPicture)?

    /// Rows that the line needs.
    public static let height = 28

    /// - Parameters:
    ///   - size: what the words may fill; longer lines are broken.
    ///   - fontSize: pixels.
    /// - Throws: `EditorError` when there are no fonts.
    public init(size: PixelSize = PixelSize(width: 640, height: height), fontSize: Int = 15) throws {
        label = try PictureLabel(size: size, fontSize: fontSize)
    }

    /// The words as a picture; the same memory for the same text. nil for nothing.
    public func picture(_ text: String) throws -> OverlayPicture? {
        if let shown, shown.text == text { return shown.picture }
        guard let overlay = try label.overlay(text) else { return nil }
        shown = (text, overlay.picture)
        return overlay.picture
    }

    /// Such as `0:02.50 / 0:12.00  frame 75 / 360`.
    public static func text(of player: CompositionPlayer) -> String {
        var parts = [
            player.isPlaying ? "▶" : "⏸",
            "\(PictureLabel.clock(player.time)) / \(PictureLabel.clock(player.duration))",
            "frame \(player.frame) / \(player.frameCount)",
        ]
        if player.isLooping { parts.append("loop") }
        if player.isMuted { parts.append("muted") }
        return parts.joined(separator: "  ")
    }
}
