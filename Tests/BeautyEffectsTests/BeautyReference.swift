import EditorCore
import EditorTestSupport

/// The effect once more, in plain loops over doubles: means by adding up, windows by walking through them, and values
/// between cells by the definition of linear interpolation. Only the model's numbers are repeated.
struct BeautyReference {
    let width: Int
    let height: Int
    let side: Int
    let columns: Int
    let rows: Int
    let radius: Int
    private let y: Plane
    private let u: Plane
    private let v: Plane

    init(_ frame: VideoFrame) {
        (width, height) = (frame.width, frame.height)
        (y, u, v) = (Plane(frame, 0), Plane(frame, 1), Plane(frame, 2))
        let short = min(width, height)
        side = short >= 600 ? 4 : 2
        columns = (width + side - 1) / side
        rows = (height + side - 1) / side
        radius = max(1, Int((0.0095 * Double(short) / Double(side)).rounded()))
    }

    /// Values per cell; asking outside gives the nearest cell.
    struct Cells {
        let columns: Int
        let rows: Int
        var values: [Double]

        init(_ columns: Int, _ rows: Int, _ value: (Int, Int) -> Double) {
            (self.columns, self.rows) = (columns, rows)
            values = []
            for j in 0..<rows { for i in 0..<columns { values.append(value(i, j)) } }
        }

        subscript(i: Int, j: Int) -> Double {
            values[max(0, min(rows - 1, j)) * columns + max(0, min(columns - 1, i))]
        }

        /// Mean over the window, as far as it lies inside.
        func mean(_ i: Int, _ j: Int, _ radius: Int) -> Double {
            var (sum, count) = (0.0, 0.0)
            for b in max(0, j - radius)...min(rows - 1, j + radius) {
                for a in max(0, i - radius)...min(columns - 1, i + radius) {
                    sum += self[a, b]
                    count += 1
                }
            }
            return sum / count
        }

        /// Value at a pixel's centre when a cell spans `side` pixels.
        func between(_ x: Int, _ y: Int, side: Int) -> Double {
            let (fx, fy) = ((Double(x) + 0.5) / Double(side) - 0.5, (Double(y) + 0.5) / Double(side) - 0.5)
            let (i, j) = (Int(fx.rounded(.down)), Int(fy.rounded(.down)))
            let (a, b) = (fx - Double(i), fy - Double(j))
            return (self[i, j] * (1 - a) + self[i + 1, j] * a) * (1 - b)
                + (self[i, j + 1] * (1 - a) + self[i + 1, j + 1] * a) * b
        }
    }

    private func cells(_ value: (Int, Int) -> Double) -> Cells { Cells(columns, rows, value) }

    private func overCell(_ plane: Plane, _ i: Int, _ j: Int, _ side: Int) -> [Double] {
        var result: [Double] = []
        for b in j * side..<(j + 1) * side {
            for a in i * side..<(i + 1) * side {
                result.append(plane[min(a, plane.width - 1), min(b, plane.height - 1)])
            }
        }
        return result
    }

    private func unit(_ value: Double) -> Double { max(0, min(1, value)) }

