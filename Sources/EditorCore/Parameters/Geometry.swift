/// A place on a canvas as fractions of its width and height, `(0, 0)` top left; or any pair of numbers.
public struct Point: Interpolatable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    public func interpolated(to other: Point, at fraction: Double) -> Point {
        Point(x.interpolated(to: other.x, at: fraction), y.interpolated(to: other.y, at: fraction))
    }
}

/// A length on a canvas: a fraction of its width plus a number of pixels.
public struct Length: Interpolatable {
    public var fraction: Double
    public var pixels: Double

    public init(fraction: Double = 0, pixels: Double = 0) { (self.fraction, self.pixels) = (fraction, pixels) }

    /// The length in pixels on a canvas `width` pixels wide.
    public func pixels(onWidth width: Int) -> Double { fraction * Double(width) + pixels }

    public func interpolated(to other: Length, at t: Double) -> Length {
        Length(
            fraction: fraction.interpolated(to: other.fraction, at: t),
            pixels: pixels.interpolated(to: other.pixels, at: t))
    }
}

/// A whole number of pixels across and down.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    public var description: String { "\(width)×\(height)" }
}

/// An sRGB colour with straight alpha, eight bits each.
public struct Color: Sendable, Hashable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    public static let white = Color(red: 255, green: 255, blue: 255)
    public static let black = Color(red: 0, green: 0, blue: 0)
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// Six hexadecimal digits `rrggbb`, or eight with alpha last, with or without `#`; nil for anything else.
    public init?(hex text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        let rgba = digits.utf8.count == 8 ? value : value << 8 | 0xff
        self.init(
            red: UInt8(rgba >> 24), green: UInt8(rgba >> 16 & 255), blue: UInt8(rgba >> 8 & 255),
            alpha: UInt8(rgba & 255))
    }

    public var description: String {
        let bytes = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
