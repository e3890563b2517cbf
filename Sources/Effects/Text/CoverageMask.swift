internal import Glibc

/// How much of each pixel a shape covers, 0…255; rows × `width`.
struct CoverageMask {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    /// The shape grown by `distance` pixels on all sides, with round corners.
    ///
    /// The nearest covered pixel of each pixel comes from the exact distance transform of Felzenszwalb and Huttenlocher
    /// (Distance Transforms of Sampled Functions, 2012): first along columns, then along rows by the lower envelope of
    /// parabolas. The edge lies half a pixel beyond a fully covered pixel's middle, and nearer as it is covered less.
    func grown(by distance: Double) -> CoverageMask {
        guard distance > 0, width > 0, height > 0 else { return self }
        var result = self
        let reach = distance + 1
        let gaps = columnGaps(upTo: Int32(reach.rounded(.up)) + 1)
        withUnsafeTemporaryAllocation(of: Int.self, capacity: width) { sites in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: width) { bounds in
                gaps.withUnsafeBufferPointer { gaps in
                    pixels.withUnsafeBufferPointer { source in
                        result.pixels.withUnsafeMutableBufferPointer { target in
                            for y in 0..<height {
                                growRow(
                                    y, distance, gaps.baseAddress! + y * width, source.baseAddress!,
                                    target.baseAddress!,
                                    sites.baseAddress!, bounds.baseAddress!)
                            }
                        }
                    }
                }
            }
        }
        return result
    }

    /// Signed rows from each pixel to the nearest covered one of its column; `far` where none is nearer than that.
    private func columnGaps(upTo far: Int32) -> [Int32] {
        [Int32](unsafeUninitializedCapacity: width * height) { gaps, count in
            count = width * height
            pixels.withUnsafeBufferPointer { source in
                let (gap, covered, width) = (gaps.baseAddress!, source.baseAddress!, width)
                for x in 0..<width { gap[x] = covered[x] > 0 ? 0 : -far }
                for i in stride(from: width, to: width * height, by: 1) {
                    gap[i] = covered[i] > 0 ? 0 : max(gap[i &- width] &- 1, -far)
                }
                for i in stride(from: width * (height - 1) - 1, through: 0, by: -1) {
                    // What lies below counts up.
                    let below = gap[i &+ width]
                    let step = below >= 0 ? below &+ 1 : -below &+ 1
                    let isFromBelow = below >= 0 && step < -gap[i]
                    gap[i] = isFromBelow ? step : gap[i]
                }
                for i in 0..<width * height where gap[i] == -far { gap[i] = far }
            }
        }
    }

    private func growRow(
        _ y: Int, _ distance: Double, _ gaps: UnsafePointer<Int32>, _ source: UnsafePointer<UInt8>,
        _ target: UnsafeMutablePointer<UInt8>, _ sites: UnsafeMutablePointer<Int>,
        _ bounds: UnsafeMutablePointer<Double>
    ) {
        func squared(_ x: Int) -> Double { Double(gaps[x]) * Double(gaps[x]) }
        let farthest = Int32(distance + 1)
        var count = 0
        for x in 0..<width where abs(gaps[x]) <= farthest {
            let height = squared(x) + Double(x &* x)
            var bound = -Double.infinity
            while count > 0 {
                let site = sites[count &- 1]
                bound = (height - squared(site) - Double(site &* site)) / Double(2 &* (x &- site))
                if bound > bounds[count &- 1] { break }
                count &-= 1
                bound = -.infinity
            }
            sites[count] = x
            bounds[count] = bound
            count &+= 1
        }
        if count == 0 { return }
        let limit = (distance + 1) * (distance + 1)
        var current = 0
        for x in 0..<width {
            while current &+ 1 < count, bounds[current &+ 1] <= Double(x) { current &+= 1 }
            let here = y &* width &+ x
            if source[here] == 255 { continue }
            let site = sites[current]
            let square = squared(site) + Double((x &- site) &* (x &- site))
            if square > limit { continue }
            let nearest = source[(y &+ Int(gaps[site])) &* width &+ site]
            let toEdge = square.squareRoot() + 0.5 - Double(nearest) / 255
            let coverage = min(1, max(0, distance - toEdge + 0.5))
            target[here] = max(target[here], UInt8(coverage * 255 + 0.5))
        }
    }

    /// The shape moved right and down by whole pixels; what leaves the mask is gone.
    func moved(by dx: Int, _ dy: Int) -> CoverageMask {
        if dx == 0, dy == 0 { return self }
        var result = CoverageMask(width: width, height: height, pixels: [UInt8](repeating: 0, count: pixels.count))
        let (from, count) = (max(0, -dx), max(0, width - abs(dx)))
        for y in max(0, dy)..<max(max(0, dy), min(height, height + dy)) where count > 0 {
            let start = (y - dy) * width + from
            let place = y * width + max(0, dx)
            result.pixels.replaceSubrange(place..<place + count, with: pixels[start..<start + count])
        }
        return result
    }

    /// The shape blurred by about a Gaussian of this standard deviation: three box blurs in each direction, as the W3C's
    /// filter effects describe.
    func blurred(deviation: Double) -> CoverageMask {
        var result = self
        guard !pixels.isEmpty else { return self }
        for box in BoxBlur.boxes(deviation: deviation) {
            result.pixels.withUnsafeMutableBufferPointer { pixels in
                box.blurRows(pixels.baseAddress!, width: width, height: height)
                box.blurColumns(pixels.baseAddress!, width: width, height: height)
            }
        }
        return result
    }
}

