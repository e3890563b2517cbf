internal import EditorCore

/// Unsharp masking of a picture in place, row by row from the top: adds a part of the difference between a pixel and
/// its 3 × 3 binomial mean. Differences of the size of grain are left alone and large ones are cut off, which keeps
/// halos away.
final class Sharpening {
    /// How far flat skin is kept from being sharpened.
    static let skinShelter: Float = 0.9
    /// Differences up to this many levels count as grain.
    static let grain = 1.5
    /// The largest change in levels, before strength.
    static let limit = 16.0
    /// What full strength multiplies the difference with.
    static let gain = 1.5

    private let width: Int
    /// Grain and limit in 1/16 levels. Kept as values: with constants the compiler turns the limits in the loop below
    /// into long selections instead of two instructions each.
    private let bounds = (grain: Int16(Sharpening.grain * 16), limit: Int16(Sharpening.limit * 16))
    /// Sums of the row above the present one and the present one, as they were.
    private let pairs: Scratch<Int16>
    /// Sums of three rows with weights 1, 2, 1.
    private let sums: Scratch<Int16>
    private let details: Scratch<Int16>

    init(width: Int) {
        self.width = width
        pairs = Scratch(width, zero: 0)
        sums = Scratch(width, zero: 0, margin: 1)
        details = Scratch(width, zero: 0)
    }

    /// Takes the differences of a row before anything is written to it. Rows come from the first to the last.
    /// - Parameter next: the row below, as it was.
    func measure(_ row: UnsafePointer<UInt8>, next: UnsafePointer<UInt8>, isFirst: Bool) {
        let (pairs, sums, details) = (pairs.base, sums.base, details.base)
        if isFirst { for x in 0..<width { pairs[x] = 2 &* Int16(row[x]) } }
        for x in 0..<width {
            let pair = Int16(row[x]) &+ Int16(next[x])
            sums[x] = pairs[x] &+ pair
            pairs[x] = pair
        }
        (sums[-1], sums[width]) = (sums[0], sums[width - 1])
        let (grain, limit) = (bounds.grain, bounds.limit)
        for x in 0..<width {
            let mean = sums[x &- 1] &+ 2 &* sums[x] &+ sums[x &+ 1]
            let difference = 16 &* Int16(row[x]) &- mean
            let beyond = difference &- max(-grain, min(grain, difference))
            details[x] = max(-limit, min(limit, beyond))
        }
    }

    /// Adds the differences that were measured to pixels `range` of the row.
    /// - Parameters:
    ///   - upper, lower: strengths above and below the row, in 1/4096.
    ///   - weight: weight of `lower` in eighths.
    func apply(
        _ pixels: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, upper: UnsafePointer<Int16>,
        lower: UnsafePointer<Int16>, weight: Int16
    ) {
        let details = details.base
        let scale = Int16(Self.gain * 16)
        for x in range {
            // 1/16 levels times 16 times strength; in 1/128 levels.
            let gain = highProduct(between(upper[x], lower[x], weight), details[x] &* scale)
            pixels[x] = clamped(Int16(pixels[x]) &+ ((gain &+ 64) &>> 7))
        }
    }

    /// The same with one strength, 0…1.
    func apply(_ pixels: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, strength: Double) {
        let details = details.base
        // In 1/1024 levels a product stays within 16 bits: 16 levels times 1.5 are 24.
        let scale = Int16((Self.gain * strength * 64).rounded())
        for x in range {
            pixels[x] = clamped(Int16(pixels[x]) &+ ((details[x] &* scale &+ 512) &>> 10))
        }
    }
}