    /// Luma, Cb and Cr of the result, not rounded.
    func treated(
        smooth: Double, whiten: Double, ruddy: Double, skinOnly: Bool
    ) -> (y: [Double], u: [Double], v: [Double]) {
        let luma = cells { i, j in overCell(y, i, j, side).reduce(0, +) / Double(side * side) - 128 }
        let low = cells { i, j in overCell(y, i, j, side).min()! }
        let high = cells { i, j in overCell(y, i, j, side).max()! }
        let cb = cells { i, j in overCell(u, i, j, side / 2).reduce(0, +) / Double(side * side / 4) - 128 }
        let cr = cells { i, j in overCell(v, i, j, side / 2).reduce(0, +) / Double(side * side / 4) - 128 }
        let likelihood = cells { i, j in skinOnly ? Self.likelihood(luma[i, j], cb[i, j], cr[i, j]) : 1 }
        let bend = cells { i, j in
            guard skinOnly else { return 0 }
            let across = abs(luma[i, j] - (luma[i - 1, j] + luma[i + 1, j]) / 2)
            let down = abs(luma[i, j] - (luma[i, j - 1] + luma[i, j + 1]) / 2)
            let share = side == 2 ? 0.47 : 0.138
            let spread = high[i, j] - low[i, j]
            return min(
                8, max(0, 1.41 * max(across, down) - share * spread) + 0.5 * max(0, spread - (side == 2 ? 14 : 24)))
        }
        let squares = cells { i, j in luma[i, j] * luma[i, j] }
        let means = cells { i, j in luma.mean(i, j, radius) }
        let deviation = 6.5 + 6 * smooth
        let variance = cells { i, j in
            let across = means[i + 1, j] - means[i - 1, j]
            let down = means[i, j + 1] - means[i, j - 1]
            let shading = (across * across + down * down) / 4 * Double(radius * (radius + 1)) / 3
            let light = max(0.33, min(1.1, (means[i, j] + 112) / 140))
            let about = squares.mean(i, j, radius) - means[i, j] * means[i, j] - shading
            return max(0, about) / (light * light)
        }
        let slope = cells { i, j in
            let squared = variance[i, j] * variance[i, j]
            return squared / (squared + deviation * deviation * deviation * deviation)
        }
        let weight = cells { i, j in 0.2 + 0.8 * (1 - slope[i, j]) }
        let skin = cells { i, j in
            let doubt = bend.mean(i, j, radius) + 2 * unit((variance[i, j] - 64) / 192)
            return unit(2 * likelihood.mean(i, j, radius) - 0.5) * unit((6.5 - doubt) / 2)
        }
        let mask = cells { i, j in skin.mean(i, j, radius) }
        let weighted = cells { i, j in weight[i, j] * slope[i, j] }
        let offsets = cells { i, j in weight[i, j] * means[i, j] * (1 - slope[i, j]) }
        let blend = smooth * (1.2 - 0.35 * smooth)
        let free = cells { i, j in
            var (least, most) = (255.0, 0.0)
            for b in j - 1...j + 1 {
                for a in i - 1...i + 1 { (least, most) = (min(least, low[a, b]), max(most, high[a, b])) }
            }
            let light = max(0.7, min(1, (luma[i, j] + 112) / 140))
            let fine = unit((72 - (most - least) / light) / 36)
            // The same of cells, in the light they have.
            let near = (j - 1...j + 1).flatMap { b in (i - 1...i + 1).map { luma[$0, b] } }
            let shade = max(0.33, min(1, (luma[i, j] + 112) / 140))
            return min(fine, unit((56 - (near.max()! - near.min()!) / shade) / 20))
        }
        let removal = cells { i, j in
            let flatness = 1 - weighted.mean(i, j, radius) / weight.mean(i, j, radius)
            return mask[i, j] * free[i, j] * blend * flatness
        }
        let given = cells { i, j in
            let offset = offsets.mean(i, j, radius) / weight.mean(i, j, radius)
            return removal[i, j] * 128 + mask[i, j] * free[i, j] * blend * offset
        }
        let blush = cells { i, j in
            let share = max(0.35, min(1, (52 - cr[i, j]) / 30)) * unit((luma[i, j] + 108) / 80)
            return mask[i, j] * ruddy * 8 * share
        }
        var out = (y: y.values, u: u.values, v: v.values)
        for b in 0..<height {
            for a in 0..<width {
                let pixel = y[a, b]
                var value = pixel - removal.between(a, b, side: side) * pixel + given.between(a, b, side: side)
                let x = max(0, min(219, value - 16)) / 219
                value += mask.between(a, b, side: side) * whiten * 4 * 0.12 * x * (1 - x) * 219
                out.y[b * width + a] = max(0, min(255, value))
            }
        }
        for b in 0..<u.height {
            for a in 0..<u.width {
                let shift = blush.between(a, b, side: side / 2)
                out.v[b * u.width + a] = min(255, v[a, b] + shift)
                out.u[b * u.width + a] = min(255, u[a, b] + shift / 8)
            }
        }
        return out
    }

    static func likelihood(_ luma: Double, _ cb: Double, _ cr: Double) -> Double {
        let (along, across) = (-0.6 * cb + 0.8 * cr, 0.8 * cb + 0.6 * cr)
        let bounds = [
            (along - min(8.5, max(3.5, 3.5 + (luma + 88) * 0.07), 8.5 - (luma - 50) * 0.04)) * 0.4, (58 - along) * 0.09,
            (14 + 0.45 * (luma + 112) - along) * 0.12, (0.36 * along + 4.5 - across) * 0.3,
            (0.25 * along + 3.5 + across) * 0.4, (luma + 106) * 0.07, (112 - luma) * 0.1,
        ]
        return max(0, min(1, bounds.min()!))
    }
}
