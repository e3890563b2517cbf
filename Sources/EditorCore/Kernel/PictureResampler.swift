/// Draws a planar picture at a place and size that need not be whole pixels. Belongs to one thread.
final class PictureResampler {
    private var across = ResampleAxis()
    private var down = ResampleAxis()
    /// A row between rows.
    private var line: [Float] = []
    /// The share of each column that the picture covers.
    private var columnCover: [Float] = []

    /// The picture alone on a canvas: `.yuv420` where it is opaque and covers all of it; else `.yuva420`, whose alpha is
    /// cut off with the fraction of a pixel that the picture covers.
    ///
    /// - Parameters:
    ///   - rect: where the picture lies, in pixels of the canvas.
    ///   - canvas: even.
    func draw(_ picture: VideoFrame, at rect: PictureRect, canvas: PixelSize, pool: FramePool) -> VideoFrame {
        precondition(picture.format != .rgba, "the picture must be planar")
        let columns = Self.touched(rect.x, rect.width, canvas.width)
        let rows = Self.touched(rect.y, rect.height, canvas.height)
        let covers =
            rect.x <= 0 && rect.y <= 0 && rect.x + rect.width >= Double(canvas.width)
            && rect.y + rect.height >= Double(canvas.height)
        let isOpaque = covers && picture.format == .yuv420
        let result = pool.frame(isOpaque ? .yuv420 : .yuva420, canvas)
        if !covers { clear(result) }
        guard !columns.isEmpty, !rows.isEmpty else { return result }

        let scale = (x: Double(picture.width) / rect.width, y: Double(picture.height) / rect.height)
        let extents = (0..<3).map { picture.format.planeSize($0, of: picture.size) }
        across.lay(columns, origin: rect.x, scale: scale.x, count: extents[0].width, .luma)
        down.lay(rows, origin: rect.y, scale: scale.y, count: extents[0].height, .luma)
        resample(picture.planes[0], into: result.planes[0], columns, rows)
        if !isOpaque { drawAlpha(picture, into: result.planes[3], rect, columns, rows) }

        // Both ends are even or the canvas' own, which is.
        let chromaColumns = columns.lowerBound / 2..<(columns.upperBound + 1) / 2
        let chromaRows = rows.lowerBound / 2..<(rows.upperBound + 1) / 2
        across.lay(chromaColumns, origin: rect.x, scale: scale.x, count: extents[1].width, .chromaAcross)
        down.lay(chromaRows, origin: rect.y, scale: scale.y, count: extents[1].height, .chromaDown)
        for plane in 1...2 {
            resample(picture.planes[plane], into: result.planes[plane], chromaColumns, chromaRows)
        }
        return result
    }

    /// The whole chroma samples, in pixels, that a stretch touches.
    private static func touched(_ start: Double, _ length: Double, _ canvas: Int) -> Range<Int> {
        let first = max(0, min(Double(canvas), start)) / 2
        let last = max(0, min(Double(canvas), start + length)) / 2
        let from = Int(first.rounded(.down)) * 2
        return from..<max(from, Int(last.rounded(.up)) * 2)
    }

    /// No alpha anywhere; the colours there are never seen.
    private func clear(_ frame: VideoFrame) {
        for index in 0..<frame.format.planeCount {
            let (plane, extent) = (frame.planes[index], frame.format.planeSize(index, of: frame.size))
            let value: UInt8 = index == 1 || index == 2 ? 128 : 0
            for y in 0..<extent.height { (plane.base + y * plane.stride).update(repeating: value, count: extent.width) }
        }
    }

    private func drawAlpha(
        _ picture: VideoFrame, into plane: PlaneMemory, _ rect: PictureRect, _ columns: Range<Int>, _ rows: Range<Int>
    ) {
        let hasAlpha = picture.format == .yuva420
        if hasAlpha { resample(picture.planes[3], into: plane, columns, rows) }
        columnCover.removeAll(keepingCapacity: true)
        for column in columns { columnCover.append(Self.cover(column, rect.x, rect.width)) }
        for row in rows {
            let cover = Self.cover(row, rect.y, rect.height)
            let out = plane.base + row * plane.stride + columns.lowerBound
            for (i, column) in columnCover.enumerated() {
                let alpha = hasAlpha ? Float(out[i]) : 255
                out[i] = UInt8(alpha * cover * column + 0.5)
            }
        }
    }

    /// The share of pixel `index` that lies between `start` and `start + length`.
    private static func cover(_ index: Int, _ start: Double, _ length: Double) -> Float {
        Float(min(max(min(Double(index) + 1, start + length) - max(Double(index), start), 0), 1))
    }

    /// First down, over the columns that are needed, which runs along rows; then across, in one row.
    private func resample(_ source: PlaneMemory, into target: PlaneMemory, _ columns: Range<Int>, _ rows: Range<Int>) {
        let inputs = across.inputs
        if line.count < inputs.count { line = Array(repeating: 0, count: inputs.count) }
        line.withUnsafeMutableBufferPointer { line in
            across.starts.withUnsafeBufferPointer { starts in
                across.weights.withUnsafeBufferPointer { weights in
                    for (index, row) in rows.enumerated() {
                        let first = source.base + down.starts[index] * source.stride + inputs.lowerBound
                        let weight = down.weights[index * down.taps..<(index + 1) * down.taps]
                        Self.mixRows(first, source.stride, weight, into: line.baseAddress!, count: inputs.count)
                        let out = target.base + row * target.stride + columns.lowerBound
                        Self.mixColumns(
                            line.baseAddress! - inputs.lowerBound, starts.baseAddress!, weights.baseAddress!,
                            across.taps, into: out, count: columns.count)
                    }
                }
            }
        }
    }

    private static func mixRows(
        _ first: UnsafePointer<UInt8>, _ stride: Int, _ weights: ArraySlice<Float>,
        into line: UnsafeMutablePointer<Float>, count: Int
    ) {
        if weights.count == 4 {
            let base = weights.startIndex
            let (a, b, c, d) = (weights[base], weights[base + 1], weights[base + 2], weights[base + 3])
            let (second, third, fourth) = (first + stride, first + 2 * stride, first + 3 * stride)
            for i in 0..<count {
                line[i] = Float(first[i]) * a + Float(second[i]) * b + Float(third[i]) * c + Float(fourth[i]) * d
            }
            return
        }
        for i in 0..<count { line[i] = 0 }
        for (row, weight) in weights.enumerated() {
            let source = first + row * stride
            for i in 0..<count { line[i] += Float(source[i]) * weight }
        }
    }

    private static func mixColumns(
        _ line: UnsafePointer<Float>, _ starts: UnsafePointer<Int>, _ weights: UnsafePointer<Float>, _ taps: Int,
        into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        if taps == 4 {
            for x in 0..<count {
                let (from, weight) = (line + starts[x], weights + 4 &* x)
                out[x] = byte(from[0] * weight[0] + from[1] * weight[1] + from[2] * weight[2] + from[3] * weight[3])
            }
            return
        }
        for x in 0..<count {
            let (from, weight) = (line + starts[x], weights + taps &* x)
            var sum: Float = 0
            for tap in 0..<taps { sum += from[tap] * weight[tap] }
            out[x] = byte(sum)
        }
    }

    /// To nearest within 0…255, by the mantissa of 2²³, whose unit is 1.
    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        let bounded = value < 0 ? 0 : value > 255 ? 255 : value
        return UInt8(truncatingIfNeeded: (bounded + 8_388_608).bitPattern)
    }
}
