import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// Pictures of sizes, shapes, turns and pixel formats of all kinds against ffmpeg's own filters.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct PictureGeometryTests {
    private let folder: AssetFolder
    private let library: FileMediaLibrary

    init() throws {
        folder = try AssetFolder()
        library = FileMediaLibrary(baseDirectory: folder.path)
    }

    /// Detail of all scales in rich colours, but no flat areas, in which one code would count for everything.
    private func source(_ width: Int, _ height: Int) -> String {
        "-f lavfi -i mandelbrot=s=\(width)x\(height):start_scale=0.3:rate=10"
    }

    private func picture(
        _ name: String, _ width: Int, _ height: Int, gravity: VideoGravity = .resize, at seconds: Int = 0
    ) throws -> PlacedPicture {
        let request = PictureRequest(canvas: PixelSize(width: width, height: height), gravity: gravity)
        let source = try library.openVideo(try library.probe(name), request: request)
        return try source.picture(at: MediaTime(seconds: seconds))
    }

    /// PSNR of each plane in decibels against what ffmpeg makes of the file's first picture.
    /// - Parameter filter: gives a picture of the frame's size in Y′CbCr.
    private func similarity(
        of frame: VideoFrame, _ name: String, _ filter: String, matrix: String = "bt601", options: String = ""
    ) throws -> [Double] {
        let convert =
            "scale=\(frame.width):\(frame.height):in_color_matrix=\(matrix):out_color_matrix=bt709:out_range=tv"
            + ":flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p"
        try folder.ffmpeg(
            "\(options) -i \(name) -frames:v 1 -vf \(filter.isEmpty ? "" : filter + ",")\(convert) -f rawvideo reference.yuv"
        )
        let reference = try folder.bytes("reference.yuv")
        var start = 0
        return (0..<3).map { plane in
            let bytes = SyntheticFrames.bytes(of: frame, plane: plane)
            let squares = zip(bytes, reference[start...]).reduce(0.0) {
                $0 + Double((Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)))
            }
            start += bytes.count
            return 10 * log10(255 * 255 / max(squares / Double(bytes.count), 1e-6))
        }
    }

    // MARK: Pixel formats

    @Test(arguments: [
        ("yuv420p", "mkv"), ("yuv411p", "mkv"), ("yuv410p", "mkv"), ("yuv440p", "mkv"), ("yuv422p", "mkv"),
        ("yuv422p10le", "mkv"), ("yuv444p12le", "mkv"), ("gray", "mkv"), ("gray10le", "mkv"), ("gbrp", "mkv"),
        ("gbrp10le", "mkv"), ("nv12", "nut"), ("uyvy422", "mov"), ("p010le", "nut"), ("bgr24", "avi"),
    ])
    func everyPixelFormatHasItsColours(format: String, container: String) throws {
        let name = "clip.\(container)"
        let codec = container == "mkv" ? "ffv1" : "rawvideo"
        // Both sides odd, so that the last chroma sample belongs to one pixel only.
        try folder.ffmpeg("\(source(161, 121)) -frames:v 2 -c:v \(codec) -pix_fmt \(format) \(name)")
        let isRGB = format.contains("gb")
        for (width, height) in [(160, 120), (96, 200)] {
            let placed = try picture(name, width, height)
            #expect(placed.frame.size == PixelSize(width: width, height: height) && placed.frame.format == .yuv420)
            let similar = try similarity(of: placed.frame, name, "", matrix: isRGB ? "bt709" : "bt601")
            // Luma takes its gain from chroma of half size, which the reference does not do.
            #expect(similar[0] > 40 && similar[1] > 36 && similar[2] > 36, "\(format) \(width)×\(height): \(similar)")
        }
    }

    @Test func palettesHaveTransparency() throws {
        try folder.ffmpeg("\(source(160, 120)) -frames:v 2 -c:v rawvideo -pix_fmt pal8 clip.avi")
        let placed = try picture("clip.avi", 160, 120)
        #expect(placed.frame.format == .yuva420)
        #expect(SyntheticFrames.bytes(of: placed.frame, plane: 3).allSatisfy { $0 == 255 })
        #expect(try similarity(of: placed.frame, "clip.avi", "", matrix: "bt709")[0] > 38)
    }

    @Test func alphaIsScaledWithThePicture() throws {
        // Clear red on the left, opaque blue on the right.
        let row = (0..<100).flatMap { $0 < 50 ? [255, 0, 0, 0] : [0, 0, 255, 255] as [UInt8] }
        try folder.encode(
            (0..<60).flatMap { _ in row }, "rgba", PixelSize(width: 100, height: 60), as: "clip.mkv",
            "-c:v ffv1 -pix_fmt bgra")
        let placed = try picture("clip.mkv", 200, 120)
        let alpha = SyntheticFrames.bytes(of: placed.frame, plane: 3)
        #expect(alpha[60 * 200 + 20] == 0 && alpha[60 * 200 + 96] == 0)
        #expect(alpha[60 * 200 + 104] == 255 && alpha[60 * 200 + 180] == 255)
    }

    // MARK: Turns

    @Test(arguments: [(90, "transpose=cclock"), (180, "hflip,vflip"), (270, "transpose=clock")])
    func turnedClipsStandUpright(degrees: Int, filter: String) throws {
        try folder.ffmpeg("\(source(176, 100)) -frames:v 2 -c:v libx264 -crf 8 -pix_fmt yuv420p plain.mp4")
        // The tag names the turn that the file is to be shown with, clockwise in older releases and in newer ones not:
        // what players do is what autorotation does.
        try folder.ffmpeg("-i plain.mp4 -c copy -metadata:s:v rotate=\(degrees) clip.mp4")
        let info = try #require(try library.probe("clip.mp4").video)
        let size = info.displayedSize
        #expect(size == (degrees == 180 ? PixelSize(width: 176, height: 100) : PixelSize(width: 100, height: 176)))
        let placed = try picture("clip.mp4", size.width, size.height)
        let similar = try similarity(of: placed.frame, "clip.mp4", "")
        #expect(similar.allSatisfy { $0 > 38 }, "\(degrees)°: \(similar)")
        // And it is a turn at all.
        let other = try similarity(of: placed.frame, "plain.mp4", filter)
        let another = try similarity(of: placed.frame, "plain.mp4", degrees == 180 ? "null" : "transpose=cclock_flip")
        #expect(
            max(other[0], degrees == 180 ? 0 : try similarity(of: placed.frame, "plain.mp4", Self.opposite(filter))[0])
                > 38)
        #expect(another[0] < 30)
    }

    private static func opposite(_ filter: String) -> String {
        filter == "transpose=clock" ? "transpose=cclock" : "transpose=clock"
    }

    @Test func aTurnedClipIsFittedAfterItsTurn() throws {
        try folder.ffmpeg("\(source(176, 100)) -frames:v 2 -c:v libx264 -crf 8 -pix_fmt yuv420p plain.mp4")
        try folder.ffmpeg("-i plain.mp4 -c copy -metadata:s:v rotate=90 clip.mp4")
        // 100 × 176 fitted to 160 × 160: 90 or 91 wide, made even, and centred at an even column.
        let placed = try picture("clip.mp4", 160, 160, gravity: .resizeAspect)
        #expect(placed.frame.size == PixelSize(width: 90, height: 160) && placed.x == 34 && placed.y == 0)
        // Filled: the middle of the turned picture, cut above and below.
        let filled = try picture("clip.mp4", 100, 100, gravity: .resizeAspectFill)
        #expect(filled.frame.size == PixelSize(width: 100, height: 100))
        #expect(try similarity(of: filled.frame, "clip.mp4", "crop=100:100:0:38")[0] > 36)
    }

    // MARK: Shapes

    @Test func pixelsThatAreNotSquareAreWidened() throws {
        try folder.ffmpeg("\(source(120, 96)) -frames:v 2 -vf setsar=64/45 -c:v ffv1 -pix_fmt yuv420p clip.mkv")
        let info = try #require(try library.probe("clip.mkv").video)
        #expect(info.displayedSize == PixelSize(width: 171, height: 96))
        let placed = try picture("clip.mkv", 342, 300, gravity: .fitWidth)
        #expect(placed.frame.size == PixelSize(width: 342, height: 192) && placed.y == 54)
        #expect(try similarity(of: placed.frame, "clip.mkv", "").allSatisfy { $0 > 38 })
    }

    @Test func cutPicturesAreCutInTheMiddle() throws {
        try folder.ffmpeg("\(source(320, 180)) -frames:v 2 -c:v ffv1 -pix_fmt yuv420p clip.mkv")
        let placed = try picture("clip.mkv", 90, 180, gravity: .resizeAspectFill)
        // (320 − 90) / 2 = 115, which lies between two chroma samples; either neighbour will do.
        let left = try similarity(of: placed.frame, "clip.mkv", "crop=90:180:114:0:exact=1")[0]
        let right = try similarity(of: placed.frame, "clip.mkv", "crop=90:180:116:0:exact=1")[0]
        #expect(max(left, right) > 36, "\(left) \(right)")
    }

    @Test func aStreamThatChangesItsSizeGoesOn() throws {
        for (index, size) in [(160, 120), (96, 128)].enumerated() {
            try folder.ffmpeg(
                "-f lavfi -i color=\(index == 0 ? "red" : "blue"):s=\(size.0)x\(size.1):r=10:d=1 -c:v libx264 "
                    + "-pix_fmt yuv420p -output_ts_offset \(index) -f mpegts \(index).ts")
        }
        try folder.write(try folder.bytes("0.ts") + folder.bytes("1.ts"), "clip.ts")
        let request = PictureRequest(canvas: PixelSize(width: 160, height: 160), gravity: .resizeAspect)
        let source = try library.openVideo(try library.probe("clip.ts"), request: request)
        let first = try source.picture(at: MediaTime(value: 1, timescale: 2))
        let second = try source.picture(at: MediaTime(value: 3, timescale: 2))
        #expect(first.frame.size == PixelSize(width: 160, height: 120) && (first.x, first.y) == (0, 20))
        #expect(second.frame.size == PixelSize(width: 120, height: 160) && (second.x, second.y) == (20, 0))
        // Blue of BT.601, as untagged pictures of few lines are: 128 + 224 · 0.5 in C′B of either matrix.
        #expect(SyntheticFrames.bytes(of: second.frame, plane: 1).allSatisfy { $0 > 200 })
        let again = try source.picture(at: MediaTime(value: 1, timescale: 2))
        #expect(SyntheticFrames.areEqual(again.frame, first.frame))
    }
}
