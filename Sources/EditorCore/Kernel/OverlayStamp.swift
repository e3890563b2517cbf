/// An overlay drawn at its place: the covered rectangle of the canvas, premultiplied, ready to blend.
///
/// Not Sendable. The memory is reused by `draw(…, reusing:)`.
final class OverlayStamp {
    /// Columns of a row that hold something; empty when nothing does.
    typealias Span = Range<Int32>

    /// Kept alive because its identity is part of this stamp's cache key.
    let picture: OverlayPicture
    let colors: PicturePyramid.Colors
    /// The covered luma; begins at even columns and rows.
    let luma: PixelRect
    let chroma: PixelRect
    private let memory: UnsafeMutableRawBufferPointer
    private var spans: [Span]
    private var ownsMemory = true

    /// Bytes of memory held.
    var byteCount: Int { memory.count + spans.capacity * MemoryLayout<Span>.stride }

    private init(
        _ picture: OverlayPicture, colors: PicturePyramid.Colors, luma: PixelRect, reusing spare: OverlayStamp?,
        isPassing: Bool
    ) {
        self.picture = picture
        self.colors = colors
        self.luma = luma
        chroma = luma.chroma
        let (full, half) = (luma.width * luma.height, luma.chroma.width * luma.chroma.height)
        let needed = colors == .yuv ? 2 * full + 3 * half : 4 * (full + half)
        // What is kept must not hold much more than it needs.
        if let spare, spare.memory.count >= needed, isPassing || spare.memory.count <= 4 * needed + Self.grain {
            spare.ownsMemory = false
            memory = spare.memory
            spans = spare.spans
            spare.spans = []
        } else {
            // In steps, so that a moving overlay's slightly different rectangles fit each other's memory.
            memory = .allocate(byteCount: (needed + Self.grain - 1) / Self.grain * Self.grain, alignment: 64)
            spans = []
        }
        spans.removeAll(keepingCapacity: true)
        spans.reserveCapacity(luma.height + chroma.height)
    }

    private static let grain = 1 << 16

    deinit { if ownsMemory { memory.deallocate() } }

    /// Draws a picture. Nil when the canvas shows nothing of it.
    /// - Parameters:
    ///   - spare: a stamp that nobody uses any more, whose memory may be taken.
    ///   - isPassing: whether the stamp is used once.
    static func draw(
        _ pyramid: PicturePyramid, _ placement: StampPlacement, colors: PicturePyramid.Colors, canvas: PixelSize,
        reusing spare: OverlayStamp?, isPassing: Bool
    ) -> OverlayStamp? {
        guard let sampler = PictureSampler(pyramid, placement, canvas: canvas) else { return nil }
        let bounds = sampler.bounds
        // An odd column also reaches the chroma sample on its right.
        let rect = PixelRect(x0: bounds.x0 & ~1, y0: bounds.y0 & ~1, x1: bounds.x1 & ~1 + 2, y1: (bounds.y1 + 1) & ~1)
        let stamp = OverlayStamp(
            pyramid.picture, colors: colors,
            luma: rect.intersection(PixelRect(x0: 0, y0: 0, x1: canvas.width, y1: canvas.height)),
            reusing: spare, isPassing: isPassing)
        stamp.fill(from: sampler, canvas: canvas)
        return stamp
    }

    // MARK: Planes of a `.yuv` stamp, rows of `luma.width` or `chroma.width` bytes

    private var fullCount: Int { luma.width * luma.height }
    private var halfCount: Int { chroma.width * chroma.height }
    private var bytes: UnsafeMutablePointer<UInt8> { memory.baseAddress!.assumingMemoryBound(to: UInt8.self) }
    var y: UnsafeMutablePointer<UInt8> { bytes }
    var alpha: UnsafeMutablePointer<UInt8> { bytes + fullCount }
    var u: UnsafeMutablePointer<UInt8> { bytes + 2 * fullCount }
    var v: UnsafeMutablePointer<UInt8> { u + halfCount }
    var chromaAlpha: UnsafeMutablePointer<UInt8> { v + halfCount }

