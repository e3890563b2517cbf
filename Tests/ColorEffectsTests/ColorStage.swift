import EditorCore
import EditorTestSupport

@testable import ColorEffects

/// Makes and runs effects as the core would.
enum ColorStage {
    static let range = TimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 1))

    static func context(_ size: PixelSize, _ texts: [String: String] = [:]) -> EffectContext {
        var assets = FakeAssets()
        assets.texts = texts
        return EffectContext(
            canvas: size, frameRate: Rational(30), duration: range.duration, activeRange: range, assets: assets)
    }

    static func time(frame: Int = 0) -> EffectTime {
        EffectTime(time: MediaTime(value: Int64(frame), timescale: 30), index: frame, activeRange: range)
    }

    static func parameters<P: ParameterSet>(_ json: JSONValue, as type: P.Type = P.self) -> P {
        var reading = ParameterReading()
        guard let result = P.read(json, at: JSONPointer(), into: &reading), reading.findings.isEmpty else {
            preconditionFailure("\(reading.findings.map(\.sentence))")
        }
        return result
    }

    /// The picture after an effect, at a frame of the movie.
    static func treated<E: VideoEffect>(
        _ frame: VideoFrame, _ type: E.Type, _ json: JSONValue, texts: [String: String] = [:], at index: Int = 0
    ) throws -> VideoFrame {
        var result = frame
        let effect = try E(parameters(json), context: context(frame.size, texts))
        if !effect.isIdentity(at: time(frame: index)) { try effect.process(&result, at: time(frame: index)) }
        return result
    }

    /// Patches of 16 × 16 pixels, each of one colour that lies within R′G′B′.
    static func patches(_ size: PixelSize, seed: UInt64) -> VideoFrame {
        var random = SplitMix64(seed)
        let columns = (size.width + 15) / 16
        let colors = (0..<columns * ((size.height + 15) / 16)).map { _ in
            ColorConversion.yuv(
                for: Color(
                    red: UInt8(truncatingIfNeeded: random.next()), green: UInt8(truncatingIfNeeded: random.next()),
                    blue: UInt8(truncatingIfNeeded: random.next())))
        }
        return SyntheticFrames.frame(size) { plane, x, y in
            let patch = plane == 0 ? y / 16 * columns + x / 16 : y / 8 * columns + x / 8
            let color = colors[patch]
            return plane == 0 ? color.y : plane == 1 ? color.u : color.v
        }
    }
}

/// A colour of doubles.
struct RGB: Equatable {
    var r: Double
    var g: Double
    var b: Double

    init(_ r: Double, _ g: Double, _ b: Double) { (self.r, self.g, self.b) = (r, g, b) }
    subscript(_ lane: Int) -> Double { lane == 0 ? r : lane == 1 ? g : b }
    func map(_ f: (Double) -> Double) -> RGB { RGB(f(r), f(g), f(b)) }

    /// ITU-R BT.709-6, items 3.2, 3.3 and 5.6, limited range.
    init(y: Double, cb: Double, cr: Double) {
        let (luma, b, r) = ((y - 16) / 219, (cb - 128) / 224 * 1.8556, (cr - 128) / 224 * 1.5748)
        self.init(luma + r, luma - (0.2126 * r + 0.0722 * b) / 0.7152, luma + b)
    }

    var yuv: (y: Double, cb: Double, cr: Double) {
        let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
        return (16 + 219 * luma, 128 + 224 * (b - luma) / 1.8556, 128 + 224 * (r - luma) / 1.5748)
    }
}

/// What a change of single colours makes of a 4:2:0 picture, in plain loops over doubles: each sample with the others at
/// its own place, rounded to whole codes as the effects say.
struct PlainColors {
    let frame: VideoFrame
    private let planes: [[UInt8]]

    init(_ frame: VideoFrame) {
        self.frame = frame
        planes = (0..<3).map { SyntheticFrames.bytes(of: frame, plane: $0) }
    }

    private var chroma: PixelSize { frame.format.planeSize(1, of: frame.size) }

    private func at(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let size = plane == 0 ? frame.size : chroma
        return Double(planes[plane][max(0, min(size.height - 1, y)) * size.width + max(0, min(size.width - 1, x))])
    }

    /// Chroma at a luma pixel.
    private func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let far = y % 2 == 0 ? y / 2 - 1 : y / 2 + 1
        func column(_ cx: Int) -> Double { (3 * at(plane, cx, y / 2) + at(plane, cx, far)) / 4 }
        let value = x % 2 == 0 ? column(x / 2) : (column(x / 2) + column(x / 2 + 1)) / 2
        return (value + 0.5).rounded(.down)
    }

    /// Luma at a chroma sample.
    private func luma(_ x: Int, _ y: Int) -> Double {
        var sum = 0.0
        for row in [2 * y, min(2 * y + 1, frame.height - 1)] {
            sum += at(0, 2 * x - 1, row) + 2 * at(0, 2 * x, row) + at(0, 2 * x + 1, row)
        }
        return (sum / 8 + 0.5).rounded(.down)
    }

    /// The planes after `change`, not rounded.
    func changed(_ change: (RGB) -> RGB) -> [[Double]] {
        var result: [[Double]] = [[], [], []]
        for y in 0..<frame.height {
            for x in 0..<frame.width {
                let color = RGB(y: at(0, x, y), cb: chroma(1, x, y), cr: chroma(2, x, y))
                result[0].append(change(color).yuv.y)
            }
        }
        for y in 0..<chroma.height {
            for x in 0..<chroma.width {
                let out = change(RGB(y: luma(x, y), cb: at(1, x, y), cr: at(2, x, y))).yuv
                result[1].append(out.cb)
                result[2].append(out.cr)
            }
        }
        return result
    }

    /// The largest distance of a frame's bytes from wanted values.
    static func distance(_ frame: VideoFrame, _ wanted: [[Double]]) -> Double {
        (0..<3).reduce(0) { worst, plane in
            zip(SyntheticFrames.bytes(of: frame, plane: plane), wanted[plane]).reduce(worst) {
                max($0, abs(Double($1.0) - max(0, min(255, $1.1))))
            }
        }
    }
}
