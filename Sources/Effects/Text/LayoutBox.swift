/// An upright rectangle in pixels, y pointing down.
struct LayoutBox: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var maxX: Double { x + width }
    var maxY: Double { y + height }
    var isEmpty: Bool { width <= 0 || height <= 0 }

    func union(_ other: LayoutBox) -> LayoutBox {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return LayoutBox(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// What both hold; with a side of 0 where that is nothing.
    func intersection(_ other: LayoutBox) -> LayoutBox {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return LayoutBox(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
    }

    func grown(by dx: Double, _ dy: Double) -> LayoutBox {
        LayoutBox(x: x - dx, y: y - dy, width: width + 2 * dx, height: height + 2 * dy)
    }

    func moved(by dx: Double, _ dy: Double) -> LayoutBox {
        LayoutBox(x: x + dx, y: y + dy, width: width, height: height)
    }

    /// The smallest rectangle of whole pixels that holds this one.
    var wholePixels: LayoutBox {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        return LayoutBox(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
    }
}
