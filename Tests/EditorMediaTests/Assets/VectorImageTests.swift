import EditorCore
import EditorTestSupport
import Foundation
import Testing

/// SVG drawings: their size, their pixels, and that nothing outside them is read.
struct VectorImageTests {
    private static let body =
        "<rect x='0' y='0' width='20' height='10' fill='#ff8000' fill-opacity='0.5'/><rect x='20' width='20' height='20' fill='#0000ff'/></svg>"
    private static let head = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "

    @Test(arguments: [
        ("width='40' height='20'>", 40, 20), ("viewBox='0 0 40 20'>", 40, 20),
        ("width='100%' height='100%' viewBox='0 0 40 20'>", 40, 20),
        ("width='1in' height='0.5in' viewBox='0 0 40 20'>", 96, 48), (">", 300, 150),
    ])
    func `natural size`(attributes: String, width: Int, height: Int) throws {
        let folder = try AssetFolder()
        try folder.write(Array((Self.head + attributes + Self.body).utf8), "a.svg")
        let image = try folder.image("a.svg")
        #expect(image.size == PixelSize(width: width, height: height))
        #expect(image.frames[0].picture.width == width && image.frames[0].picture.height == height)
    }

    @Test func `drawn as wide as it is wanted`() throws {
        let folder = try AssetFolder()
        try folder.write(Array((Self.head + "viewBox='0 0 40 20'>" + Self.body).utf8), "a.svg")
        let image = try folder.image("a.svg", width: 400)
        let picture = image.frames[0].picture
        #expect(picture.width == 400 && picture.height == 200 && image.size == PixelSize(width: 40, height: 20))
        #expect(isClose(picture.pixel(100, 50), [128, 64, 0, 128], 1), "\(picture.pixel(100, 50))")
        #expect(picture.pixel(100, 150) == [0, 0, 0, 0])
        #expect(picture.pixel(300, 100) == [0, 0, 255, 255])
        #expect(try folder.image("a.svg", width: 400) === image)
        #expect(try folder.image("a.svg", width: 20).frames[0].picture.width == 20)
    }

    @Test func `nothing outside is read`() throws {
        let folder = try AssetFolder()
        // Two by two red pixels in a BMP.
        let bmp: [UInt8] =
            Array("BM".utf8) + [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0]
            + Array(repeating: 0, count: 24) + [0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0]
        try folder.write(bmp, "red.bmp")
        #expect(try folder.image("red.bmp").frames[0].picture.pixel(0, 0) == [255, 0, 0, 255])
        for address in ["red.bmp", "file://" + folder.file("red.bmp"), "http://127.0.0.1:9/red.bmp"] {
            try folder.write(
                Array(
                    (Self.head + "width='8' height='8'><image xlink:href='\(address)' width='8' height='8'/></svg>")
                        .utf8), "a.svg")
            let picture = try folder.image("a.svg").frames[0].picture
            #expect(picture.pixels.allSatisfy { $0 == 0 }, "\(address)")
        }
    }

    @Test func `compressed drawings`() throws {
        let folder = try AssetFolder()
        let text = Array((Self.head + "width='40' height='20'>" + Self.body).utf8)
        // gzip (RFC 1952) around one stored block (RFC 1951).
        let length = [UInt8(text.count & 255), UInt8(text.count >> 8)]
        let block = [1] + length + length.map { ~$0 } + text
        let tail = StillImageTests.crc(text).reversed() + length + [0, 0]
        try folder.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + block + tail, "a.svgz")
        #expect(try folder.image("a.svgz").frames[0].picture.pixel(30, 10) == [0, 0, 255, 255])
    }
}
