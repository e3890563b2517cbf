/// The blurred, darkened copy of a picture that covers the canvas behind it.
///
/// The picture is averaged down to a small one, blurred there by three box filters (near a Gaussian by the central
/// limit theorem), and drawn up again bilinearly, so that the cost hardly depends on the blur's width.
final class BlurredBackdrop {
    private let canvas: PixelSize
    /// Canvas pixels per pixel of the small picture.
    private static let reduction = 16
    /// The picture in front should stand out: the backdrop keeps this share of its light.
    private static let brightness: Float = 0.6

    private let small: PixelSize
    private var plane: [Float]
    private var line: [Float]

    init(canvas: PixelSize) {
        self.canvas = canvas
        small = PixelSize(
            width: max(2, canvas.width / Self.reduction), height: max(2, canvas.height / Self.reduction))
        plane = Array(repeating: 0, count: small.width * small.height)
        line = Array(repeating: 0, count: max(small.width, small.height))
    }

    func picture(of frame: VideoFrame, pool: FramePool) -> VideoFrame {
        let result = pool.frame(.yuv420, canvas)
        for index in 0..<3 {
            reduce(frame, plane: index)
            for _ in 0..<3 {
                for y in 0..<small.height { blur(from: y * small.width, step: 1, count: small.width) }
                for x in 0..<small.width { blur(from: x, step: small.width, count: small.height) }
            }
            let floor: Float = index == 0 ? 16 : 128
            for i in plane.indices { plane[i] = floor + (plane[i] - floor) * Self.brightness }
            enlarge(into: result, plane: index)
        }
        return result
    }

    /// Averages the part of the picture that would cover the canvas into the small picture.
    private func reduce(_ frame: VideoFrame, plane index: Int) {
        let extent = frame.format.planeSize(index, of: frame.size)
        let (w, h) = (Float(frame.width), Float(frame.height))
        let scale = max(Float(canvas.width) / w, Float(canvas.height) / h)
        let (shareX, shareY) = (Float(canvas.width) / (w * scale), Float(canvas.height) / (h * scale))
        let memory = frame.planes[index]
        func bound(_ i: Int, _ count: Int, _ share: Float, _ size: Int) -> Int {
            Int((((1 - share) / 2 + share * Float(i) / Float(count)) * Float(size)).rounded())
        }
        for sy in 0..<small.height {
            let top = min(bound(sy, small.height, shareY, extent.height), extent.height - 1)
            let bottom = max(top + 1, min(bound(sy + 1, small.height, shareY, extent.height), extent.height))
            for sx in 0..<small.width {
                let left = min(bound(sx, small.width, shareX, extent.width), extent.width - 1)
                let right = max(left + 1, min(bound(sx + 1, small.width, shareX, extent.width), extent.width))
                var sum = 0
                for y in top..<bottom {
                    let row = memory.base + y * memory.stride
                    for x in left..<right { sum &+= Int(row[x]) }
                }
                plane[sy * small.width + sx] = Float(sum) / Float((bottom - top) * (right - left))
            }
        }
    }

    /// A box of five along one line; the ends repeat.
    private func blur(from start: Int, step: Int, count: Int) {
        for i in 0..<count { line[i] = plane[start + i * step] }
        for i in 0..<count {
            var sum: Float = 0
            for k in -2...2 { sum += line[max(0, min(count - 1, i + k))] }
            plane[start + i * step] = sum / 5
        }
    }

    private func enlarge(into frame: VideoFrame, plane index: Int) {
        let extent = frame.format.planeSize(index, of: frame.size)
        let memory = frame.planes[index]
        let (stepX, stepY) = (Float(small.width) / Float(extent.width), Float(small.height) / Float(extent.height))
        for y in 0..<extent.height {
            let v = max(0, min(Float(small.height - 1), (Float(y) + 0.5) * stepY - 0.5))
            let (v0, fy) = (Int(v), v - Float(Int(v)))
            let v1 = min(v0 + 1, small.height - 1)
            let row = memory.base + y * memory.stride
            for x in 0..<extent.width {
                let u = max(0, min(Float(small.width - 1), (Float(x) + 0.5) * stepX - 0.5))
                let (u0, fx) = (Int(u), u - Float(Int(u)))
                let u1 = min(u0 + 1, small.width - 1)
                let top = plane[v0 * small.width + u0] * (1 - fx) + plane[v0 * small.width + u1] * fx
                let bottom = plane[v1 * small.width + u0] * (1 - fx) + plane[v1 * small.width + u1] * fx
                row[x] = UInt8(top * (1 - fy) + bottom * fy + 0.5)
            }
        }
    }
}
