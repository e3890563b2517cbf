import EditorCore
import EditorTestSupport

/// Plain double-precision colour and chroma siting, written from ITU-R BT.709-6 without the kernels under test.
enum PlainColor {
    /// Codes of full-scale R′G′B′ in 0…1.
    static func yuv(_ c: [Double]) -> [Double] {
        let y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
        return [16 + 219 * y, 128 + 224 * (c[2] - y) / 1.8556, 128 + 224 * (c[0] - y) / 1.5748]
    }

    static func rgb(_ c: [Double]) -> [Double] {
        let (y, cb, cr) = ((c[0] - 16) / 219, (c[1] - 128) / 224, (c[2] - 128) / 224)
        let (r, b) = (y + 1.5748 * cr, y + 1.8556 * cb)
        return [r, (y - 0.2126 * r - 0.0722 * b) / 0.7152, b]
    }

    /// A full-size plane of doubles.
    struct Plane {
        let width: Int
        let height: Int
        var values: [Double]

        init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) {
            (self.width, self.height) = (width, height)
            values = (0..<width * height).map { value($0 % width, $0 / width) }
        }

        init(_ frame: VideoFrame, _ index: Int) {
            let extent = frame.format.planeSize(index, of: frame.size)
            let bytes = SyntheticFrames.bytes(of: frame, plane: index)
            self.init(extent.width, extent.height) { Double(bytes[$1 * extent.width + $0]) }
        }

        /// The edge repeats.
        subscript(x: Int, y: Int) -> Double {
            values[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
        }

        /// The value at left-sited chroma samples.
        var atChroma: Plane {
            Plane((width + 1) / 2, (height + 1) / 2) { cx, cy in
                var sum = 0.0
                for (dx, weight) in [(-1, 1.0), (0, 2.0), (1, 1.0)] {
                    for dy in 0...1 { sum += weight * self[2 * cx + dx, 2 * cy + dy] }
                }
                return sum / 8
            }
        }

        /// Chroma samples bilinearly at luma places: luma `x` is chroma `x / 2`, luma `y` is chroma `(y − 0.5) / 2`.
        func atLuma(_ width: Int, _ height: Int) -> Plane {
            Plane(width, height) { x, y in
                let (u, v) = (Double(x) / 2, (Double(y) - 0.5) / 2)
                let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
                let (a, b) = (u - Double(i), v - Double(j))
                return (self[i, j] * (1 - a) + self[i + 1, j] * a) * (1 - b)
                    + (self[i, j + 1] * (1 - a) + self[i + 1, j + 1] * a) * b
            }
        }
    }

    /// Largest difference between a plane of a frame and doubles of the same size.
    static func distance(_ frame: VideoFrame, _ index: Int, _ plane: Plane) -> Double {
        let real = Plane(frame, index)
        precondition(real.width == plane.width && real.height == plane.height)
        return zip(real.values, plane.values).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// A picture from straight R′G′B′A in 0…1 at pixel centres.
    static func picture(_ width: Int, _ height: Int, _ color: (Double, Double) -> [Double]) -> OverlayPicture {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels += color(Double(x) + 0.5, Double(y) + 0.5).map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
            }
        }
        return OverlayPicture(width: width, height: height, straight: pixels)
    }
}
