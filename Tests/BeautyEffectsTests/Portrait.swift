import EditorCore
import EditorTestSupport

/// A drawn head with known parts: skin with grain and blotches, eyes, brows, lips, strands of hair, a line of print, and
/// a panel of the skin's own colour with a texture.
struct Portrait {
    enum Part: UInt8 { case wall, skin, hair, eye, lips, print, panel }

    struct RGB {
        var r: Double
        var g: Double
        var b: Double
        init(_ r: Double, _ g: Double, _ b: Double) { (self.r, self.g, self.b) = (r, g, b) }
        func scaled(_ f: Double) -> RGB { RGB(r * f, g * f, b * f) }
        func plus(_ d: Double) -> RGB { RGB(r + d, g + d, b + d) }
    }

    /// Skin from very light to very dark under neutral, warm and cold light (R′G′B′).
    /// Portraits of 240 × 400 pixels in every tone, drawn once.
    static let all: [(name: String, portrait: Portrait)] = tones.map { ($0.name, Portrait(240, 400, skin: $0.color)) }

    static let tones: [(name: String, color: RGB)] = [
        ("porcelain", RGB(250, 222, 204)), ("light", RGB(224, 172, 140)), ("pink", RGB(228, 184, 172)),
        ("olive", RGB(190, 146, 108)), ("brown", RGB(141, 85, 54)), ("dark", RGB(92, 58, 42)),
        ("deep", RGB(62, 40, 31)), ("warm light", RGB(226, 168, 108)), ("cold light", RGB(196, 158, 150)),
    ]

    /// Levels of luma by which lips are darker than skin.
    let lipContrast: Double

    let size: PixelSize
    let frame: VideoFrame
    private let parts: [Part]

    /// - Parameters:
    ///   - grain: deviation of the noise of single pixels, in levels.
    ///   - seed: of the noise; everything else stays the same.
    init(_ width: Int, _ height: Int, skin: RGB, grain: Double = 4, seed: UInt64 = 1) {
        size = PixelSize(width: width, height: height)
        var random = SplitMix64(seed)
        var fixed = SplitMix64(99)
        let (w, h) = (Double(width), Double(height))
        let unit = min(w, h)
        var parts = [Part](repeating: .wall, count: width * height)
        var colors = [RGB](repeating: RGB(0, 0, 0), count: width * height)
        // The panel's texture is coarser than grain: spots of a hundred and fiftieth of the picture's short side.
        let spot = max(2, Int(unit / 150))
        let spots = (0..<(width / spot + 1) * (height / spot + 1)).map { _ in Self.gauss(&fixed) }
        func inside(_ x: Double, _ y: Double, _ cx: Double, _ cy: Double, _ rx: Double, _ ry: Double) -> Bool {
            let (dx, dy) = ((x - cx * w) / (rx * unit), (y - cy * h) / (ry * unit))
            return dx * dx + dy * dy < 1
        }
        for j in 0..<height {
            for i in 0..<width {
                let (x, y) = (Double(i), Double(j))
                let at = j * width + i
                var color = RGB(150, 152, 156)
                if inside(x, y, 0.5, 0.38, 0.36, 0.44) {
                    parts[at] = .hair
                    // Strands: bright and dark stripes a few pixels wide.
                    let strand = Int(x * 160 / unit + 3 * y / unit) % 2 == 0
                    color = strand ? RGB(30, 24, 20) : RGB(84, 66, 50)
                }
                if inside(x, y, 0.5, 0.43, 0.27, 0.36) {
                    parts[at] = .skin
                    let (dx, dy) = ((x - 0.5 * w) / unit, (y - 0.43 * h) / unit)
                    // Rounded shading, and blotches wider than pores.
                    let shade = 1 - 1.1 * (dx * dx + dy * dy)
                    let blotch = 0.011 * skin.r * Self.sine(x * 60 / unit) * Self.sine(y * 70 / unit)
                    color = skin.scaled(shade).plus(blotch)
                }
                for side in [-1.0, 1.0] where inside(x, y, 0.5 + side * 0.11 * unit / w, 0.36, 0.05, 0.02) {
                    parts[at] = .eye
                    let isIris = inside(x, y, 0.5 + side * 0.11 * unit / w, 0.36, 0.018, 0.02)
                    color = isIris ? RGB(28, 22, 20) : RGB(226, 224, 222)
                }
                for side in [-1.0, 1.0] where inside(x, y, 0.5 + side * 0.11 * unit / w, 0.325, 0.07, 0.009) {
                    parts[at] = .eye
                    color = RGB(34, 26, 22)
                }
                if inside(x, y, 0.5, 0.53, 0.09, 0.026) {
                    parts[at] = .lips
                    color = RGB(skin.r * 0.66, skin.g * 0.4, skin.b * 0.52)
                }
                if y > 0.75 * h, y < 0.8 * h, x > 0.1 * w, x < 0.9 * w {
                    parts[at] = .print
                    color = Int(x / max(2, unit / 130)) % 3 == 0 ? RGB(16, 16, 18) : RGB(240, 240, 238)
                }
                if y > 0.84 * h {
                    parts[at] = .panel
                    color = skin.plus(12 * spots[(j / spot) * (width / spot + 1) + i / spot])
                }
                // Grain, like everything that light shows, is less in the dark.
                let light = 0.3 + 0.7 * (color.r + color.g + color.b) / 540
                colors[at] = color.plus(grain * light * Self.gauss(&random))
            }
        }
        self.parts = parts
        let (r, g, b) = (0.2126 * 0.34 * skin.r, 0.7152 * 0.6 * skin.g, 0.0722 * 0.48 * skin.b)
        lipContrast = (r + g + b) * 219 / 255
        frame = Self.converted(colors, size)
    }

