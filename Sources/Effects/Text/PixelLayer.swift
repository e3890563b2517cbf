internal import EditorCore

/// Premultiplied R, G, B, A bytes to put layers together; rows × `width * 4`.
struct PixelLayer {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, pixels: [UInt8]? = nil) {
        self.width = width
        self.height = height
        self.pixels = pixels ?? [UInt8](repeating: 0, count: width * height * 4)
    }

    /// A shape in one colour.
    init(_ mask: CoverageMask, color: Color) {
        self.init(width: mask.width, height: mask.height)
        for i in mask.pixels.indices where mask.pixels[i] > 0 {
            let alpha = Self.product(mask.pixels[i], color.alpha)
            pixels[i * 4] = Self.product(color.red, alpha)
            pixels[i * 4 + 1] = Self.product(color.green, alpha)
            pixels[i * 4 + 2] = Self.product(color.blue, alpha)
            pixels[i * 4 + 3] = alpha
        }
    }

    /// Lays another layer over this one.
    mutating func cover(with top: PixelLayer) {
        for i in stride(from: 0, to: pixels.count, by: 4) {
            let rest = 255 - top.pixels[i + 3]
            if rest == 255 { continue }
            for c in i..<i + 4 { pixels[c] = top.pixels[c] &+ Self.product(pixels[c], rest) }
        }
    }

    /// Takes a shape out of this layer and puts `inside`, which lies within the shape, there: no seam shows along the
    /// edge, where a pixel belongs to both, and nothing of this layer shows through a translucent `inside`.
    mutating func replace(within shape: CoverageMask, by inside: PixelLayer) {
        for i in shape.pixels.indices where shape.pixels[i] > 0 {
            for c in i * 4..<i * 4 + 4 {
                let sum = Int(inside.pixels[c]) + Int(Self.product(pixels[c], 255 - shape.pixels[i]))
                pixels[c] = UInt8(min(255, sum))
            }
            // Roundings must not leave a colour above its alpha.
            for c in i * 4..<i * 4 + 3 { pixels[c] = min(pixels[c], pixels[i * 4 + 3]) }
        }
    }

    /// a · b / 255, rounded to the nearest.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let t = UInt32(a) &* UInt32(b) &+ 128
        return UInt8(truncatingIfNeeded: (t &+ t >> 8) >> 8)
    }
}
