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
        let far = Int32.max / 4
        // Signed row distance to the nearest covered pixel in the same column.
        var rows = [Int32](repeating: far, count: pixels.count)
        for x in 0..<width {
            var last = far
            for y in 0..<height {
                if pixels[y * width + x] > 0 { last = Int32(y) }
                if last != far { rows[y * width + x] = last - Int32(y) }
            }
            last = far
            for y in stride(from: height - 1, through: 0, by: -1) {
                if pixels[y * width + x] > 0 { last = Int32(y) }
                let here = rows[y * width + x]
                if last != far, here == far || last - Int32(y) < abs(here) { rows[y * width + x] = last - Int32(y) }
            }
        }
        var result = self
        var sites = [Int](repeating: 0, count: width)
        var bounds = [Double](repeating: 0, count: width + 1)
        for y in 0..<height {
            let row = y * width
            var count = 0
            for x in 0..<width where rows[row + x] != far {
                let height = squared(rows[row + x]) + Double(x * x)
                var bound = -Double.infinity
                while count > 0 {
                    let site = sites[count - 1]
                    bound = (height - squared(rows[row + site]) - Double(site * site)) / Double(2 * (x - site))
                    if bound > bounds[count - 1] { break }
                    count -= 1
                    bound = -.infinity
                }
                sites[count] = x
                bounds[count] = bound
                count += 1
            }
            if count == 0 { continue }
            var current = 0
            for x in 0..<width {
                while current + 1 < count, bounds[current + 1] <= Double(x) { current += 1 }
                let site = sites[current]
                let gap = (squared(rows[row + site]) + Double((x - site) * (x - site))).squareRoot()
                if gap > distance + 1 { continue }
                let nearest = pixels[(y + Int(rows[row + site])) * width + site]
                let toEdge = gap + 0.5 - Double(nearest) / 255
                let coverage = min(1, max(0, distance - toEdge + 0.5))
                result.pixels[row + x] = max(result.pixels[row + x], UInt8(coverage * 255 + 0.5))
            }
        }
        return result
    }

    private func squared(_ value: Int32) -> Double { Double(value) * Double(value) }

    /// The shape moved right and down by whole pixels; what leaves the mask is gone.
    func moved(by dx: Int, _ dy: Int) -> CoverageMask {
        var result = CoverageMask(width: width, height: height, pixels: [UInt8](repeating: 0, count: pixels.count))
        for y in max(0, dy)..<max(max(0, dy), min(height, height + dy)) {
            for x in max(0, dx)..<max(max(0, dx), min(width, width + dx)) {
                result.pixels[y * width + x] = pixels[(y - dy) * width + x - dx]
            }
        }
        return result
    }

    /// The shape blurred by about a Gaussian of this standard deviation: three box blurs in each direction, as the W3C's
    /// filter effects describe.
    func blurred(deviation: Double) -> CoverageMask {
        let size = Int((deviation * 3 * (2 * .pi).squareRoot() / 4 + 0.5).rounded(.down))
        guard size > 1 else { return self }
        // Even boxes stand half a pixel aside once to each side, and the third is odd.
        let boxes =
            size % 2 == 1
            ? [(size / 2, size / 2), (size / 2, size / 2), (size / 2, size / 2)]
            : [(size / 2, size / 2 - 1), (size / 2 - 1, size / 2), (size / 2, size / 2)]
        var result = self
        var line = [UInt8](repeating: 0, count: max(width, height))
        for (before, after) in boxes {
            for y in 0..<height { result.average(from: y * width, step: 1, count: width, before, after, &line) }
            for x in 0..<width { result.average(from: x, step: width, count: height, before, after, &line) }
        }
        return result
    }

    /// Replaces each pixel of a line by the mean of `before` pixels before it, itself, and `after` behind it.
    private mutating func average(
        from start: Int, step: Int, count: Int, _ before: Int, _ after: Int, _ line: inout [UInt8]
    ) {
        for i in 0..<count { line[i] = pixels[start + i * step] }
        let size = before + after + 1
        var sum = 0
        for i in 0..<min(after, count) { sum += Int(line[i]) }
        for i in 0..<count {
            if i + after < count { sum += Int(line[i + after]) }
            if i - before > 0 { sum -= Int(line[i - before - 1]) }
            pixels[start + i * step] = UInt8((sum + size / 2) / size)
        }
    }
}
