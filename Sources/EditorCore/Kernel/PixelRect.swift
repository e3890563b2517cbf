/// A rectangle of pixels: columns `x0..<x1`, rows `y0..<y1`.
package struct PixelRect: Sendable, Hashable {
    package var x0: Int
    package var y0: Int
    package var x1: Int
    package var y1: Int

    package init(x0: Int, y0: Int, x1: Int, y1: Int) { (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1) }

    package var width: Int { x1 - x0 }
    package var height: Int { y1 - y0 }
    package var isEmpty: Bool { x0 >= x1 || y0 >= y1 }

    package func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
    }

    /// The chroma samples that belong to these pixels when `x0` and `y0` are even.
    package var chroma: PixelRect {
        PixelRect(x0: x0 / 2, y0: y0 / 2, x1: (x1 + 1) / 2, y1: (y1 + 1) / 2)
    }
}
