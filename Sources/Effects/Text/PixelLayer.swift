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

    /// Lays another layer over a part of this one, which holds it whole.
    mutating func cover(with top: PixelLayer, x: Int = 0, y: Int = 0) {
        precondition(x >= 0 && y >= 0 && x + top.width <= width && y + top.height <= height, "the layer lies outside")
        let (width, topWidth, topHeight) = (width, top.width, top.height)
        pixels.withUnsafeMutableBytes { below in
            top.pixels.withUnsafeBytes { top in
                guard let topBase = top.baseAddress else { return }
                for row in 0..<topHeight {
                    let source = (topBase + row &* topWidth &* 4).assumingMemoryBound(to: SIMD4<UInt8>.self)
                    let target = (below.baseAddress! + ((y &+ row) &* width &+ x) &* 4)
                        .assumingMemoryBound(to: SIMD4<UInt8>.self)
                    for i in 0..<topWidth {
                        let pixel = source[i]
                        if pixel.w == 0 { continue }
                        target[i] = pixel.w == 255 ? pixel : pixel &+ Self.product(target[i], 255 &- pixel.w)
                    }
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

    /// Lane by lane as the one below.
    @inline(__always)
    private static func product(_ a: SIMD4<UInt8>, _ b: UInt8) -> SIMD4<UInt8> {
        let t =
            SIMD4<UInt16>(truncatingIfNeeded: a) &* SIMD4<UInt16>(repeating: UInt16(b))
            &+ SIMD4<UInt16>(repeating: 128)
        return SIMD4<UInt8>(
            truncatingIfNeeded: (t &+ t &>> SIMD4<UInt16>(repeating: 8)) &>> SIMD4<UInt16>(repeating: 8))
    }

    /// a · b / 255, rounded to the nearest.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let t = UInt32(a) &* UInt32(b) &+ 128
        return UInt8(truncatingIfNeeded: (t &+ t >> 8) >> 8)
    }
}
