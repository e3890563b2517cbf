import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Sample files from elsewhere, whose pixels other programs agree on.
@Suite(.enabled(if: AssetFolder.corpus != nil, "EDITOR_CORPUS names no folder of sample files"))
struct CorpusImageTests {
    private func image(_ name: String, width: Int? = nil) throws -> ImageAsset {
        try AssetFolder().image(AssetFolder.corpus! + "/image/" + name, width: width)
    }

    @Test func `GIF disposal`() throws {
        let ground = try image("gif_dispose_background.gif")
        #expect(ground.frames.map(\.duration) == [0.5, 0.5, 0.5])
        for (frame, center) in zip(ground.frames, [[254, 254, 203], [224, 224, 180], [255, 255, 204]]) {
            #expect(frame.picture.pixel(0, 0)[3] == 0)
            #expect(isClose(frame.picture.pixel(96, 84), center + [255]), "\(frame.picture.pixel(96, 84))")
        }
        let first = try image("gif_dispose_prev_first.gif")
        #expect(first.frames.map(\.duration) == [1, 1])
        #expect(first.frames[0].picture.pixel(0, 0) == [0, 0, 0, 0])
        #expect(first.frames[0].picture.pixel(50, 25) == [255, 0, 0, 255])
        #expect(first.frames[1].picture.pixel(0, 0) == [255, 0, 0, 255])
        #expect(first.frames[1].picture.pixel(50, 25) == [0, 0, 0, 0])
    }

    @Test func `GIF under another name`() throws {
        let cradle = try image("gif_cradle_as.jpeg")
        #expect(cradle.frames.count == 36)
        #expect(cradle.frames.prefix(10).map(\.duration) == [0.05] + Array(repeating: 0.02, count: 8) + [0.04])
        #expect(isClose(cradle.frames[0].picture.pixel(0, 0), [174, 174, 174, 255]))
        let sticker = try image("gif_sticker_alpha.gif")
        #expect(sticker.frames.count == 20 && sticker.frames.allSatisfy { $0.duration == 0.15 })
    }

