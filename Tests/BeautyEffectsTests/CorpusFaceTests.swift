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

    @Test("at 0.7 half of the variance of a noisy chin goes, and eyes, mouth, hair and print keep their edges")
    func astronautInNumbers() throws {
        let size = PixelSize(width: 512, height: 512)
        let frame = try picture("image/png_astronaut_face.png", size, noise: "noise=c0s=14:c0f=t,")
        let result = Bench.treated(frame, Bench.parameters(smooth: 0.7))
        let (before, after) = (Plane(frame), Plane(result))
        // On the cheeks at this size, where the face is ninety pixels wide, most of the variance is creases and freckles.
        let chin = box(200, 156, 230, 164)
        let kept = after.localVarianceAboutShading(chin) / before.localVarianceAboutShading(chin)
        #expect(kept < 0.5, "\(kept)")
        for (name, part) in [
            ("eyes", box(188, 92, 212, 108) + box(226, 90, 254, 106)), ("mouth", box(204, 140, 246, 158)),
            ("hair", box(150, 40, 190, 140)), ("badge", box(110, 180, 300, 300)),
        ] {
            let share = after.gradientEnergy(part) / before.gradientEnergy(part)
            #expect(share > 0.95, "\(name): \(share)")
        }
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
