/// How a stored picture is turned to stand upright: one of the eight ways to lay a rectangle on its place.
///
/// A stored pixel (x, y) of a w × h picture is shown at the place that the case's comment says.
public enum Orientation: String, Sendable, CaseIterable {
    /// (x, y)
    case up
    /// (w−1−x, y)
    case upMirrored
    /// (w−1−x, h−1−y)
    case down
    /// (x, h−1−y)
    case downMirrored
    /// Turned a quarter clockwise: (h−1−y, x)
    case right
    /// Turned a quarter counter-clockwise: (y, w−1−x)
    case left
    /// Reflected at the main diagonal: (y, x)
    case transposed
    /// Reflected at the other diagonal: (h−1−y, w−1−x)
    case antitransposed

    /// Whether width and height change places.
    public var swapsSides: Bool {
        switch self {
        case .right, .left, .transposed, .antitransposed: true
        default: false
        }
    }

    /// From the upper left 2 × 2 part of a display matrix, `x' = a·x + c·y`, `y' = b·x + d·y` with y downwards (ISO/IEC
    /// 14496-12, 6.2.2). Any scale is ignored. Returns nil when the matrix is none of the eight.
    public init?(a: Double, b: Double, c: Double, d: Double) {
        let largest = max(abs(a), abs(b), abs(c), abs(d))
        guard largest > 0 else { return nil }
        func sign(_ v: Double) -> Int { abs(v) < largest * 0.05 ? 0 : v > 0 ? 1 : -1 }
        switch (sign(a), sign(b), sign(c), sign(d)) {
        case (1, 0, 0, 1): self = .up
        case (-1, 0, 0, 1): self = .upMirrored
        case (-1, 0, 0, -1): self = .down
        case (1, 0, 0, -1): self = .downMirrored
        case (0, 1, -1, 0): self = .right
        case (0, -1, 1, 0): self = .left
        case (0, 1, 1, 0): self = .transposed
        case (0, -1, -1, 0): self = .antitransposed
        default: return nil
        }
    }

    /// From the EXIF tag Orientation (1…8).
    public init?(exif: Int) {
        let cases: [Orientation] = [
            .up, .upMirrored, .down, .downMirrored, .transposed, .right, .antitransposed, .left,
        ]
        guard (1...8).contains(exif) else { return nil }
        self = cases[exif - 1]
    }
}