    /// A surface of one colour in uneven light: noise that is averaged over `across` and `down` pixels on both sides, twice.
    /// - Parameter deviation: of all values, in levels of R′G′B′ where the colour is brightest.
    static func surface(_ size: PixelSize, _ color: RGB, deviation: Double, across: Int, down: Int) -> VideoFrame {
        var random = SplitMix64(21)
        let (width, height) = (size.width, size.height)
        var values = (0..<width * height).map { _ in gauss(&random) }
        /// Means over windows that begin anew on the other side.
        func mean(_ reach: Int, count: Int, step: Int, lines: Int, lineStep: Int) {
            for line in 0..<lines {
                let row = (0..<count).map { values[line * lineStep + $0 * step] }
                for i in 0..<count {
                    let sum = (-reach...reach).reduce(0) { $0 + row[(i + $1 + count) % count] }
                    values[line * lineStep + i * step] = sum / Double(2 * reach + 1)
                }
            }
        }
        for _ in 0..<2 {
            mean(across, count: width, step: 1, lines: height, lineStep: width)
            mean(down, count: height, step: width, lines: width, lineStep: 1)
        }
        let spread = (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
        let share = deviation / max(color.r, color.g, color.b) / spread
        return converted(values.map { color.scaled(1 + share * $0) }, size)
    }

    /// The pixels whose surroundings, up to `margin` pixels away, all belong to `part`.
    func interior(of part: Part, margin: Int) -> [(x: Int, y: Int)] {
        pixels(step: 3) { x, y in
            for v in stride(from: y - margin, through: y + margin, by: max(1, margin / 3)) {
                for u in stride(from: x - margin, through: x + margin, by: max(1, margin / 3)) {
                    guard u >= 0, v >= 0, u < size.width, v < size.height, parts[v * size.width + u] == part else {
                        return false
                    }
                }
            }
            return true
        }
    }

    /// The pixels next to which `part` begins or ends.
    func rim(of part: Part) -> [(x: Int, y: Int)] {
        pixels(step: 1) { x, y in
            let here = parts[y * size.width + x] == part
            return here != (parts[y * size.width + x + 1] == part) || here != (parts[(y + 1) * size.width + x] == part)
        }
    }

    private func pixels(step: Int, where condition: (Int, Int) -> Bool) -> [(x: Int, y: Int)] {
        var result: [(x: Int, y: Int)] = []
        for y in stride(from: 5, to: size.height - 5, by: step) {
            for x in stride(from: 5, to: size.width - 5, by: step) where condition(x, y) { result.append((x, y)) }
        }
        return result
    }

    private static let normals: [Double] = {
        var random = SplitMix64(7)
        return (0..<4096).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + Double(random.next() >> 11) / 0x1p53 } }
    }()

    /// One of many numbers that are close enough to normal: sums of twelve uniform ones.
    static func gauss(_ random: inout SplitMix64) -> Double {
        normals[Int(random.next() & 4095)]
    }

    /// Bhaskara's rational sine, period 2, for shading.
    private static func sine(_ turns: Double) -> Double {
        let t = turns - 2 * (turns / 2).rounded(.down)
        let u = t < 1 ? t : t - 1
        let value = 16 * u * (1 - u) / (5 - 4 * u * (1 - u))
        return t < 1 ? value : -value
    }

    /// BT.709 limited range (ITU-R BT.709-6, 3.2 to 3.4), chroma as the mean of four pixels.
    static func converted(_ colors: [RGB], _ size: PixelSize) -> VideoFrame {
        func byte(_ v: Double) -> UInt8 { UInt8(max(0, min(255, v.rounded()))) }
        func clip(_ v: Double) -> Double { max(0, min(255, v)) }
        func luma(_ c: RGB) -> Double { 0.2126 * clip(c.r) + 0.7152 * clip(c.g) + 0.0722 * clip(c.b) }
        return SyntheticFrames.frame(size) { plane, x, y in
            if plane == 0 { return byte(16 + luma(colors[y * size.width + x]) * 219 / 255) }
            var sum = 0.0
            for v in [2 * y, min(2 * y + 1, size.height - 1)] {
                for u in [2 * x, min(2 * x + 1, size.width - 1)] {
                    let c = colors[v * size.width + u]
                    sum += plane == 1 ? (clip(c.b) - luma(c)) / 1.8556 : (clip(c.r) - luma(c)) / 1.5748
                }
            }
            return byte(128 + sum / 4 * 224 / 255)
        }
    }
}
