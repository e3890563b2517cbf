extension Orientation {
    /// The part of the stored picture that is shown as `part` of the displayed one.
    package func stored(_ part: UnitRect) -> UnitRect {
        let (right, bottom) = (1 - part.x - part.width, 1 - part.y - part.height)
        func rect(_ x: Double, _ y: Double, _ w: Double, _ h: Double) -> UnitRect {
            UnitRect(x: x, y: y, width: w, height: h)
        }
        return switch self {
        case .up: part
        case .upMirrored: rect(right, part.y, part.width, part.height)
        case .down: rect(right, bottom, part.width, part.height)
        case .downMirrored: rect(part.x, bottom, part.width, part.height)
        case .right: rect(part.y, right, part.height, part.width)
        case .left: rect(bottom, part.x, part.height, part.width)
        case .transposed: rect(part.y, part.x, part.height, part.width)
        case .antitransposed: rect(bottom, right, part.height, part.width)
        }
    }
}

extension VideoFrame {
    /// The picture set upright: a stored pixel goes where `orientation` shows it.
    package func turned(_ orientation: Orientation, pool: FramePool) -> VideoFrame {
        let shown = orientation.swapsSides ? PixelSize(width: height, height: width) : size
        let result = pool.frame(format, shown)
        let bytes = format == .rgba ? 4 : 1
        for plane in 0..<format.planeCount {
            let extent = format.planeSize(plane, of: size)
            let (from, to) = (planes[plane], result.planes[plane])
            let (columns, rows) = (extent.width / bytes, extent.height)
            // The stored pixel (x, y) goes to start + x · acrossX + y · acrossY, in bytes.
            let (across, down) = (bytes, to.stride)
            let (lastX, lastY) = (columns - 1, rows - 1)
            let (start, stepX, stepY): (Int, Int, Int) =
                switch orientation {
                case .up: (0, across, down)
                case .upMirrored: (lastX * across, -across, down)
                case .down: (lastX * across + lastY * down, -across, -down)
                case .downMirrored: (lastY * down, across, -down)
                case .right: (lastY * across, down, -across)
                case .left: (lastX * down, -down, across)
                case .transposed: (0, down, across)
                case .antitransposed: (lastY * across + lastX * down, -down, -across)
                }
            if bytes == 1 {
                Self.turnBytes(from, columns, rows, to.base + start, stepX, stepY)
            } else {
                for y in 0..<rows {
                    for x in 0..<columns {
                        (to.base + start + x * stepX + y * stepY).update(
                            from: from.base + y * from.stride + x * 4, count: 4)
                    }
                }
            }
        }
        return result
    }

    /// In square tiles, so that neither side misses the cache on every byte.
    private static func turnBytes(
        _ from: PlaneMemory, _ columns: Int, _ rows: Int, _ target: UnsafeMutablePointer<UInt8>, _ stepX: Int,
        _ stepY: Int
    ) {
        let tile = 32
        var top = 0
        while top < rows {
            let bottom = min(top + tile, rows)
            var left = 0
            while left < columns {
                let right = min(left + tile, columns)
                for y in top..<bottom {
                    let source = from.base + y &* from.stride
                    var place = target + (left &* stepX &+ y &* stepY)
                    for x in left..<right {
                        place.pointee = source[x]
                        place += stepX
                    }
                }
                left = right
            }
            top = bottom
        }
    }
}
