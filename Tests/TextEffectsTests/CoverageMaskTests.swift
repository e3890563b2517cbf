import EditorTestSupport
import Foundation
import Testing

@testable import TextEffects

@Suite struct CoverageMaskTests {
    private func random(_ width: Int, _ height: Int, density: UInt64, seed: UInt64) -> CoverageMask {
        var generator = SplitMix64(seed)
        let pixels = (0..<width * height).map { _ in
            generator.next() % 100 < density ? UInt8(generator.next() % 255 + 1) : 0
        }
        return CoverageMask(width: width, height: height, pixels: pixels)
    }

    @Test(arguments: [(1, 1), (1, 17), (23, 1), (13, 7), (19, 14)])
    func growingIsTheDistanceToTheNearestCoveredPixel(width: Int, height: Int) {
        for (seed, density) in [UInt64(3), 10, 60].enumerated() {
            for distance in [0.5, 2, 5.5] {
                let mask = random(width, height, density: density, seed: UInt64(seed))
                let fast = mask.grown(by: distance)
                for y in 0..<height {
                    for x in 0..<width {
                        // Of several covered pixels at the same distance, any may be taken.
                        let covered = (0..<width * height).filter { mask.pixels[$0] > 0 }
                        let gaps = covered.map { hypot(Double($0 % width - x), Double($0 / width - y)) }
                        let nearest = gaps.min() ?? .infinity
                        let choices = zip(covered, gaps).filter { $0.1 <= nearest + 1e-9 }.map { index, gap in
                            let coverage = min(
                                1, max(0, distance - (gap + 0.5 - Double(mask.pixels[index]) / 255) + 0.5))
                            return max(mask.pixels[y * width + x], UInt8(coverage * 255 + 0.5))
                        }
                        let got = fast.pixels[y * width + x]
                        #expect(choices.contains(got) || (choices.isEmpty && got == 0), "\(x), \(y)")
                    }
                }
            }
        }
    }

    @Test func aDotGrowsToADisc() {
        var mask = CoverageMask(width: 61, height: 61, pixels: [UInt8](repeating: 0, count: 61 * 61))
        mask.pixels[30 * 61 + 30] = 255
        let disc = mask.grown(by: 20)
        let area = disc.pixels.reduce(0.0) { $0 + Double($1) / 255 }
        #expect(abs(area / (.pi * 20.5 * 20.5) - 1) < 0.01)
    }

    @Test(arguments: [1.2, 2.0, 5.0, 9.7])
    func blurIsAboutAGaussian(deviation: Double) {
        let side = 101
        var mask = CoverageMask(width: side, height: side, pixels: [UInt8](repeating: 0, count: side * side))
        for y in 30..<71 { for x in 30..<71 { mask.pixels[y * side + x] = 255 } }
        let blurred = mask.blurred(deviation: deviation)
        // Across the middle of an edge, a blurred square is the difference of two error functions.
        for x in 0..<side {
            func step(_ edge: Double) -> Double {
                0.5 * (1 + erf((Double(x) + 0.5 - edge) / (deviation * 2.0.squareRoot())))
            }
            let expected = (step(30) - step(71)) * 255
            #expect(abs(Double(blurred.pixels[50 * side + x]) - expected) < 9, "\(x)")
        }
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (23, 14)])
    func boxBlurIsTheMeanOfItsNeighbours(width: Int, height: Int) {
        for box in BoxBlur.boxes(deviation: 1.5) + BoxBlur.boxes(deviation: 4) + BoxBlur.boxes(deviation: 300) {
            for density: UInt64 in [20, 100] {
                let mask = random(width, height, density: density, seed: 9)
                var fast = mask
                fast.pixels.withUnsafeMutableBufferPointer { pixels in
                    box.blurRows(pixels.baseAddress!, width: width, height: height)
                }
                var turned = mask
                turned.pixels.withUnsafeMutableBufferPointer { pixels in
                    box.blurColumns(pixels.baseAddress!, width: width, height: height)
                }
                let size = Double(box.before + box.after + 1)
                for y in 0..<height {
                    for x in 0..<width {
                        let row = (x - box.before...x + box.after).filter { (0..<width).contains($0) }
                        let column = (y - box.before...y + box.after).filter { (0..<height).contains($0) }
                        let across = row.reduce(0) { $0 + Double(mask.pixels[y * width + $1]) } / size
                        let down = column.reduce(0) { $0 + Double(mask.pixels[$1 * width + x]) } / size
                        #expect(abs(Double(fast.pixels[y * width + x]) - across) <= 0.501)
                        #expect(abs(Double(turned.pixels[y * width + x]) - down) <= 0.501)
                    }
                }
            }
        }
    }

    @Test func blurringNothingOrATinyMaskIsSafe() {
        let dot = CoverageMask(width: 1, height: 1, pixels: [200])
        #expect(dot.blurred(deviation: 0).pixels == [200])
        #expect(dot.blurred(deviation: 50).pixels[0] < 50)
        #expect(CoverageMask(width: 2, height: 1, pixels: [0, 0]).grown(by: 3).pixels == [0, 0])
    }

    @Test func movingKeepsWhatStaysInside() {
        let mask = CoverageMask(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])
        #expect(mask.moved(by: 1, 1).pixels == [0, 0, 0, 0, 1, 2])
        #expect(mask.moved(by: -1, 0).pixels == [2, 3, 0, 5, 6, 0])
        #expect(mask.moved(by: 7, -9).pixels == [0, 0, 0, 0, 0, 0])
    }
}
