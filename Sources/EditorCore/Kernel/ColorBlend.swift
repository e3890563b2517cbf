/// Blends a stamp of R′G′B′A onto the covered rectangle in R′G′B′, pixel by pixel: for the modes that need it, and for
/// frames that have an alpha of their own.
///
/// Luma is computed at each pixel with chroma interpolated, chroma at each chroma sample with luma and source filtered
/// to its place; so a backdrop that a mode leaves as it is keeps its codes. Pixels without alpha are not touched.
struct ColorBlend {
    let stamp: OverlayStamp
    /// 0…1.
    let opacity: Float
    let mode: BlendMode

    /// `frame` is `.yuv420` or `.yuva420`, writable, and as large as the stamp's canvas.
    /// - Parameter scratch: grows to the chroma of the rectangle.
    func draw(onto frame: VideoFrame, scratch: inout [UInt8]) {
        switch mode {
        case .normal: draw(NormalBlend.self, onto: frame, scratch: &scratch)
        case .multiply: draw(MultiplyBlend.self, onto: frame, scratch: &scratch)
        case .screen: draw(ScreenBlend.self, onto: frame, scratch: &scratch)
        case .overlay: draw(OverlayBlend.self, onto: frame, scratch: &scratch)
        case .softLight: draw(SoftLightBlend.self, onto: frame, scratch: &scratch)
        case .add: draw(AddBlend.self, onto: frame, scratch: &scratch)
        }
    }

    private func draw<Function: BlendFunction>(
        _ function: Function.Type, onto frame: VideoFrame, scratch: inout [UInt8]
    ) {
        let count = stamp.chroma.width * stamp.chroma.height
        if scratch.count < 2 * count { scratch = [UInt8](repeating: 0, count: 2 * count) }
        scratch.withUnsafeMutableBufferPointer { scratch in
            // Luma needs the old chroma and chroma the old luma: new chroma waits until luma is done.
            let (cb, cr) = (scratch.baseAddress!, scratch.baseAddress! + count)
            for row in 0..<stamp.chroma.height { chromaRow(function, row, of: frame, cb: cb, cr: cr) }
            for row in 0..<stamp.luma.height { lumaRow(function, row, of: frame) }
            for row in 0..<stamp.chroma.height {
                let span = stamp.chromaSpan(row)
                let from = row * stamp.chroma.width + span.lowerBound
                for index in 1...2 {
                    let plane = frame.planes[index]
                    (plane.base + (stamp.chroma.y0 + row) * plane.stride + stamp.chroma.x0 + span.lowerBound)
                        .update(from: (index == 1 ? cb : cr) + from, count: span.count)
                }
            }
        }
    }

    /// Straight colour and alpha of a stamp's pixel.
    @inline(__always)
    private func source(_ pixel: SIMD4<UInt8>) -> (color: SIMD4<Float>, alpha: Float) {
        let value = PixelLanes.float(pixel)
        return (value * (1 / max(value.w, 1)), value.w * opacity * (1 / 255))
    }

    private func chromaRow<Function: BlendFunction>(
        _: Function.Type, _ row: Int, of frame: VideoFrame, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>
    ) {
        let planes = frame.planes
        let cy = stamp.chroma.y0 + row
        let pixels = stamp.chromaRGBA + row * stamp.chroma.width
        let (oldCb, oldCr) = (planes[1].base + cy * planes[1].stride, planes[2].base + cy * planes[2].stride)
        for x in stamp.chromaSpan(row) {
            let (cx, out) = (stamp.chroma.x0 + x, row * stamp.chroma.width + x)
            let (color, alpha) = source(pixels[x])
            if alpha == 0 {
                (cb[out], cr[out]) = (oldCb[cx], oldCr[cx])
                continue
            }
            let y = ChromaSiting.value(of: planes[0], cx, cy, in: frame.size)
            let backdrop = BT709.rgb(y: y, cb: Float(oldCb[cx]), cr: Float(oldCr[cx]))
            let below = planes.count == 4 ? ChromaSiting.value(of: planes[3], cx, cy, in: frame.size) / 255 : 1
            let total = alpha + below * (1 - alpha)
            let share = below == 1 ? 1 : 1 / total
            let (newCb, newCr) = BT709.chroma(Function.composite(backdrop, below, color, alpha) * share)
            cb[out] = Self.code(newCb)
            cr[out] = Self.code(newCr)
        }
    }

    private func lumaRow<Function: BlendFunction>(_: Function.Type, _ row: Int, of frame: VideoFrame) {
        let planes = frame.planes
        let y = stamp.luma.y0 + row
        let chroma = frame.format.planeSize(1, of: frame.size)
        let near = y >> 1
        let far = min(max(near + (y & 1 == 0 ? -1 : 1), 0), chroma.height - 1)
        let pixels = stamp.rgba + row * stamp.luma.width
        let luma = planes[0].base + y * planes[0].stride
        let (cb, cr) = (planes[1], planes[2])
        @inline(__always) func vertical(_ plane: PlaneMemory, _ x: Int) -> Float {
            0.75 * Float(plane.base[near &* plane.stride &+ x]) + 0.25 * Float(plane.base[far &* plane.stride &+ x])
        }
        @inline(__always) func interpolated(_ plane: PlaneMemory, _ x: Int) -> Float {
            let here = vertical(plane, x >> 1)
            if x & 1 == 0 { return here }
            return 0.5 * (here + vertical(plane, min(x >> 1 &+ 1, chroma.width &- 1)))
        }
        let below = planes.count == 4 ? planes[3].base + y * planes[3].stride : nil
        for i in stamp.lumaSpan(row) {
            let (color, alpha) = source(pixels[i])
            if alpha == 0 { continue }
            let x = stamp.luma.x0 + i
            let backdrop = BT709.rgb(y: Float(luma[x]), cb: interpolated(cb, x), cr: interpolated(cr, x))
            let backdropAlpha = below.map { Float($0[x]) * (1 / 255) } ?? 1
            let total = alpha + backdropAlpha * (1 - alpha)
            let share = below == nil ? 1 : 1 / total
            luma[x] = Self.code(BT709.y(Function.composite(backdrop, backdropAlpha, color, alpha) * share))
            if let below { below[x] = Self.code(total * 255) }
        }
    }

    @inline(__always)
    private static func code(_ value: Float) -> UInt8 { UInt8(min(max(value + 0.5, 0), 255)) }
}
