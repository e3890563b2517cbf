import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Files that are damaged, enormous, missing or something else are refused with a sentence that names them.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct BrokenAssetTests {
    @Test(arguments: [
        ("a.png", ""), ("a.jpg", "-q:v 2"), ("a.gif", ""), ("a.webp", "-c:v libwebp"), ("a.bmp", ""), ("a.tiff", ""),
    ])
    func `a file that ends early`(name: String, options: String) throws {
        let folder = try AssetFolder()
        try folder.ffmpeg("-f lavfi -i testsrc2=s=320x240 -frames:v 1 \(options) \(name)")
        let whole = try folder.bytes(name)
        #expect(folder.failure(name) == nil)
        for share in [0.02, 0.3, 0.6, 0.95] {
            let cut = "cut\(share)-\(name)"
            try folder.write(Array(whole.prefix(Int(Double(whole.count) * share))), cut)
            let failure = folder.failure(cut)
            #expect(failure?.message.contains(cut) == true, "\(share): \(failure?.message ?? "was accepted")")
        }
    }

    @Test func `an animation that ends early`() throws {
        let folder = try AssetFolder()
        for (name, options) in [("a.gif", ""), ("a.apng", "-f apng"), ("a.webp", "-c:v libwebp_anim")] {
            try folder.ffmpeg("-f lavfi -i testsrc2=s=160x120:r=10:d=1 \(options) \(name)")
            let whole = try folder.bytes(name)
            try folder.write(Array(whole.prefix(whole.count * 3 / 4)), "cut-" + name)
            #expect(folder.failure(name) == nil)
            #expect(folder.failure("cut-" + name)?.message.contains("cut-" + name) == true)
        }
    }

    @Test func `pictures of enormous size`() throws {
        let folder = try AssetFolder()
        func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        func little(_ value: Int) -> [UInt8] { big(value).reversed() }
        let header = big(13) + Array("IHDR".utf8) + big(50_000) + big(50_000) + [8, 6, 0, 0, 0, 0, 0, 0, 0]
        let png = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + big(0) + Array("IEND".utf8) + big(0)
        try folder.write(png, "bomb.png")
        try folder.write(
            Array("GIF89a".utf8) + [
                0x50, 0xC3, 0x50, 0xC3, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 0, 0x3B,
            ], "bomb.gif")
        try folder.write(
            [
                0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xC3, 0x50, 0xC3, 0x50, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0,
                63, 0, 0, 0xFF, 0xD9,
            ],
            "bomb.jpg")
        try folder.write(
            Array("BM".utf8) + little(100) + little(0) + little(54) + little(40) + little(50_000) + little(50_000)
                + [1, 0, 24, 0] + Array(repeating: 0, count: 60), "bomb.bmp")
        try folder.write(
            Array(
                "<svg xmlns='http://www.w3.org/2000/svg' width='50000' height='50000'><rect width='9' height='9'/></svg>"
                    .utf8),
            "bomb.svg")
        for name in ["bomb.png", "bomb.gif", "bomb.jpg", "bomb.bmp", "bomb.svg"] {
            let failure = folder.failure(name)
            #expect(
                failure?.message.contains(name) == true && failure?.message.contains("50000x50000") == true,
                "\(name): \(failure?.message ?? "was accepted")")
        }
    }

    @Test func `what is no image`() throws {
        let folder = try AssetFolder()
        try folder.write([], "empty.png")
        try folder.write(Array("just some words".utf8), "words.png")
        try folder.write(Array("<svg><oh".utf8), "broken.svg")
        try folder.write([0x1F, 0x8B, 8, 0, 0], "sticker.tgs")
        try folder.write(Array("{\"v\":\"5.5\",\"layers\":[]}".utf8), "moving.json")
        try folder.ffmpeg("-f lavfi -i sine=d=1 sound.wav")
        for name in [
            "empty.png", "words.png", "broken.svg", "sticker.tgs", "moving.json", "sound.wav", "missing.png", ".",
        ] {
            let failure = folder.failure(name)
            #expect(failure?.message.contains(name) == true, "\(name): \(failure?.message ?? "was accepted")")
        }
        #expect(folder.failure("missing.png")?.kind == .missingInput)
        #expect(folder.failure("missing.png")?.message.hasSuffix("missing.png does not exist") == true)
        #expect(folder.failure("https://example.org/a.png")?.kind == .unavailable)
    }

    @Test func `what has no sound`() throws {
        let folder = try AssetFolder()
        try folder.ffmpeg("-f lavfi -i testsrc2=s=64x64:d=1 -c:v libx264 silent.mp4")
        try folder.write(Array(repeating: 7, count: 5_000), "noise.mp3")
        for name in ["silent.mp4", "noise.mp3", "missing.mp3"] {
            #expect {
                _ = try folder.audio(name)
            } throws: {
                ($0 as? EditorError)?.message.contains(name) == true
            }
        }
    }

    @Test func `damaged sample files`() throws {
        guard let corpus = AssetFolder.corpus else { return }
        let folder = try AssetFolder()
        var names = try FileManager.default.contentsOfDirectory(atPath: corpus + "/broken").map {
            corpus + "/broken/" + $0
        }
        names.append(corpus + "/derived/trunc.png")
        for name in names
        where !["no_timescale_matrix0.mp4", "mp4_first_frame_not_key.mp4"].contains(where: name.hasSuffix) {
            let failure = folder.failure(name)
            #expect(failure?.message.contains(name) == true, "\(name): \(failure?.message ?? "was accepted")")
        }
    }
}
