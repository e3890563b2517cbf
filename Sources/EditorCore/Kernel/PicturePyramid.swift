/// A picture made ready for sampling: its visible part in the wanted colours, and halved copies made when needed.
///
/// Pixels are premultiplied and packed, four lanes of eight bits; every level is framed by `margin` repeated pixels, so
/// that a sampler needs no bounds checks. Not Sendable: levels are added on demand.
final class PicturePyramid {
    enum Colors: Hashable {
        /// Y′, C′B, C′R codes times alpha, then alpha.
        case yuv
        /// R′, G′, B′ times alpha, then alpha.
        case rgb
    }

    final class Level {
        let width: Int
        let height: Int
        /// `(height + 2 margin)` rows of `stride` pixels.
        let pixels: [SIMD4<UInt8>]
        var stride: Int { width + 2 * PicturePyramid.margin }

        init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> SIMD4<UInt8>) {
            self.width = width
            self.height = height
            let margin = PicturePyramid.margin
            let stride = width + 2 * margin
            let rows = height + 2 * margin
            pixels = [SIMD4<UInt8>](unsafeUninitializedCapacity: stride * rows) { out, count in
                for y in 0..<height {
                    let row = out.baseAddress! + (y + margin) * stride
                    for x in 0..<width { row[x + margin] = pixel(x, y) }
                    for x in 0..<margin {
                        row[x] = row[margin]
                        row[margin + width + x] = row[margin + width - 1]
                    }
                }
                for y in 0..<margin {
                    (out.baseAddress! + y * stride).update(from: out.baseAddress! + margin * stride, count: stride)
                    (out.baseAddress! + (margin + height + y) * stride)
                        .update(from: out.baseAddress! + (margin + height - 1) * stride, count: stride)
                }
                count = stride * rows
            }
        }
    }

    /// Repeated pixels on each side of a level: what a filter of radius 2 reaches from one pixel outside.
    static let margin = 4

    /// Kept alive because its identity is part of this pyramid's cache key.
    let picture: OverlayPicture
    /// The part of the picture that is not transparent, with one transparent pixel around it where there is one.
    let visible: PixelRect
    /// The least and the largest x + y and x − y of the middles of pixels that are not transparent, seen from the visible
    /// part's corner: a round picture has none in the corners.
    let sums: ClosedRange<Double>
    let differences: ClosedRange<Double>
    private(set) var byteCount = 0
    private let colors: Colors
    private var levels: [SIMD2<Int>: Level] = [:]
    private let filter = FilterWeights()

    init(_ picture: OverlayPicture, colors: Colors) {
        self.picture = picture
        self.colors = colors
        (visible, sums, differences) = Self.visiblePart(of: picture)
    }

    /// The visible part, halved `x` times across and `y` times down; its pixel `(i, j)` is the mean of the pixels
    /// `i·2^x..<(i + 1)·2^x` across and likewise down that exist. Nil for a picture without visible pixels.
    func level(x: Int, y: Int) -> Level? {
        if visible.isEmpty { return nil }
        if let level = levels[SIMD2(x, y)] { return level }
        let level =
            switch (x, y) {
            case (0, 0): convert()
            case (_, 0): halve(self.level(x: x - 1, y: 0)!, across: true, down: false)
            case (0, _): halve(self.level(x: 0, y: y - 1)!, across: false, down: true)
            default: halve(self.level(x: x - 1, y: y - 1)!, across: true, down: true)
            }
        levels[SIMD2(x, y)] = level
        byteCount += level.pixels.count * 4
        return level
    }

    /// The filter's weights for this radius; good until they are asked for with another one.
    func weights(radius: SIMD2<Float>) -> FilterWeights {
        filter.set(radius: radius)
        return filter
    }

    private func convert() -> Level {
        // What each of R′, G′, B′ and alpha adds to the premultiplied codes.
        let (y, u, v) = (BT709.luma * (219.0 / 255), BT709.toCb / 255, BT709.toCr / 255)
        let red = SIMD4(y.x, u.x, v.x, 0)
        let green = SIMD4(y.y, u.y, v.y, 0)
        let blue = SIMD4(y.z, u.z, v.z, 0)
        let opaque = SIMD4<Float>(16, 128, 128, 255) / 255
        return picture.pixels.withUnsafeBufferPointer { pixels in
            Level(width: visible.width, height: visible.height) { x, y in
                let i = ((y + visible.y0) * picture.width + x + visible.x0) * 4
                let alpha = pixels[i + 3]
                // The promise of premultiplied pixels, which the blend relies on: no colour exceeds its alpha.
                let (r, g, b) = (min(pixels[i], alpha), min(pixels[i + 1], alpha), min(pixels[i + 2], alpha))
                if colors == .rgb || alpha == 0 { return SIMD4(r, g, b, alpha) }
                var codes = red * Float(r) + green * Float(g)
                codes += blue * Float(b) + opaque * Float(alpha)
                return PixelLanes.bytes(codes)
            }
        }
    }

    private func halve(_ level: Level, across: Bool, down: Bool) -> Level {
        let (dx, dy) = (across ? 1 : 0, down ? 1 : 0)
        let (stride, margin) = (level.stride, Self.margin)
        // An odd last column or row is averaged with the margin, which repeats it.
        return level.pixels.withUnsafeBufferPointer { pixels in
            Level(width: (level.width + dx) >> dx, height: (level.height + dy) >> dy) { x, y in
                let i = (margin + y << dy) * stride + margin + x << dx
                @inline(__always) func at(_ i: Int) -> SIMD4<UInt16> { SIMD4(truncatingIfNeeded: pixels[i]) }
                let sum = at(i) &+ at(i + dx) &+ at(i + dy * stride) &+ at(i + dy * stride + dx)
                return SIMD4(truncatingIfNeeded: (sum &+ SIMD4(repeating: 2)) &>> SIMD4(repeating: 2))
            }
        }
    }

    private static func visiblePart(
        of picture: OverlayPicture
    ) -> (PixelRect, sums: ClosedRange<Double>, differences: ClosedRange<Double>) {
        var part = PixelRect(x0: picture.width, y0: picture.height, x1: 0, y1: 0)
        var (sums, differences) = ((least: Int.max, most: Int.min), (least: Int.max, most: Int.min))
        picture.pixels.withUnsafeBufferPointer { pixels in
            for y in 0..<picture.height {
                let row = y * picture.width
                guard let first = (0..<picture.width).first(where: { pixels[(row + $0) * 4 + 3] != 0 }) else {
                    continue
                }
                let last = (first..<picture.width).last { pixels[(row + $0) * 4 + 3] != 0 }!
                part.x0 = min(part.x0, first)
                part.x1 = max(part.x1, last + 1)
                part.y0 = min(part.y0, y)
                part.y1 = y + 1
                sums = (min(sums.least, first + y), max(sums.most, last + y))
                differences = (min(differences.least, first - y), max(differences.most, last - y))
            }
        }
        if part.isEmpty { return (part, 0...0, 0...0) }
        let visible = PixelRect(x0: part.x0 - 1, y0: part.y0 - 1, x1: part.x1 + 1, y1: part.y1 + 1)
            .intersection(PixelRect(x0: 0, y0: 0, x1: picture.width, y1: picture.height))
        // Two halves make one in the sum, and none in the difference.
        let (sum, difference) = (Double(1 - visible.x0 - visible.y0), Double(visible.y0 - visible.x0))
        return (
            visible, Double(sums.least) + sum...Double(sums.most) + sum,
            Double(differences.least) + difference...Double(differences.most) + difference
        )
    }
}
