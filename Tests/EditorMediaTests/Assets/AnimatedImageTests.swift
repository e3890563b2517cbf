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

    /// Straight samples of sixteen bits, R, G, B, A: slopes, and from clear to solid.
    private static func deep(_ size: PixelSize, _ n: Int) -> [[UInt16]] {
        (0..<size.width * size.height).map { i in
            let (x, y) = (i % size.width, i / size.width)
            return [x * 1600 + n * 900, y * 2500, 30000 + n * 5000, x < 6 ? 65535 : (x * 5000 + y * 3000) % 65536]
                .map { UInt16($0 % 65536) }
        }
    }

    private static func bigEndian(_ pixels: [[UInt16]]) -> [UInt8] {
        pixels.joined().flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    @Test func `APNG of sixteen bits is as ffmpeg decodes it`() throws {
        let folder = try AssetFolder()
        let pictures = (0..<4).map { Self.deep(Self.size, $0) }
        try folder.encode(
            pictures.flatMap(Self.bigEndian), "rgba64be", Self.size, as: "a.apng", "-pix_fmt rgba64be -f apng")
        #expect(try folder.bytes("a.apng")[24] == 16, "bits of a sample")
        try folder.ffmpeg("-f apng -i a.apng -f rawvideo -pix_fmt rgba64be -fps_mode passthrough back.raw")
        let back = try folder.bytes("back.raw")
        let image = try folder.image("a.apng")
        let bytes = Self.size.width * Self.size.height * 8
        try #require(image.frames.count == 4 && back.count == 4 * bytes)
        for (n, frame) in image.frames.enumerated() {
            let samples = stride(from: n * bytes, to: (n + 1) * bytes, by: 2).map {
                Double(Int(back[$0]) << 8 | Int(back[$0 + 1]))
            }
            let wanted = samples.indices.map { i in
                let alpha = samples[i | 3] / 65535
                return UInt8(((i & 3 == 3 ? 1 : samples[i] / 65535) * alpha * 255).rounded())
            }
            #expect(frame.picture.difference(from: wanted) <= 1, "picture \(n)")
        }
    }

    /// libav refuses these. The right pictures come from the format's rules, in floating point.
    @Test func `APNG of sixteen bits is blended and disposed of`() throws {
        let folder = try AssetFolder()
        // Where each picture lies, what becomes of it, and whether it is blended.
        let parts: [(rect: (x: Int, y: Int, w: Int, h: Int), disposal: UInt8, isBlended: Bool)] = [
            ((0, 0, 40, 24), 0, false), ((12, 7, 16, 10), 2, true), ((3, 2, 20, 12), 1, true),
            ((8, 4, 30, 18), 0, true),
            ((20, 1, 11, 23), 0, false), ((0, 0, 40, 24), 0, true),
        ]
        var file: [UInt8] = []
        var sequence = 0
        func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        // The sums are left at 0, as libav does not look at them either.
        func chunk(_ name: String, _ data: [UInt8]) { file += big(data.count) + Array(name.utf8) + data + big(0) }
        var canvas = [Double](repeating: 0, count: 40 * 24 * 4)
        var shown: [[UInt8]] = []
        for (n, part) in parts.enumerated() {
            let (x, y, w, h) = part.rect
            let size = PixelSize(width: w, height: h)
            let pixels = Self.deep(size, n)
            try folder.encode(Self.bigEndian(pixels), "rgba64be", size, as: "p\(n).png", "-pix_fmt rgba64be")
            let still = try folder.bytes("p\(n).png")
            if n == 0 {
                file = Array(still[..<33])
                chunk("acTL", big(parts.count) + big(0))
            }
            chunk(
                "fcTL",
                big(sequence) + big(w) + big(h) + big(x) + big(y) + big(1, 2) + big(10, 2)
                    + [part.disposal, part.isBlended ? 1 : 0])
            sequence += 1
            var place = 33
            while place + 12 <= still.count {
                let length = still[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                let data = Array(still[place + 8..<place + 8 + length])
                if Array(still[place + 4..<place + 8]) == Array("IDAT".utf8) {
                    chunk(n == 0 ? "IDAT" : "fdAT", n == 0 ? data : big(sequence) + data)
                    if n > 0 { sequence += 1 }
                }
                place += length + 12
            }
            let before = canvas
            for (i, pixel) in pixels.enumerated() {
                let place = ((y + i / w) * 40 + x + i % w) * 4
                let alpha = Double(pixel[3]) / 65535
                for c in 0..<4 {
                    let color = c == 3 ? alpha : Double(pixel[c]) / 65535 * alpha
                    canvas[place + c] = color + (part.isBlended ? canvas[place + c] * (1 - alpha) : 0)
                }
            }
            shown.append(canvas.map { UInt8(($0 * 255).rounded()) })
            if part.disposal == 2 { canvas = before }
            if part.disposal == 1 {
                for i in 0..<w * h {
                    for c in 0..<4 { canvas[((y + i / w) * 40 + x + i % w) * 4 + c] = 0 }
                }
            }
        }
        chunk("IEND", [])
        try folder.write(file, "a.png")
        let image = try folder.image("a.png")
        try #require(image.frames.count == parts.count)
        for (n, frame) in image.frames.enumerated() {
            #expect(frame.duration == 0.1)
            // Each picture below may be a rounding off.
            let difference = frame.picture.difference(from: shown[n])
            #expect(difference <= 2, "picture \(n): \(difference)")
        }
    }

    @Test func `a long video is refused`() throws {
        let folder = try AssetFolder()
        try folder.ffmpeg("-f lavfi -i color=s=1280x720:r=30:d=6 -c:v libx264 -preset ultrafast long.mp4")
        let failure = try #require(folder.failure("long.mp4"))
        #expect(failure.message.contains("long.mp4") && failure.message.contains("1280x720"), "\(failure)")
    }
}