    @Test func `APNG disposal and delays`() throws {
        let ground = try image("apng_dispose_bg_region.png")
        #expect(ground.frames.map(\.duration) == [0.1, 0.1, 0.1])
        #expect(ground.frames[2].picture.pixel(0, 0) == [0, 0, 255, 255])
        #expect(ground.frames[2].picture.pixel(64, 32) == [0, 0, 0, 0])
        let previous = try image("apng_dispose_prev_region.png")
        #expect(previous.frames.count == 3)
        #expect(previous.frames[1].picture.pixel(64, 32) == [255, 0, 0, 255])
        #expect(previous.frames[1].picture.pixel(2, 2) == [0, 255, 0, 255])
        #expect(
            stride(from: 0, to: 128 * 64, by: 7).allSatisfy {
                previous.frames[2].picture.pixel($0 % 128, $0 / 128) == [0, 255, 0, 255]
            })
        let delays = try image("apng_delay_mixed.png")
        #expect(delays.frames.map(\.duration) == [0.5, 1, 0.5, 1])
        #expect(delays.frames[1].picture.pixel(5, 5) == [255, 255, 0, 255])
        let clock = try image("apng_clock_alpha.png")
        #expect(clock.frames.count == 40 && clock.frames.allSatisfy { $0.duration == 0.04 })
    }

    @Test func `animated WebP`() throws {
        let alpha = try image("webp_anim_alpha_17f.webp")
        #expect(alpha.frames.map(\.duration) == (0..<17).map { $0 == 8 ? 1 : $0 == 16 ? 10 : 0.08 })
        #expect(alpha.frames[0].picture.pixel(0, 0)[3] == 0)
        #expect(isClose(alpha.frames[0].picture.pixel(50, 35), [198, 104, 76, 255]))
        let mixed = try image("webp_anim_mixed_101f.webp")
        #expect(mixed.frames.count == 101 && mixed.frames.allSatisfy { $0.duration == 0.03 })
        #expect(isClose(mixed.frames[0].picture.pixel(160, 120), [6, 199, 22, 255]))
        let three = try image("webp_anim_lossless_3f.webp")
        #expect(three.frames.map(\.duration) == [0.1, 0.1, 0.1])
        #expect(
            three.frames.map { $0.picture.pixel(0, 0) } == [
                [104, 133, 73, 255], [199, 95, 134, 255], [46, 202, 18, 255],
            ])
    }

    /// Means of 13 × 13 pixels at a tenth and nine tenths of either side.
    /// Every picture against a plain decoder and compositor, and ffmpeg's still pictures for WebP.
    /// - Parameter tolerance: of a byte; the lossy pictures of one file go through another conversion of colours there.
    @Test(arguments: [
        ("gif_cradle_as.jpeg", 12, 0), ("gif_dispose_background.gif", 99, 0), ("gif_dispose_prev_first.gif", 99, 0),
        ("gif_sticker_alpha.gif", 99, 0), ("apng_clock_alpha.png", 99, 1), ("apng_delay_mixed.png", 99, 0),
        ("apng_dispose_bg_region.png", 99, 0), ("apng_dispose_prev_region.png", 99, 0),
        ("webp_anim_alpha_17f.webp", 17, 255), ("webp_anim_lossless_3f.webp", 3, 1),
        ("webp_anim_mixed_101f.webp", 12, 255),
    ])
    func `the pictures of a plain compositor`(name: String, most: Int, tolerance: Int) throws {
        let folder = try AssetFolder()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Reference/frames.py").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", script, AssetFolder.corpus! + "/image/" + name, folder.file("ref"), String(most)]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let reference = try folder.bytes("ref")
        let head = stride(from: 0, to: 12, by: 4).map { i in
            (0..<4).reduce(0) { $0 | Int(reference[i + $1]) << (8 * $1) }
        }
        let asset = try image(name)
        #expect(asset.size == PixelSize(width: head[0], height: head[1]) && head[2] == min(most, asset.frames.count))
        let bytes = head[0] * head[1] * 4
        for n in 0..<head[2] {
            let wanted = Array(reference[12 + n * bytes..<12 + (n + 1) * bytes])
            let picture = asset.frames[n].picture
            #expect(picture.difference(from: wanted) <= tolerance, "\(name) \(n): \(picture.difference(from: wanted))")
            let sum = zip(picture.pixels, wanted).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(sum) / Double(bytes) < 1.5, "\(name) \(n): \(Double(sum) / Double(bytes)) in the mean")
        }
    }

    @Test(arguments: [
        ("exif6_portrait.jpg", 1200, 1800, [[168, 180, 189], [211, 214, 223], [154, 167, 176], [186, 192, 204]]),
        ("exif5_mirrored.jpg", 231, 308, [[99, 103, 69], [146, 159, 152], [128, 131, 73], [159, 140, 108]]),
        ("exif3_halfturn.jpg", 308, 410, [[107, 109, 70], [134, 148, 143], [134, 140, 79], [162, 141, 114]]),
    ])
    func `photos stand upright`(name: String, width: Int, height: Int, corners: [[Int]]) throws {
        let photo = try image(name)
        #expect(photo.size == PixelSize(width: width, height: height))
        let picture = photo.frames[0].picture
        for (place, wanted) in zip([(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)], corners) {
            var sums = [0, 0, 0]
            for y in -6...6 {
                for x in -6...6 {
                    let pixel = picture.pixel(Int(Double(width) * place.0) + x, Int(Double(height) * place.1) + y)
                    for c in 0..<3 { sums[c] += pixel[c] }
                }
            }
            #expect(
                isClose(sums.map { ($0 + 84) / 169 }, wanted, 3),
                "\(name) \(place): \(sums.map { $0 / 169 }) for \(wanted)")
        }
    }

    @Test func `stills`() throws {
        let cmyk = try image("cmyk_adobe.jpg").frames[0].picture
        #expect(isClose(cmyk.pixel(50, 50), [1, 4, 5, 255], 6), "\(cmyk.pixel(50, 50))")
        #expect(cmyk.pixel(0, 0)[0] > 180 && cmyk.pixel(0, 0)[1] < 80, "\(cmyk.pixel(0, 0))")
        let circle = try image("png_trns_after_plte.png").frames[0].picture
        #expect(circle.pixel(0, 0) == [0, 0, 0, 0] && circle.pixel(50, 30) == [0, 0, 255, 255])
        #expect(try image("bmp_565.bmp").size == PixelSize(width: 127, height: 64))
        #expect(try image("png_astronaut_face.png").size == PixelSize(width: 512, height: 512))
        let phone = try image("ultrahdr_12mp_portrait.jpg", width: 300)
        #expect(phone.frames.count == 1 && phone.frames[0].picture.width == 600 && phone.size.width == 3072)
        let moving = try image("avif_anim_5f.avif")
        #expect(moving.frames.count == 5 && abs(moving.frames[0].duration - 1.0 / 30) < 0.001)
        do {
            // As its ispe box says.
            #expect(try image("heic_photo.heic").size == PixelSize(width: 1080, height: 1920))
        } catch let error as EditorError {
            #expect(error.kind == .unavailable && error.message.contains("heic_photo.heic"), "without libheif")
        }
    }

    @Test func `vector drawings`() throws {
        let tiger = try image("svg_tiger.svg", width: 450)
        #expect(tiger.size == PixelSize(width: 900, height: 900) && tiger.frames[0].picture.width == 450)
        let reference = try image("svg_css_class.ref.png").frames[0].picture
        let drawn = try image("svg_css_class.svg", width: reference.width).frames[0].picture
        #expect(drawn.height == reference.height)
        let gaps = zip(drawn.pixels, reference.pixels).filter { abs(Int($0) - Int($1)) > 24 }.count
        #expect(gaps < drawn.pixels.count / 200, "\(gaps) of \(drawn.pixels.count) bytes differ")
    }

    @Test func `a video with alpha is a sticker`() throws {
        let name = AssetFolder.corpus! + "/derived/qtrle_alpha_sticker.mov"
        let video = try AssetFolder().image(name)
        let gif = try image("gif_sticker_alpha.gif")
        #expect(video.frames.count == 20 && video.frames.allSatisfy { abs($0.duration - 0.15) < 1e-9 })
        for (a, b) in zip(video.frames, gif.frames) { #expect(a.picture.difference(from: b.picture.pixels) <= 1) }
    }

    /// Writes every picture of the folder into one, for looking at: set EDITOR_CONTACT_SHEET to a path for R, G, B, A
    /// bytes of 1200 × 1000 pixels.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["EDITOR_CONTACT_SHEET"] != nil))
    func `contact sheet`() throws {
        let path = ProcessInfo.processInfo.environment["EDITOR_CONTACT_SHEET"]!
        let (width, height, cell) = (1200, 1000, 200)
        var sheet: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { sheet += (x / 10 + y / 10) % 2 == 0 ? [200, 200, 200, 255] : [150, 150, 150, 255] }
        }
        var place = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: AssetFolder.corpus! + "/image").sorted() {
            guard let asset = try? image(name, width: cell), place < 30 else { continue }
            let picture = asset.frames[asset.frames.count / 2].picture
            let scale = Double(max(picture.width, picture.height)) / Double(cell - 8)
            let (left, top) = (place % 6 * cell, place / 6 * cell)
            for y in 0..<Int(Double(picture.height) / scale) {
                for x in 0..<Int(Double(picture.width) / scale) {
                    let pixel = picture.pixel(Int(Double(x) * scale), Int(Double(y) * scale))
                    let target = ((top + y) * width + left + x) * 4
                    for c in 0..<3 {
                        sheet[target + c] = UInt8(min(255, pixel[c] + Int(sheet[target + c]) * (255 - pixel[3]) / 255))
                    }
                }
            }
            place += 1
        }
        try Data(sheet).write(to: URL(fileURLWithPath: path))
    }
}
