/// Puts planar pictures into frames at even offsets, where their chroma samples meet. What lies outside is cut.
package enum PictureBlit {
    /// Gives every pixel of a frame one colour. A frame's alpha, when it has any, becomes the colour's.
    package static func fill(_ frame: inout VideoFrame, with color: Color) {
        frame.makeWritable()
        if frame.format == .rgba {
            let plane = frame.planes[0]
            for y in 0..<frame.height {
                let row = plane.base + y * plane.stride
                for x in 0..<frame.width {
                    row[4 &* x] = color.red
                    row[4 &* x &+ 1] = color.green
                    row[4 &* x &+ 2] = color.blue
                    row[4 &* x &+ 3] = color.alpha
                }
            }
            return
        }
        let (y, u, v) = ColorConversion.yuv(for: color)
        for index in 0..<frame.format.planeCount {
            let value = index == 0 ? y : index == 1 ? u : index == 2 ? v : color.alpha
            let (plane, extent) = (frame.planes[index], frame.format.planeSize(index, of: frame.size))
            for row in 0..<extent.height {
                (plane.base + row * plane.stride).update(repeating: value, count: extent.width)
            }
        }
    }

    /// Copies a rectangle of the `.yuv420` (or the colour of a `.yuva420`) `picture` into a frame of Y′CbCr.
    ///
    /// - Parameters:
    ///   - x: column of the frame where the rectangle's left edge goes, even, possibly off the frame.
    ///   - y: row of the frame where its top edge goes, even.
    ///   - source: the rectangle in `picture`: its left and top are even; nil is all of it.
    package static func copy(
        _ picture: VideoFrame, source: PixelRect? = nil, into frame: inout VideoFrame, x: Int, y: Int
    ) {
        precondition(picture.format != .rgba && frame.format != .rgba, "the pictures must be planar")
        guard let (target, from) = place(picture, source, in: frame, x: x, y: y) else { return }
        frame.makeWritable()
        for index in 0..<3 {
            let shift = index == 0 ? 0 : 1
            let (out, area) = (frame.planes[index], index == 0 ? target : target.chroma)
            let source = picture.planes[index]
            for row in 0..<area.height {
                (out.base + (area.y0 + row) * out.stride + area.x0).update(
                    from: source.base + (from.y >> shift + row) * source.stride + from.x >> shift, count: area.width)
            }
        }
        if frame.format == .yuva420 {
            let out = frame.planes[3]
            for row in 0..<target.height {
                let alpha = out.base + (target.y0 + row) * out.stride + target.x0
                if picture.format == .yuva420 {
                    let source = picture.planes[3]
                    alpha.update(from: source.base + (from.y + row) * source.stride + from.x, count: target.width)
                } else {
                    alpha.update(repeating: 255, count: target.width)
                }
            }
        }
    }

    /// A new picture: `ground` with the `.yuv420` picture on it, whose top left corner stands at (x, y), both even. Of
    /// the ground only what stays to be seen is read.
    package static func picture(
        _ picture: VideoFrame, on ground: VideoFrame, x: Int, y: Int, pool: FramePool
    ) -> VideoFrame {
        precondition(picture.format == .yuv420 && ground.format == .yuv420, "both must be opaque")
        guard let (target, from) = place(picture, nil, in: ground, x: x, y: y) else { return ground }
        let result = pool.frame(.yuv420, ground.size)
        for index in 0..<3 {
            let (shift, area) = index == 0 ? (0, target) : (1, target.chroma)
            let extent = result.format.planeSize(index, of: result.size)
            let (out, back, source) = (result.planes[index], ground.planes[index], picture.planes[index])
            for row in 0..<extent.height {
                let (to, ground) = (out.base + row * out.stride, back.base + row * back.stride)
                guard row >= area.y0, row < area.y1 else {
                    to.update(from: ground, count: extent.width)
                    continue
                }
                to.update(from: ground, count: area.x0)
                (to + area.x0).update(
                    from: source.base + (from.y >> shift + row - area.y0) * source.stride + from.x >> shift,
                    count: area.width)
                (to + area.x1).update(from: ground + area.x1, count: extent.width - area.x1)
            }
        }
        return result
    }

    /// Puts a `.yuva420` picture of straight alpha over a `.yuv420` frame.
    ///
    /// Chroma takes the alpha at its own place: 1 2 1 across and 1 1 down; beyond the picture its edge repeats, so an
    /// opaque picture is copied.
    /// - Parameters:
    ///   - x: column of the frame where the picture's left edge goes, even, possibly off the frame.
    ///   - y: row of the frame where its top edge goes, even.
    package static func composite(_ picture: VideoFrame, over frame: inout VideoFrame, x: Int, y: Int) {
        precondition(picture.format == .yuva420 && frame.format == .yuv420, "alpha goes over an opaque frame")
        guard let (target, from) = place(picture, nil, in: frame, x: x, y: y) else { return }
        frame.makeWritable()
        let (sources, planes, alpha) = (picture.planes, frame.planes, picture.planes[3])
        for row in 0..<target.height {
            AlphaBlend.straightRow(
                planes[0].base + (target.y0 + row) * planes[0].stride + target.x0,
                sources[0].base + (from.y + row) * sources[0].stride + from.x,
                alpha.base + (from.y + row) * alpha.stride + from.x, count: target.width)
        }
        let area = target.chroma
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: area.width) { cover in
            let cover = cover.baseAddress!
            for row in 0..<area.height {
                let cy = from.y / 2 + row
                chromaAlpha(of: alpha, size: picture.size, cx: from.x / 2, cy: cy, count: area.width, into: cover)
                for index in 1...2 {
                    AlphaBlend.straightRow(
                        planes[index].base + (area.y0 + row) * planes[index].stride + area.x0,
                        sources[index].base + cy * sources[index].stride + from.x / 2, cover, count: area.width)
                }
            }
        }
    }

    /// Alpha at `count` chroma samples of row `cy`, rounded to nearest.
    private static func chromaAlpha(
        of alpha: PlaneMemory, size: PixelSize, cx: Int, cy: Int, count: Int, into out: UnsafeMutablePointer<UInt8>
    ) {
        let upper = alpha.base + 2 * cy * alpha.stride
        let lower = alpha.base + min(2 * cy + 1, size.height - 1) * alpha.stride
        // Away from the edges no index needs a bound, and the loop becomes vector code.
        let inner = (cx == 0 ? 1 : 0)..<max(1, min(count, size.width / 2 - cx))
        for k in 0..<count where !inner.contains(k) {
            out[k] = UInt8(ChromaSiting.value(of: alpha, cx + k, cy, in: size) + 0.5)
        }
        let (a, b) = (upper + 2 * cx, lower + 2 * cx)
        for k in inner {
            let i = 2 &* k
            let left = UInt16(a[i &- 1]) &+ UInt16(b[i &- 1])
            let center = UInt16(a[i]) &+ UInt16(b[i])
            let right = UInt16(a[i &+ 1]) &+ UInt16(b[i &+ 1])
            out[k] = UInt8(truncatingIfNeeded: (left &+ center &+ center &+ right &+ 4) &>> 3)
        }
    }

    /// The part of `frame` that the picture covers, and the picture's pixel at its top left.
    private static func place(
        _ picture: VideoFrame, _ source: PixelRect?, in frame: VideoFrame, x: Int, y: Int
    ) -> (target: PixelRect, from: (x: Int, y: Int))? {
        let all = PixelRect(x0: 0, y0: 0, x1: picture.width, y1: picture.height)
        let part = source?.intersection(all) ?? all
        precondition((x | y | part.x0 | part.y0) & 1 == 0, "an odd offset would part luma from chroma")
        let target = PixelRect(x0: x, y0: y, x1: x + part.width, y1: y + part.height)
            .intersection(PixelRect(x0: 0, y0: 0, x1: frame.width, y1: frame.height))
        if target.isEmpty { return nil }
        return (target, (part.x0 + target.x0 - x, part.y0 + target.y0 - y))
    }
}
