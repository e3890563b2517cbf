import BeautyEffects
import EditorCore
import EditorTestSupport
import Foundation
import Testing

private let corpusFolder = ProcessInfo.processInfo.environment["EDITOR_CORPUS"]

/// Photographs, where a folder with them is named by `EDITOR_CORPUS`.
@Suite("beauty on photographs", .enabled(if: corpusFolder != nil))
struct CorpusFaceTests {
    /// The first picture of a file, in the working format.
    private func picture(_ path: String, _ size: PixelSize, noise: String = "") throws -> VideoFrame {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let file = try #require(corpusFolder) + "/" + path
        let filter = noise + "scale=\(size.width):\(size.height):out_color_matrix=bt709:out_range=tv,format=yuv420p"
        process.arguments = [
            "ffmpeg", "-v", "error", "-i", file, "-frames:v", "1", "-vf", filter, "-f", "rawvideo", "-",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        try #require(bytes.count == size.width * size.height * 3 / 2)
        let offsets = [0, size.width * size.height, size.width * size.height * 5 / 4]
        return SyntheticFrames.frame(size) { plane, x, y in
            bytes[offsets[plane] + y * (plane == 0 ? size.width : size.width / 2) + x]
        }
    }

    private func box(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) -> [(x: Int, y: Int)] {
        (y0..<y1).flatMap { y in (x0..<x1).map { (x: $0, y: y) } }
    }

    /// Mean difference between neighbours.
    private func texture(_ plane: Plane, _ box: [(x: Int, y: Int)]) -> Double {
        box.reduce(0) { sum, p in
            sum + abs(plane[p.x + 1, p.y] - plane[p.x, p.y]) + abs(plane[p.x, p.y + 1] - plane[p.x, p.y])
        } / Double(2 * box.count)
    }

    /// Mean over rows of the largest jump over two pixels.
    private func step(_ plane: Plane, _ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) -> Double {
        (y0..<y1).reduce(0) { sum, y in
            sum + (x0..<x1 - 2).reduce(0) { max($0, abs(plane[$1 + 2, y] - plane[$1, y])) }
        } / Double(y1 - y0)
    }

    @Test("a noisy face: cheeks get smooth, eyes stay, suit, flag and helmet are as they were")
    func astronaut() throws {
        let size = PixelSize(width: 512, height: 512)
        let frame = try picture("image/png_astronaut_face.png", size, noise: "noise=c0s=14:c0f=t,")
        let result = Bench.treated(frame, Bench.parameters(smooth: 1))
        let (before, after) = (Plane(frame), Plane(result))
        for cheek in [box(240, 112, 260, 134), box(194, 112, 212, 134)] {
            #expect(texture(after, cheek) < 0.75 * texture(before, cheek))
        }
        #expect(step(after, 188, 92, 212, 108) > 0.9 * step(before, 188, 92, 212, 108))
        for rest in [box(0, 0, 60, 60), box(330, 400, 430, 500), box(110, 180, 300, 300)] {
            #expect(before.meanChange(after, rest) < 0.35)
        }
        let toned = Bench.treated(frame, Bench.parameters(whiten: 0.8, ruddy: 0.8))
        for cheek in [box(240, 112, 260, 134), box(194, 112, 212, 134)] {
            #expect(Plane(toned).mean(cheek) - before.mean(cheek) > 8)
        }
        #expect(before.meanChange(Plane(toned), box(330, 400, 430, 500)) < 0.5)
    }

    /// The picture with grain of a camera in the dark.
    private func grainy(_ frame: VideoFrame, deviation: Double, seed: UInt64) -> VideoFrame {
        var (random, result) = (SplitMix64(seed), frame)
        result.withMutablePlane(0) { pixels, _ in
            for i in pixels.indices {
                let value = Double(pixels[i]) + deviation * Portrait.gauss(&random)
                pixels[i] = UInt8(max(0, min(255, value.rounded())))
            }
        }
        return result
    }

    /// Skin of the face at 512 × 512, where it is ninety pixels wide: both cheeks and the chin. The creases beside the nose
    /// and the lamp's reflection, which are no pores, lie outside.
    private var skin: [(name: String, pixels: [(x: Int, y: Int)])] {
        [
            ("left cheek", box(186, 110, 196, 128)), ("right cheek", box(247, 114, 262, 134)),
            ("chin", box(200, 156, 230, 164)),
        ]
    }

    @Test("at 0.7 at least half of the variance of cheeks and chin goes, with grain and without", arguments: [0, 4.5])
    func evensOutTheAstronaut(_ deviation: Double) throws {
        let size = PixelSize(width: 512, height: 512)
        let frame = grainy(try picture("image/png_astronaut_face.png", size), deviation: deviation, seed: 1)
        let (before, after) = (Plane(frame), Plane(Bench.treated(frame, Bench.parameters(smooth: 0.7))))
        for (name, pixels) in skin {
            // Windows of 7 pixels are to this face what 40 are to one that fills a phone's picture. A cheek of this size
            // turns away from the light by four levels a pixel, which is shape and is meant to stay: so about the shading.
            let kept =
                after.varianceAboutShading(pixels, reach: 3) / before.varianceAboutShading(pixels, reach: 3)
            #expect(kept < 0.5, "\(name): \(kept)")
        }
    }

    @Test(
        "eyes, mouth, hair and print keep 95 % of their gradients' energy, with grain and without",
        arguments: [0, 4.5, 8])
    func keepsTheAstronautsFeatures(_ deviation: Double) throws {
        let size = PixelSize(width: 512, height: 512)
        let photograph = try picture("image/png_astronaut_face.png", size)
        // Grain has gradients as well, and is to go. Its mean over many pictures is nothing; what is drawn in it stays.
        var sums = (before: [Double](repeating: 0, count: 512 * 512), after: [Double](repeating: 0, count: 512 * 512))
        for seed in 1...(deviation == 0 ? 1 : 12) {
            let frame = grainy(photograph, deviation: deviation, seed: UInt64(seed))
            let result = Bench.treated(frame, Bench.parameters(smooth: 0.7))
            sums.before = zip(sums.before, Plane(frame).values).map { $0 + $1 }
            sums.after = zip(sums.after, Plane(result).values).map { $0 + $1 }
        }
        var (before, after) = (Plane(photograph), Plane(photograph))
        (before.values, after.values) = sums
        for (name, part) in [
            ("left eye", box(188, 92, 212, 108)), ("right eye", box(226, 90, 254, 106)),
            ("mouth", box(204, 140, 246, 158)), ("hair", box(150, 40, 190, 140)), ("badge", box(110, 180, 300, 300)),
        ] {
            let share = after.gradientEnergy(part) / before.gradientEnergy(part)
            #expect(share > 0.95, "\(name): \(share)")
        }
    }

    @Test("grain moves the mask on a photograph by less than a hundredth")
    func isSteadyOnTheAstronaut() throws {
        let size = PixelSize(width: 512, height: 512)
        let photograph = try picture("image/png_astronaut_face.png", size)
        func lift(_ seed: UInt64) -> [Double] {
            let frame = grainy(photograph, deviation: 3, seed: seed)
            let (before, after) = (Plane(frame), Plane(Bench.treated(frame, Bench.parameters(whiten: 1))))
            // Means over 16 × 16 pixels, in which grain cancels and what the mask does is left.
            return stride(from: 0, to: 512, by: 16).flatMap { y in
                stride(from: 0, to: 512, by: 16).map { x in
                    let block = box(x, y, x + 16, y + 16)
                    return after.mean(block) - before.mean(block)
                }
            }
        }
        let (one, other) = (lift(1), lift(2))
        let full = one.max()!
        #expect(full > 15)
        #expect(zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(one.count) < 0.01 * full)
    }

    @Test("a face of forty pixels keeps eyes and mouth")
    func tinyFace() throws {
        let size = PixelSize(width: 192, height: 144)
        let frame = try picture("video/tiny_176x144_talking_face.mp4", size)
        let result = Bench.treated(frame, Bench.parameters(smooth: 1, whiten: 1, ruddy: 1))
        let (before, after) = (Plane(frame), Plane(result))
        #expect(step(after, 76, 50, 112, 66) > 0.75 * step(before, 76, 50, 112, 66))
        #expect(step(after, 88, 72, 114, 90) > 0.75 * step(before, 88, 72, 114, 90))
        #expect(before.meanChange(after, box(8, 90, 60, 110)) < 0.3)
        #expect(after.mean(box(84, 40, 108, 50)) > 1.05 * before.mean(box(84, 40, 108, 50)))
    }
}
