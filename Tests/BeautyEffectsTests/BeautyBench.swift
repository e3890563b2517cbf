import BeautyEffects
import EditorCore
import EditorTestSupport

/// Runs the effect as the core would.
enum Bench {
    static let range = TimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 1))

    static func parameters(
        smooth: Double = 0, whiten: Double = 0, ruddy: Double = 0, sharpen: Double = 0, skinOnly: Bool = true
    ) -> BeautyParameters {
        var parameters = BeautyParameters()
        parameters.smooth = AnimatedNumber(smooth)
        parameters.whiten = AnimatedNumber(whiten)
        parameters.ruddy = AnimatedNumber(ruddy)
        parameters.sharpen = AnimatedNumber(sharpen)
        parameters.skinOnly = skinOnly
        return parameters
    }

    static func effect(_ parameters: BeautyParameters, _ size: PixelSize) -> Beauty {
        Beauty(
            parameters,
            context: EffectContext(
                canvas: size, frameRate: Rational(30), duration: range.duration, activeRange: range,
                assets: FakeAssets()))
    }

    static func time(_ seconds: Int64 = 0) -> EffectTime {
        EffectTime(time: MediaTime(value: seconds, timescale: 1), index: Int(seconds) * 30, activeRange: range)
    }

    static func treated(_ frame: VideoFrame, _ parameters: BeautyParameters) -> VideoFrame {
        var result = frame
        effect(parameters, frame.size).process(&result, at: time())
        return result
    }
}

/// A plane's bytes with room for arithmetic.
struct Plane {
    let width: Int
    let height: Int
    var values: [Double]

    init(_ frame: VideoFrame, _ index: Int = 0) {
        let extent = frame.format.planeSize(index, of: frame.size)
        (width, height) = (extent.width, extent.height)
        values = SyntheticFrames.bytes(of: frame, plane: index).map(Double.init)
    }

    subscript(x: Int, y: Int) -> Double { values[y * width + x] }

    func mean(_ pixels: [(x: Int, y: Int)]) -> Double {
        pixels.reduce(0) { $0 + self[$1.x, $1.y] } / Double(pixels.count)
    }

    /// Mean over the pixels of the variance in the 9 × 9 pixels around each.
    func localVariance(_ pixels: [(x: Int, y: Int)]) -> Double {
        var total = 0.0
        for (x, y) in pixels {
            var (sum, squares) = (0.0, 0.0)
            for v in y - 4...y + 4 {
                for u in x - 4...x + 4 {
                    sum += self[u, v]
                    squares += self[u, v] * self[u, v]
                }
            }
            total += squares / 81 - (sum / 81) * (sum / 81)
        }
        return total / Double(pixels.count)
    }

    /// Mean over the pixels of the variance in the window around each, about the plane that fits the window best: what
    /// shading adds is left aside.
    /// - Parameter reach: pixels from a window's middle to its rim.
    func varianceAboutShading(_ pixels: [(x: Int, y: Int)], reach: Int) -> Double {
        let count = Double((2 * reach + 1) * (2 * reach + 1))
        // Over the window, u² and v² have this sum; a plane explains slope² times their mean.
        let squaredDistances = count * Double(reach * (reach + 1)) / 3
        var total = 0.0
        for (x, y) in pixels {
            var (sum, squares, across, down) = (0.0, 0.0, 0.0, 0.0)
            for v in -reach...reach {
                for u in -reach...reach {
                    let value = self[x + u, y + v]
                    sum += value
                    squares += value * value
                    across += Double(u) * value
                    down += Double(v) * value
                }
            }
            let explained = (across * across + down * down) / squaredDistances / count
            total += squares / count - (sum / count) * (sum / count) - explained
        }
        return total / Double(pixels.count)
    }

    /// Sum of squared differences to the right and down.
    func gradientEnergy(_ pixels: [(x: Int, y: Int)]) -> Double {
        pixels.reduce(0) { total, pixel in
            let here = self[pixel.x, pixel.y]
            let (across, down) = (self[pixel.x + 1, pixel.y] - here, self[pixel.x, pixel.y + 1] - here)
            return total + across * across + down * down
        }
    }

    func meanChange(_ other: Plane, _ pixels: [(x: Int, y: Int)]) -> Double {
        pixels.reduce(0) { $0 + abs(self[$1.x, $1.y] - other[$1.x, $1.y]) } / Double(pixels.count)
    }
}