/// Replaces each pixel by the mean of `before` pixels before it, itself, and `after` behind it; there is nothing beyond
/// the edges.
struct BoxBlur: Equatable {
    var before: Int
    var after: Int

    private var size: Int { before + after + 1 }
    /// 2²⁴ / size: a product in 32 bits takes the place of a division, since 255 · 2²⁴ + 2²³ < 2³².
    private var reciprocal: UInt32 { UInt32(((1 << 24) + size / 2) / size) }

    /// The three boxes whose sequence is about a Gaussian; none for less than a pixel.
    static func boxes(deviation: Double) -> [BoxBlur] {
        let size = Int((deviation * 3 * (2 * .pi).squareRoot() / 4 + 0.5).rounded(.down))
        guard size > 1 else { return [] }
        let half = size / 2
        if size % 2 == 1 { return Array(repeating: BoxBlur(before: half, after: half), count: 3) }
        // Even boxes stand half a pixel aside once to each side, and the third is odd.
        return [
            BoxBlur(before: half, after: half - 1), BoxBlur(before: half - 1, after: half),
            BoxBlur(before: half, after: half),
        ]
    }

    func blurRows(_ pixels: UnsafeMutablePointer<UInt8>, width: Int, height: Int) {
        let (before, after, reciprocal) = (before, after, reciprocal)
        // A copy with zeros around it needs no tests at the edges.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width + size) { line in
            line.initialize(repeating: 0)
            let line = line.baseAddress!
            for y in 0..<height {
                let row = pixels + y * width
                (line + before + 1).update(from: row, count: width)
                var sum: UInt32 = 0
                for i in 0..<min(after, width) { sum &+= UInt32(row[i]) }
                for x in 0..<width {
                    let entering: UInt32 = x &+ after < width ? UInt32(line[x &+ before &+ 1 &+ after]) : 0
                    sum = sum &+ entering &- UInt32(line[x])
                    row[x] = UInt8(truncatingIfNeeded: (sum &* reciprocal &+ 1 << 23) >> 24)
                }
            }
        }
    }

    func blurColumns(_ pixels: UnsafeMutablePointer<UInt8>, width: Int, height: Int) {
        let (before, after, reciprocal) = (before, after, reciprocal)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width) { sums in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width * height) { copy in
                sums.initialize(repeating: 0)
                let (sums, copy) = (sums.baseAddress!, copy.baseAddress!)
                copy.update(from: pixels, count: width * height)
                for y in 0..<min(after, height) {
                    for x in 0..<width { sums[x] &+= UInt32(copy[y &* width &+ x]) }
                }
                for y in 0..<height {
                    if y + after < height {
                        let row = copy + (y + after) * width
                        for x in 0..<width { sums[x] &+= UInt32(row[x]) }
                    }
                    if y > before {
                        let row = copy + (y - before - 1) * width
                        for x in 0..<width { sums[x] &-= UInt32(row[x]) }
                    }
                    let row = pixels + y * width
                    for x in 0..<width { row[x] = UInt8(truncatingIfNeeded: (sums[x] &* reciprocal &+ 1 << 23) >> 24) }
                }
            }
        }
    }
}