    // MARK: Packed pixels of an `.rgb` stamp

    private var packed: UnsafeMutablePointer<SIMD4<UInt8>> {
        memory.baseAddress!.assumingMemoryBound(to: SIMD4<UInt8>.self)
    }
    var rgba: UnsafeMutablePointer<SIMD4<UInt8>> { packed }
    var chromaRGBA: UnsafeMutablePointer<SIMD4<UInt8>> { packed + fullCount }

    /// Columns of luma row `row` of the stamp that are not transparent.
    func lumaSpan(_ row: Int) -> Range<Int> { Int(spans[row].lowerBound)..<Int(spans[row].upperBound) }
    /// Likewise of a chroma row.
    func chromaSpan(_ row: Int) -> Range<Int> {
        Int(spans[luma.height + row].lowerBound)..<Int(spans[luma.height + row].upperBound)
    }

    private func fill(from sampler: PictureSampler, canvas: PixelSize) {
        withUnsafeTemporaryAllocation(of: SIMD8<UInt16>.self, capacity: max(1, sampler.scratchCount)) { scratch in
            fill(from: sampler, canvas: canvas, scratch: scratch.baseAddress!)
        }
    }

    private func fill(
        from sampler: PictureSampler, canvas: PixelSize, scratch: UnsafeMutablePointer<SIMD8<UInt16>>
    ) {
        let width = luma.width
        for _ in 0..<luma.height + chroma.height { spans.append(0..<0) }
        // Two rows with a pixel more on either side for the chroma filter, and a row of chroma.
        let padded = width + 2
        withUnsafeTemporaryAllocation(of: SIMD4<UInt8>.self, capacity: 2 * padded + chroma.width) { rows in
            let (upper, lower) = (rows.baseAddress!, rows.baseAddress! + padded)
            let half = rows.baseAddress! + 2 * padded
            for pair in 0..<chroma.height {
                for index in 2 * pair...2 * pair + 1 {
                    let row = index & 1 == 0 ? upper : lower
                    if index == luma.height {
                        // Below an odd canvas its last row repeats.
                        row.update(from: upper, count: padded)
                        continue
                    }
                    sampler.row(luma.y0 + index, columns: luma.x0..<luma.x1, into: row + 1, scratch: scratch)
                    // Outside the stamp all is transparent, and outside the canvas its edge repeats.
                    row[0] = luma.x0 == 0 ? row[1] : SIMD4()
                    row[padded - 1] = luma.x1 == canvas.width ? row[padded - 2] : SIMD4()
                    store(row + 1, count: width, row: index, isChroma: false)
                }
                ChromaSiting.downsample(upper: upper, lower: lower, count: chroma.width, into: half)
                store(half, count: chroma.width, row: pair, isChroma: true)
            }
        }
    }

    private func store(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int, row: Int, isChroma: Bool) {
        var (first, last) = (0, count)
        while first < last, pixels[first].w == 0 { first += 1 }
        while last > first, pixels[last - 1].w == 0 { last -= 1 }
        spans[isChroma ? luma.height + row : row] = first == last ? 0..<0 : Int32(first)..<Int32(last)
        let offset = row * count
        switch colors {
        case .rgb: (packed + (isChroma ? fullCount : 0) + offset).update(from: pixels, count: count)
        case .yuv where isChroma:
            let (u, v, alpha) = (u + offset, v + offset, chromaAlpha + offset)
            for i in 0..<count {
                u[i] = pixels[i].y
                v[i] = pixels[i].z
                alpha[i] = pixels[i].w
            }
        case .yuv:
            let (y, alpha) = (y + offset, alpha + offset)
            for i in 0..<count {
                y[i] = pixels[i].x
                alpha[i] = pixels[i].w
            }
        }
    }
}
