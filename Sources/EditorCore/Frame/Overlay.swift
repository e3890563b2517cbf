/// A small immutable picture of premultiplied R, G, B, A bytes (full-range BT.709 R′G′B′), rows × `width * 4`.
///
/// Its identity is its cache key: give the same object for the same picture, and the core converts it once.
public final class OverlayPicture: Sendable {
    public let width: Int
    public let height: Int
    /// `width * height * 4` bytes; no colour byte exceeds its alpha.
    public let pixels: [UInt8]

    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4, "the pixels do not fit the size")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Premultiplies straight alpha.
    public convenience init(width: Int, height: Int, straight pixels: [UInt8]) {
        var premultiplied = pixels
        for i in stride(from: 0, to: pixels.count, by: 4) where pixels[i + 3] != 255 {
            let alpha = Int(pixels[i + 3])
            for c in i..<i + 3 { premultiplied[c] = UInt8((Int(pixels[c]) * alpha + 127) / 255) }
        }
        self.init(width: width, height: height, pixels: premultiplied)
    }
}

/// How an overlay meets what is below. The formulas are those of the W3C's Compositing and Blending Level 1.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
    case normal, multiply, screen, overlay, softLight, add
}

/// A picture and where it stands on the canvas. The core blends the rectangle it covers, with antialiased edges.
public struct Overlay: Sendable {
    public var picture: OverlayPicture
    /// Where the picture's centre lies, in canvas pixels from the top left corner (sub-pixel).
    public var center: Point
    /// Canvas pixels per picture pixel; negative values mirror.
    public var scale: Point
    /// Degrees clockwise about the centre.
    public var rotation: Double
    /// 0…1; multiplies the picture's alpha.
    public var opacity: Double
    public var blendMode: BlendMode

    public init(
        _ picture: OverlayPicture, center: Point, scale: Point = Point(1, 1), rotation: Double = 0, opacity: Double = 1,
        blendMode: BlendMode = .normal
    ) {
        self.picture = picture
        self.center = center
        self.scale = scale
        self.rotation = rotation
        self.opacity = opacity
        self.blendMode = blendMode
    }
}
