/// A row of packed pixels, each the weighted mean of neighbours above one another, for a filter across to follow.
///
/// Sixteen bits hold a code times 256, and the weights' sum is 256. Red and blue go together, and green and alpha, since
/// a vector of sixteen-bit lanes is multiplied at once and nothing has to be widened.
struct ColumnFilter {
    /// Four pixels beside each other, in whole codes.
    struct Four {
        let redBlue: SIMD8<UInt16>
        let greenAlpha: SIMD8<UInt16>

        /// Their weighted mean, rounded to whole codes.
        /// - Parameter weights: each stands twice; their sum is 2 · 256.
        @inline(__always)
        func across(_ weights: SIMD8<UInt16>) -> SIMD4<UInt8> {
            let (rb, ga) = (Self.sum(redBlue &* weights), Self.sum(greenAlpha &* weights))
            // Rounded to codes, in every other byte.
            let pixel = ((rb &+ 0x0080_0080) >> 8) & 0x00ff_00ff | (ga &+ 0x0080_0080) & 0xff00_ff00
            return unsafeBitCast(pixel, to: SIMD4<UInt8>.self)
        }

        /// The sum of four pairs of lanes, as a pair; no lane overflows.
        @inline(__always)
        private static func sum(_ lanes: SIMD8<UInt16>) -> UInt32 {
            let halves = unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
            let pairs = halves.x &+ halves.y
            return UInt32(truncatingIfNeeded: pairs) &+ UInt32(truncatingIfNeeded: pairs >> 32)
        }
    }

    private let redBlue: UnsafeMutablePointer<SIMD8<UInt16>>
    private let greenAlpha: UnsafeMutablePointer<SIMD8<UInt16>>

    /// The scratch that a row of so many pixels needs.
    static func scratchCount(pixels: Int) -> Int { 2 * ((pixels + 3) / 4) }

    /// - Parameters:
    ///   - corner: the first pixel of the highest row. Up to three pixels beyond `count` are read.
    ///   - down: a weight for each row.
    ///   - scratch: room for `scratchCount(pixels: count)`, where the row lives.
    @inline(__always)
    init(
        _ corner: UnsafePointer<SIMD4<UInt8>>, stride: Int, count: Int, down: SIMD4<UInt16>, rows: Int,
        scratch: UnsafeMutablePointer<SIMD8<UInt16>>
    ) {
        let fours = (count &+ 3) / 4
        redBlue = scratch
        greenAlpha = scratch + fours
        for i in 0..<fours {
            let four = Self.mean(corner + i &* 4, stride: stride, down: down, rows: rows)
            redBlue[i] = four.redBlue
            greenAlpha[i] = four.greenAlpha
        }
    }

    /// The four pixels from `index` on.
    @inline(__always)
    subscript(index: Int) -> Four {
        Four(
            redBlue: UnsafeRawPointer(redBlue).loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<UInt16>.self),
            greenAlpha: UnsafeRawPointer(greenAlpha).loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<UInt16>.self))
    }

    /// The mean down four columns, rounded to whole codes.
    @inline(__always)
    static func mean(_ corner: UnsafePointer<SIMD4<UInt8>>, stride: Int, down: SIMD4<UInt16>, rows: Int) -> Four {
        let (low, eight) = (SIMD8<UInt16>(repeating: 255), SIMD8<UInt16>(repeating: 8))
        let half = SIMD8<UInt16>(repeating: 128)
        var (redBlue, greenAlpha) = (half, half)
        for row in 0..<rows {
            let four = UnsafeRawPointer(corner + row &* stride).loadUnaligned(as: SIMD8<UInt16>.self)
            let weight = SIMD8<UInt16>(repeating: down[row])
            redBlue = redBlue &+ (four & low) &* weight
            greenAlpha = greenAlpha &+ (four &>> eight) &* weight
        }
        return Four(redBlue: redBlue &>> eight, greenAlpha: greenAlpha &>> eight)
    }
}
