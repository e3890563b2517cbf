import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Animations: every picture whole, each for its own time.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct AnimatedImageTests {
    private static let size = PixelSize(width: 40, height: 24)

    /// A square that moves over transparent ground.
    private static func frames(_ count: Int) -> [[UInt8]] {
        (0..<count).map { n in
            var bytes: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isInside = (n * 5..<n * 5 + 10).contains(x) && (6..<16).contains(y)
                    bytes += isInside ? [UInt8(250 - n * 20), UInt8(n * 30), 40, 255] : [0, 0, 0, 0]
                }
            }
            return bytes
        }
    }

    @Test(arguments: [
        ("a.apng", "-f apng"), ("a.webp", "-c:v libwebp_anim -lossless 1"), ("a.mov", "-c:v qtrle"),
        ("a.mkv", "-c:v png"), ("p.mov", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le"),
        ("v.webm", "-c:v libvpx-vp9 -lossless 1 -pix_fmt yuva420p"),
    ])
    func `pictures, alpha and times`(name: String, options: String) throws {
        let folder = try AssetFolder()
        let drawn = Self.frames(6)
        try folder.encode(Array(drawn.joined()), "rgba", Self.size, as: name, options)
        let image = try folder.image(name)
        #expect(image.frames.count == 6)
        #expect(image.size == Self.size)
        for (n, frame) in image.frames.enumerated() {
            #expect(abs(frame.duration - 0.1) < 1e-9, "\(name) picture \(n) stands \(frame.duration) s")
            // Lossy colours only inside the square, away from its edges.
            let isExact = ["a.apng", "a.webp", "a.mov", "a.mkv"].contains(name)
            if isExact {
                #expect(frame.picture.difference(from: drawn[n]) <= 1, "\(name) picture \(n)")
            } else {
                let place = (12 * Self.size.width + n * 5 + 5) * 4
                let wanted = drawn[n][place..<place + 4].map { Int($0) }
                #expect(
                    isClose(frame.picture.pixel(n * 5 + 5, 12), wanted, 8),
                    "\(name): \(frame.picture.pixel(n * 5 + 5, 12)), \(wanted)")
                #expect(isClose(frame.picture.pixel(1, 1), [0, 0, 0, 0], 3))
            }
        }
    }

    @Test func `GIF delays of nothing count as a tenth of a second`() throws {
        let folder = try AssetFolder()
        try folder.encode(
            Array(Self.frames(5).joined()), "rgba", Self.size, as: "a.gif",
            "-filter_complex split[a][b];[a]palettegen[p];[b][p]paletteuse")
        var gif = try folder.bytes("a.gif")
        var delays: [UInt8] = [0, 1, 2, 7, 250]
        for i in 0..<gif.count - 8 where gif[i] == 0x21 && gif[i + 1] == 0xF9 && gif[i + 2] == 4 && !delays.isEmpty {
            gif[i + 4] = delays.removeFirst()
            gif[i + 5] = 0
        }
        #expect(delays.isEmpty)
        try folder.write(gif, "b.gif")
        let image = try folder.image("b.gif")
        #expect(image.frames.map(\.duration) == [0.1, 0.1, 0.02, 0.07, 2.5])
        for (n, frame) in image.frames.enumerated() {
            #expect(frame.picture.difference(from: Self.frames(5)[n]) <= 8, "picture \(n)")
        }
    }

    @Test func `APNG times are exact fractions`() throws {
        let folder = try AssetFolder()
        try folder.write(Array(Self.frames(4).joined()), "raw")
        try folder.ffmpeg("-f rawvideo -pix_fmt rgba -s 40x24 -r 15 -i raw -f apng a.png")
        let image = try folder.image("a.png")
        #expect(image.frames.count == 4)
        #expect(image.frames.dropLast().allSatisfy { $0.duration == 1.0 / 15 }, "\(image.frames.map(\.duration))")
    }

    @Test func `a long video is refused`() throws {
        let folder = try AssetFolder()
        try folder.ffmpeg("-f lavfi -i color=s=1280x720:r=30:d=6 -c:v libx264 -preset ultrafast long.mp4")
        let failure = try #require(folder.failure("long.mp4"))
        #expect(failure.message.contains("long.mp4") && failure.message.contains("1280x720"), "\(failure)")
    }
}
