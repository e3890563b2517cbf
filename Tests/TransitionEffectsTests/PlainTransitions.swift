import EditorCore
import EditorTestSupport

/// A picture as functions of real places, to compute transitions sample by sample in double precision.
struct PlainPicture {
    let size: PixelSize
    private let planes: [[UInt8]]

    init(_ frame: VideoFrame) {
        size = frame.size
        planes = (0..<3).map { SyntheticFrames.bytes(of: frame, plane: $0) }
    }

    func extent(_ plane: Int) -> (width: Int, height: Int) {
        plane == 0 ? (size.width, size.height) : ((size.width + 1) / 2, (size.height + 1) / 2)
    }

    /// A sample; beyond the edges the outermost repeats.
    func sample(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let (w, h) = extent(plane)
        return Double(planes[plane][min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)])
    }

    /// Bilinear, in samples; 0 is the middle of the first.
    func sample(_ plane: Int, at x: Double, _ y: Double) -> Double {
        let (i, j) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (fx, fy) = (x - Double(i), y - Double(j))
        let upper = sample(plane, i, j) * (1 - fx) + sample(plane, i + 1, j) * fx
        let lower = sample(plane, i, j + 1) * (1 - fx) + sample(plane, i + 1, j + 1) * fx
        return upper * (1 - fy) + lower * fy
    }

    /// The largest difference between a frame and a formula for its samples.
    static func difference(_ frame: VideoFrame, _ value: (_ plane: Int, _ x: Int, _ y: Int) -> Double) -> Double {
        let plain = PlainPicture(frame)
        var most = 0.0
        for plane in 0..<3 {
            let (w, h) = plain.extent(plane)
            for y in 0..<h {
                for x in 0..<w { most = max(most, abs(plain.sample(plane, x, y) - value(plane, x, y))) }
            }
        }
        return most
    }
}

/// A weight for every luma pixel, and for chroma its mean about the left-sited sample: 1 2 1 across, 1 1 down.
func chromaWeight(_ size: PixelSize, _ cx: Int, _ cy: Int, _ weight: (_ x: Int, _ y: Int) -> Double) -> Double {
    func at(_ x: Int, _ y: Int) -> Double { weight(min(max(x, 0), size.width - 1), min(y, size.height - 1)) }
    var sum = 0.0
    for (dx, factor) in [(-1, 1.0), (0, 2.0), (1, 1.0)] {
        sum += factor * (at(2 * cx + dx, 2 * cy) + at(2 * cx + dx, 2 * cy + 1))
    }
    return sum / 8
}
