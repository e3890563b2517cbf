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
        pixels.withUnsafeMutableBufferPointer { pixels in
            mask.pixels.withUnsafeBufferPointer { mask in
                for i in 0..<mask.count where mask[i] > 0 {
                    let alpha = Self.product(mask[i], color.alpha)
                    pixels[i &* 4] = Self.product(color.red, alpha)
                    pixels[i &* 4 &+ 1] = Self.product(color.green, alpha)
                    pixels[i &* 4 &+ 2] = Self.product(color.blue, alpha)
                    pixels[i &* 4 &+ 3] = alpha
                }
            }
        }
    }

    /// Lays another layer of the same size over this one.
    mutating func cover(with top: PixelLayer) {
        precondition(top.pixels.count == pixels.count, "layers have one size")
        pixels.withUnsafeMutableBufferPointer { pixels in
            top.pixels.withUnsafeBufferPointer { top in
                for i in stride(from: 0, to: top.count, by: 4) where top[i &+ 3] > 0 {
                    let rest = 255 &- top[i &+ 3]
                    for c in i..<i &+ 4 { pixels[c] = top[c] &+ Self.product(pixels[c], rest) }
                }
            }
        }
    }

    /// Takes a shape out of this layer and puts `inside`, which lies within the shape, there: no seam shows along the
    /// edge, where a pixel belongs to both, and nothing of this layer shows through a translucent `inside`.
    mutating func replace(within shape: CoverageMask, by inside: PixelLayer) {
        precondition(
            inside.pixels.count == pixels.count && shape.pixels.count * 4 == pixels.count, "layers have one size")
        pixels.withUnsafeMutableBufferPointer { pixels in
            shape.pixels.withUnsafeBufferPointer { shape in
                inside.pixels.withUnsafeBufferPointer { inside in
                    for i in 0..<shape.count where shape[i] > 0 {
                        let p = i &* 4
                        for c in p..<p &+ 4 {
                            let rest = Self.product(pixels[c], 255 &- shape[i])
                            pixels[c] = UInt8(min(255, UInt32(inside[c]) &+ UInt32(rest)))
                        }
                        // Roundings must not leave a colour above its alpha.
                        for c in p..<p &+ 3 { pixels[c] = min(pixels[c], pixels[p &+ 3]) }
                    }
                }
            }
        }
    }

    /// a · b / 255, rounded to the nearest.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let t = UInt32(a) &* UInt32(b) &+ 128
        return UInt8(truncatingIfNeeded: (t &+ t >> 8) >> 8)
    }
}
