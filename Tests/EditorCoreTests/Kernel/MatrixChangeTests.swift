import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct MatrixChangeTests {
    /// Y′C′BC′R codes of R′G′B′ for the luma weights of red and blue (ITU-R BT.601, BT.709, BT.2020).
    private func codes(_ rgb: (Double, Double, Double), kr: Double, kb: Double) -> [Double] {
        let y = kr * rgb.0 + (1 - kr - kb) * rgb.1 + kb * rgb.2
        return [16 + 219 * y, 128 + 224 * (rgb.2 - y) / (2 * (1 - kb)), 128 + 224 * (rgb.0 - y) / (2 * (1 - kr))]
    }

    @Test(arguments: [(ColorDescription.Matrix.bt601, 0.299, 0.114), (.bt2020, 0.2627, 0.0593)])
    func plainColoursStayTheSameLight(matrix: ColorDescription.Matrix, kr: Double, kb: Double) throws {
        var change = try #require(MatrixChange(from: matrix))
        for r in stride(from: 0.0, through: 1, by: 0.25) {
            for g in stride(from: 0.0, through: 1, by: 0.25) {
                for b in stride(from: 0.0, through: 1, by: 0.25) {
                    let before = codes((r, g, b), kr: kr, kb: kb).map { UInt8($0.rounded()) }
                    let after = codes((r, g, b), kr: 0.2126, kb: 0.0722)
                    var frame = SyntheticFrames.plain(
                        PixelSize(width: 5, height: 3), y: before[0], u: before[1], v: before[2])
                    change.apply(to: &frame)
                    for plane in 0..<3 {
                        for byte in SyntheticFrames.bytes(of: frame, plane: plane) {
                            // Half a code of rounding before, at a gain of up to 1.2, and half after.
                            #expect(abs(Double(byte) - after[plane]) <= 1.3, "\(matrix) \(r) \(g) \(b) plane \(plane)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [
        PixelSize(width: 161, height: 121), PixelSize(width: 64, height: 34), PixelSize(width: 1, height: 1),
    ])
    func lumaGainsChromaAtItsPlace(size: PixelSize) throws {
        var change = try #require(MatrixChange(from: .bt601))
        // Luma in the middle, so that nothing is clipped.
        var random = SplitMix64(3)
        let frame = SyntheticFrames.frame(size) { plane, _, _ in
            UInt8(plane == 0 ? 100 + random.next() % 50 : 40 + random.next() % 170)
        }
        var result = frame
        change.apply(to: &result)
        let (y, u, v) = (bytes(frame, 0), bytes(frame, 1), bytes(frame, 2))
        let (w, h) = ((size.width + 1) / 2, (size.height + 1) / 2)
        let gray = codes((0, 0, 0), kr: 0.2126, kb: 0.0722)[0]
        // What one code of each chroma of BT.601 is in BT.709, by way of R′G′B′.
        func effect(_ cb: Double, _ cr: Double) -> [Double] {
            let (pb, pr) = (cb / 224, cr / 224)
            let (r, b) = (1.402 * pr, 1.772 * pb)
            let g = -(0.299 * r + 0.114 * b) / 0.587
            let codes = codes((r, g, b), kr: 0.2126, kb: 0.0722)
            return [codes[0] - gray, codes[1] - 128, codes[2] - 128]
        }
        var most = [0.0, 0.0, 0.0]
        for row in 0..<size.height {
            for column in 0..<size.width {
                var gain = 0.0
                let (cy, other) = (row / 2, min(max(row / 2 + (row % 2 == 0 ? -1 : 1), 0), h - 1))
                for (line, share) in [(cy, 0.75), (other, 0.25)] {
                    for sample in [column / 2, min((column + 1) / 2, w - 1)] {
                        let i = line * w + sample
                        gain += share / 2 * effect(Double(u[i]) - 128, Double(v[i]) - 128)[0]
                    }
                }
                let expected = Double(y[row * size.width + column]) + gain
                most[0] = max(most[0], abs(Double(bytes(result, 0)[row * size.width + column]) - expected))
            }
        }
        for i in 0..<w * h {
            let expected = effect(Double(u[i]) - 128, Double(v[i]) - 128)
            most[1] = max(most[1], abs(Double(bytes(result, 1)[i]) - 128 - expected[1]))
            most[2] = max(most[2], abs(Double(bytes(result, 2)[i]) - 128 - expected[2]))
        }
        #expect(most.allSatisfy { $0 <= 0.6 }, "\(most)")
    }

    @Test func greyStaysAsItIs() throws {
        var change = try #require(MatrixChange(from: .bt601))
        let frame = SyntheticFrames.frame(PixelSize(width: 256, height: 4)) { plane, x, _ in plane == 0 ? UInt8(x) : 128
        }
        var result = frame
        change.apply(to: &result)
        #expect(SyntheticFrames.areEqual(result, frame))
        #expect(MatrixChange(from: .bt709) == nil)
    }

    private func bytes(_ frame: VideoFrame, _ plane: Int) -> [UInt8] { SyntheticFrames.bytes(of: frame, plane: plane) }
}
