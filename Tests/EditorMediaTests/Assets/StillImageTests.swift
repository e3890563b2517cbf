import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// Stills of every format give the pixels that were drawn, premultiplied and upright.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct StillImageTests {
    private static let size = PixelSize(width: 37, height: 21)

    /// `channels` bytes a pixel; smooth in x and y, with every level of alpha.
    private static func drawn(_ channels: Int, _ value: (_ x: Int, _ y: Int, _ c: Int) -> Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { for c in 0..<channels { bytes.append(UInt8(value(x, y, c) & 255)) } }
        }
        return bytes
    }

    private static func level(_ x: Int, _ y: Int, _ c: Int) -> Int {
        [x * 6 + 10, y * 11 + 5, 250 - x * 3 - y * 2, x * 7][c]
    }

    /// The PNG specification's annex D, bit by bit.
    static func crc(_ bytes: [UInt8]) -> [UInt8] {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
        }
        return withUnsafeBytes(of: (~crc).bigEndian) { Array($0) }
    }

    private static func premultiplied(_ straight: [UInt8]) -> [UInt8] {
        var result = straight
        for i in stride(from: 0, to: straight.count, by: 4) {
            for c in 0..<3 {
                result[i + c] = UInt8((Double(straight[i + c]) * Double(straight[i + 3]) / 255).rounded())
            }
        }
        return result
    }

    @Test(arguments: ["c.png", "c.tiff", "c.webp", "c.bmp"])
    func `colours with alpha are premultiplied`(name: String) throws {
        let folder = try AssetFolder()
        let rgba = Self.drawn(4, Self.level)
        let options = ["c.webp": "-c:v libwebp -lossless 1", "c.bmp": "-pix_fmt bgra"][name] ?? ""
        try folder.encode(rgba, "rgba", Self.size, as: name, options)
        let image = try folder.image(name)
        #expect(image.frames.count == 1 && image.duration == 0 && image.size == Self.size)
        #expect(image.frames[0].picture.difference(from: Self.premultiplied(rgba)) <= 1)
    }

    @Test(arguments: ["c.png", "c.tiff", "c.bmp", "c.webp"])
    func `opaque colours come out as they are`(name: String) throws {
        let folder = try AssetFolder()
        let rgba = Self.drawn(4) { x, y, c in c == 3 ? 255 : Self.level(x, y, c) }
        let rgb = (0..<rgba.count).filter { $0 % 4 != 3 }.map { rgba[$0] }
        try folder.encode(rgb, "rgb24", Self.size, as: name, name == "c.webp" ? "-c:v libwebp -lossless 1" : "")
        #expect(try folder.image(name).frames[0].picture.difference(from: rgba) == 0)
    }

    /// Sixteen bits are rounded, the byte order is that of PNG, and gray covers black to white.
    @Test(arguments: ["gray", "ya8", "gray16be", "ya16be", "rgb48be", "rgba64be", "monob"])
    func `every depth of PNG`(format: String) throws {
        let folder = try AssetFolder()
        let (w, h) = (Self.size.width, Self.size.height)
        var (raw, wanted): ([UInt8], [UInt8]) = ([], [])
        for y in 0..<h {
            var bits: [UInt8] = Array(repeating: 0, count: (w + 7) / 8)
            for x in 0..<w {
                let deep = [(x * 1771) & 65535, (y * 3111) & 65535, (x * 900 + y * 700) & 65535, (x * y * 83) & 65535]
                let samples = [
                    "gray": [0], "gray16be": [0], "ya8": [0, 3], "ya16be": [0, 3], "rgb48be": [0, 1, 2],
                    "rgba64be": [0, 1, 2, 3],
                ]
                let isDeep = format.hasSuffix("be")
                func byte(_ c: Int) -> Double { isDeep ? Double(deep[c]) * 255 / 65535 : Double(deep[c] >> 8) }
                if format == "monob" {
                    let isWhite = (x / 3 + y) % 2 == 0
                    if isWhite { bits[x / 8] |= 128 >> UInt8(x % 8) }
                    wanted += isWhite ? [255, 255, 255, 255] : [0, 0, 0, 255]
                    continue
                }
                for c in samples[format]! {
                    raw += isDeep ? [UInt8(deep[c] >> 8), UInt8(deep[c] & 255)] : [UInt8(deep[c] >> 8)]
                }
                let isColour = samples[format]!.count > 2
                let alpha = samples[format]!.contains(3) ? byte(3) : 255
                for c in 0..<3 { wanted.append(UInt8((byte(isColour ? c : 0) * alpha / 255).rounded())) }
                wanted.append(UInt8(alpha.rounded()))
            }
            if format == "monob" { raw += bits }
        }
        try folder.encode(raw, format, Self.size, as: "d.png")
        let picture = try folder.image("d.png").frames[0].picture
        #expect(picture.difference(from: wanted) <= 1)
    }

    @Test func `palettes keep their colours and their transparency`() throws {
        let folder = try AssetFolder()
        // 256 entries of B, G, R, A after the indices, as ffmpeg's pal8 has them.
        let indices = Self.drawn(1) { x, y, _ in x + y * 3 }
        var (palette, table): ([UInt8], [[UInt8]]) = ([], [])
        for i in 0..<256 {
            let (r, g, b, a) = (
                UInt8(i), UInt8(255 - i), UInt8((i * 7) & 255), UInt8(i % 3 == 0 ? 0 : i % 3 == 1 ? 255 : 128)
            )
            palette += [b, g, r, a]
            table.append([r, g, b, a])
        }
        try folder.encode(indices + palette, "pal8", Self.size, as: "p.png")
        let wanted = Self.premultiplied(indices.flatMap { table[Int($0)] })
        #expect(try folder.image("p.png").frames[0].picture.difference(from: wanted) <= 1)
    }

    /// JFIF: BT.601 with full range. Formula of the other direction, so that a wrong matrix shows.
    @Test(arguments: ["yuvj420p", "yuvj444p"])
    func `JPEG colours`(format: String) throws {
        let folder = try AssetFolder()
        let size = PixelSize(width: 64, height: 48)
        for (r, g, b) in [(255, 0, 0), (0, 255, 0), (0, 0, 255), (200, 120, 40), (255, 255, 255), (12, 12, 12)] {
            let (red, green, blue) = (Double(r), Double(g), Double(b))
            let y = 0.299 * red + 0.587 * green + 0.114 * blue
            let cb = 128 + (blue - y) / 1.772
            let cr = 128 + (red - y) / 1.402
            func plane(_ v: Double, _ n: Int) -> [UInt8] {
                Array(repeating: UInt8(max(0, min(255, v.rounded()))), count: n)
            }
            let chroma = format == "yuvj420p" ? 64 * 48 / 4 : 64 * 48
            let raw = plane(y, 64 * 48) + plane(cb, chroma) + plane(cr, chroma)
            try folder.encode(raw, format, size, as: "j.jpg", "-q:v 1")
            let picture = try folder.image("j.jpg").frames[0].picture
            #expect(isClose(picture.pixel(31, 20), [r, g, b, 255], 3), "\(r) \(g) \(b) is \(picture.pixel(31, 20))")
        }
    }

    /// The corners of the stored picture A B / C D as TIFF 6.0 lays them out for each orientation.
    @Test(arguments: [
        (1, "ABCD"), (2, "BADC"), (3, "DCBA"), (4, "CDAB"), (5, "ACBD"), (6, "CADB"), (7, "DBCA"), (8, "BDAC"),
    ])
    func `EXIF orientation`(exif: Int, corners: String) throws {
        let folder = try AssetFolder()
        let colors: [Character: [Int]] = [
            "A": [220, 30, 30], "B": [30, 200, 40], "C": [40, 40, 210], "D": [230, 220, 50],
        ]
        let size = PixelSize(width: 96, height: 64)
        var raw: [UInt8] = []
        for y in 0..<64 {
            for x in 0..<96 { raw += colors[y < 32 ? (x < 48 ? "A" : "B") : x < 48 ? "C" : "D"]!.map { UInt8($0) } }
        }
        try folder.encode(raw, "rgb24", size, as: "plain.jpg", "-pix_fmt yuvj444p -q:v 1")
        var jpeg = try folder.bytes("plain.jpg")
        // One tag, 0x0112, of one 16-bit number, in a little-endian directory.
        let tiff: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(exif), 0, 0, 0, 0, 0, 0, 0,
        ]
        let payload = Array("Exif".utf8) + [0, 0] + tiff
        jpeg.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload, at: 2)
        try folder.write(jpeg, "turned.jpg")
        // The same tag in a PNG, whose eXIf chunk libav passes over.
        try folder.encode(raw, "rgb24", size, as: "plain.png")
        var png = try folder.bytes("plain.png")
        png.insert(
            contentsOf: [0, 0, 0, UInt8(tiff.count)] + Array("eXIf".utf8) + tiff + Self.crc(Array("eXIf".utf8) + tiff),
            at: 33)
        try folder.write(png, "turned.png")
        // And in a TIFF, whose directory stands last in the file; the entries have to stay in order.
        try folder.encode(raw, "rgb24", size, as: "plain.tiff")
        var tiffFile = try folder.bytes("plain.tiff")
        let directory = Int(tiffFile[4]) | Int(tiffFile[5]) << 8 | Int(tiffFile[6]) << 16
        let after = try #require(
            (0..<Int(tiffFile[directory])).map { directory + 2 + 12 * $0 }.first {
                tiffFile[$0] == 0x15 && tiffFile[$0 + 1] == 1
            })
        tiffFile.insert(contentsOf: tiff[10..<22], at: after)
        tiffFile[directory] += 1
        try folder.write(tiffFile, "turned.tiff")
        for name in ["turned.jpg", "turned.png", "turned.tiff"] {
            let image = try folder.image(name)
            let picture = image.frames[0].picture
            let isLying = exif < 5
            #expect(image.size == (isLying ? size : PixelSize(width: 64, height: 96)))
            let (w, h) = (picture.width, picture.height)
            let found = [(w / 4, h / 4), (w * 3 / 4, h / 4), (w / 4, h * 3 / 4), (w * 3 / 4, h * 3 / 4)]
            for (letter, place) in zip(corners, found) {
                let pixel = picture.pixel(place.0, place.1)
                #expect(isClose(pixel, colors[letter]! + [255], 4), "\(name) \(exif): \(letter) is \(pixel)")
            }
        }
    }

    @Test func `the content decides and not the name`() throws {
        let folder = try AssetFolder()
        let rgba = Self.drawn(4, Self.level)
        try folder.encode(rgba, "rgba", Self.size, as: "a.png")
        try folder.write(folder.bytes("a.png"), "really a %d png.jpg")
        #expect(try folder.image("really a %d png.jpg").size == Self.size)
    }

    /// With alpha, and without, where libswscale shrinks.
    @Test(arguments: [("rgba", 1), ("rgb24", 3)])
    func `a picture wanted much smaller is kept smaller`(format: String, tolerance: Int) throws {
        let folder = try AssetFolder()
        try folder.ffmpeg("-f lavfi -i testsrc2=s=1000x600 -frames:v 1 -pix_fmt \(format) big.png")
        let whole = try folder.image("big.png")
        #expect(whole.frames[0].picture.width == 1000)
        #expect(try folder.image("big.png", width: 250) === whole)
        let small = try folder.image("big.png", width: 100)
        #expect(small.size == PixelSize(width: 1000, height: 600))
        #expect(small.frames[0].picture.width == 200 && small.frames[0].picture.height == 120)
        #expect(try folder.image("big.png", width: 100) === small)
        // Five by five pixels make one.
        var wanted: [UInt8] = []
        for y in 0..<120 {
            for x in 0..<200 {
                for c in 0..<4 {
                    var sum = 0
                    for j in 0..<5 { for i in 0..<5 { sum += whole.frames[0].picture.pixel(x * 5 + i, y * 5 + j)[c] } }
                    wanted.append(UInt8((Double(sum) / 25).rounded()))
                }
            }
        }
        #expect(small.frames[0].picture.difference(from: wanted) <= tolerance)
    }

    @Test func `many threads get the same picture`() async throws {
        let folder = try AssetFolder()
        try folder.ffmpeg("-f lavfi -i testsrc2=s=640x360 -frames:v 1 big.png")
        let found = await withTaskGroup(of: ImageAsset?.self) { group in
            for _ in 0..<8 { group.addTask { try? folder.image("big.png") } }
            return await group.reduce(into: [ImageAsset?]()) { $0.append($1) }
        }
        #expect(found.allSatisfy { $0 != nil && $0 === found[0] })
    }
}
