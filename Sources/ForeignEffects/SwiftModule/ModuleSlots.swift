internal import EditorCore

/// How pictures and sound lie in the memory that a module's worker shares.
enum ModuleSlots {
    /// Bytes that an overlay's picture may have.
    static let overlayLimit = 64 << 20

    static func sizes(for kind: EffectKind, canvas: PixelSize) -> [Int] {
        switch kind {
        case .video: [pictureSize(canvas)]
        case .transition: [pictureSize(canvas), pictureSize(canvas)]
        case .overlay: [overlayLimit]
        case .audio: [LadspaBlock.slotSizes[0], LadspaBlock.slotSizes[1]]
        }
    }

    /// Room for a picture in any format.
    private static func pictureSize(_ canvas: PixelSize) -> Int {
        max(length(.yuva420, canvas), length(.rgba, canvas))
    }

    private static func stride(_ format: PixelFormat, _ plane: Int, _ size: PixelSize) -> Int {
        (format.planeSize(plane, of: size).width + 63) & ~63
    }

    private static func length(_ format: PixelFormat, _ size: PixelSize) -> Int {
        (0..<format.planeCount).reduce(0) {
            $0 + stride(format, $1, size) * format.planeSize($1, of: size).height
        }
    }

    /// The planes of a picture at the start of a slot.
    static func planes(_ format: PixelFormat, _ size: PixelSize, at base: UnsafeMutableRawPointer) -> [PlaneMemory] {
        var position = base.assumingMemoryBound(to: UInt8.self)
        return (0..<format.planeCount).map { plane in
            let stride = stride(format, plane, size)
            defer { position += stride * format.planeSize(plane, of: size).height }
            return PlaneMemory(base: position, stride: stride)
        }
    }

    static func copy(_ source: [PlaneMemory], to target: [PlaneMemory], _ format: PixelFormat, _ size: PixelSize) {
        for plane in 0..<format.planeCount {
            let extent = format.planeSize(plane, of: size)
            for y in 0..<extent.height {
                (target[plane].base + y * target[plane].stride).update(
                    from: source[plane].base + y * source[plane].stride, count: extent.width)
            }
        }
    }

    static let formats: [PixelFormat] = [.yuv420, .yuva420, .rgba]
}

extension PayloadWriter {
    mutating func append(_ time: EffectTime) {
        for moment in [time.time, time.activeRange.start, time.activeRange.end] {
            append(Int(moment.value))
            append(Int(moment.timescale))
        }
        append(time.index)
    }
}

extension PayloadReader {
    mutating func effectTime() throws -> EffectTime {
        var moments: [MediaTime] = []
        for _ in 0..<3 {
            let (value, scale) = (integer(), integer())
            guard scale > 0 else { throw ModuleFailure("was asked with garbage") }
            moments.append(MediaTime(value: Int64(value), timescale: Int64(scale)))
        }
        return EffectTime(
            time: moments[0], index: integer(), activeRange: TimeRange(start: moments[1], end: moments[2]))
    }
}
