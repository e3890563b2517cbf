import CFFmpeg
import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

/// H.264 of a camera: what is kept of it, and what is decoded.
@Suite struct CodedPictureTests {
    private static let size = PixelSize(width: 64, height: 48)

    private static func frame(_ luma: UInt8, red: UInt8 = 128, _ size: PixelSize = size) -> VideoFrame {
        var frame = FramePool().frame(.yuv420, size)
        for plane in 0..<3 {
            frame.withMutablePlane(plane) { pixels, layout in
                for row in 0..<layout.height {
                    for column in 0..<layout.width { pixels[row * layout.stride + column] = [luma, 128, red][plane] }
                }
            }
        }
        return frame
    }

    private static func luma(_ frame: VideoFrame) -> Int { frame.withPlane(0) { Int($0[20 * $1.stride + 30]) } }

    /// What a camera would give: picture `n` has luma 40 + 2 n, and every tenth is a key picture.
    private static func stream(_ count: Int, bPictures: Int32 = 0) throws -> [[UInt8]] {
        FFmpegLog.install()
        let codec = try EncoderChoice.find("h264", kind: AVMEDIA_TYPE_VIDEO, key: "videoCodec")
        let options = bPictures > 0 ? [("x264-params", "b-adapt=0:scenecut=0")] : [("tune", "zerolatency")]
        let encoder = try Encoder(codec, options: options + [("crf", "10")]) { context in
            (context.pointee.width, context.pointee.height) = (Int32(size.width), Int32(size.height))
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = AVRational(num: 1, den: 30)
            context.pointee.gop_size = 10
            context.pointee.max_b_frames = bPictures
        }
        for number in 0..<count {
            let picture = try MediaFrame(lending: frame(UInt8(40 + 2 * number)))
            picture.pointer.pointee.pts = Int64(number)
            try encoder.send(picture)
        }
        try encoder.send(nil)
        return encoder.takePackets().map(\.data)
    }

    private static func reader() throws -> CodedPictureReader {
        try CodedPictureReader(
            CapturedPictureFormat(layout: .h264, size: size, bytesPerRow: 0, isBT709: true, isFullRange: false),
            rate: Rational(30))
    }

    private static let look = CodedPictureReader.Look(size: size, zoom: 1, isMirrored: false)

    @Test func everyPictureIsKeptAndDecoded() throws {
        let reader = try Self.reader()
        for (number, bytes) in try Self.stream(25).enumerated() {
            let reading = try reader.read(bytes.span, isNext: true, look: Self.look)
            let picture = try #require(reading.picture)
            #expect(picture.bytes == bytes && picture.isKey == (number % 10 == 0))
            let frame = try #require(reading.frame)
            #expect(abs(Self.luma(frame) - (40 + 2 * number)) <= 1)
            #expect(!reader.awaitsKey)
        }
    }

    /// After a loss nothing is of use before the next key picture.
    @Test func aLossIsBridged() throws {
        let reader = try Self.reader()
        let stream = try Self.stream(25)
        for (number, bytes) in stream.enumerated() where number != 4 {
            let reading = try reader.read(bytes.span, isNext: number != 5, look: Self.look)
            #expect((reading.picture == nil) == (5..<10).contains(number) && reading.isPicture)
            #expect((reading.frame == nil) == (reading.picture == nil))
            #expect(reader.awaitsKey == (5..<10).contains(number))
            if let frame = reading.frame { #expect(abs(Self.luma(frame) - (40 + 2 * number)) <= 1) }
        }
    }

    /// Decoding begins with a key picture; what is kept needs none.
    @Test func decodingBeginsWithAKeyPicture() throws {
        let reader = try Self.reader()
        for (number, bytes) in try Self.stream(25).enumerated() {
            let reading = try reader.read(bytes.span, isNext: true, look: number >= 3 ? Self.look : nil)
            #expect(reading.picture != nil && (reading.frame != nil) == (number >= 10))
            #expect(reader.awaitsKey == (3..<10).contains(number))
        }
    }

    /// Some cameras give the parameter sets by themselves, once.
    @Test func parameterSetsMayComeAlone() throws {
        let reader = try Self.reader()
        let stream = try Self.stream(12)
        let sets = try stream[0].withUnsafeBufferPointer { try #require(NALUnits($0).parameterSets($0)) }
        let bare = stream.map { bytes in
            bytes.withUnsafeBufferPointer { pointer in
                NALUnits(pointer).units.filter { $0.kind == .slice || $0.kind == .instantRefresh }
                    .flatMap { [0, 0, 1] + pointer[$0.range] }
            }
        }
        let header = try reader.read(sets.span, isNext: true, look: Self.look)
        #expect(!header.isPicture && header.picture == nil)
        for (number, bytes) in bare.enumerated() {
            let reading = try reader.read(bytes.span, isNext: true, look: Self.look)
            #expect(reading.picture?.bytes == (number == 0 ? sets + bytes : bytes))
            let frame = try #require(reading.frame)
            #expect(abs(Self.luma(frame) - (40 + 2 * number)) <= 1)
        }
    }

    @Test func bPicturesAreRefused() throws {
        let reader = try Self.reader()
        let error = #expect(throws: EditorError.self) {
            for bytes in try Self.stream(12, bPictures: 2) { _ = try reader.read(bytes.span, isNext: true, look: nil) }
        }
        #expect(error?.message.contains("B pictures") ?? false)
    }

    /// Bytes that are no picture are none, and no crash; what comes after is read as ever.
    @Test(arguments: [0, 1, 3, 4, 5, 100]) func bytesOfNoPicture(count: Int) throws {
        let reader = try Self.reader()
        for byte in [UInt8(0), 1, 0x65, 0xff] {
            let bytes = [UInt8](repeating: byte, count: count)
            let reading = try reader.read(bytes.span, isNext: true, look: Self.look)
            #expect(reading.picture == nil && reading.frame == nil && !reading.isPicture)
        }
        let first = try Self.stream(1)[0]
        #expect(try reader.read(first.span, isNext: true, look: Self.look).frame != nil)
    }

    // MARK: In a segment

    /// Kept pictures have the times at which they were taken, and each lasts until the next; then some that are coded here.
    @Test func aSegmentOfBoth() throws {
        let folder = NSTemporaryDirectory() + "editor-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/s.mp4"
        let writer = try SegmentWriter(
            path: path, settings: .init(size: Self.size, frameRate: Rational(30), hasSound: false), keepsCoded: true)
        let reader = try Self.reader()
        var pictures = try Self.stream(40).map { try reader.read($0.span, isNext: true, look: nil).picture }
        // Taken a little early and late; the twentieth is missing and held.
        var times: [Double] = []
        for (number, picture) in pictures.enumerated() where number != 19 {
            let picture = try #require(picture)
            #expect(writer.keeps(picture))
            let time = Double(number) / 30 + (number == 0 ? 0 : Double(number % 3 - 1) * 0.004)
            times.append(time)
            try writer.append(picture, at: time, places: number == 20 ? 2 : 1)
        }
        #expect(writer.frameCount == 40 && writer.flushedFrameCount == 30)
        try writer.append(Self.frame(200))
        try writer.hold(9)
        pictures = try Self.stream(1).map { try Self.reader().read($0.span, isNext: true, look: nil).picture }
        #expect(!writer.keeps(try #require(pictures[0])), "once pictures are coded here, all of them are")
        try writer.finish()
        #expect(writer.frameCount == 50)
        let media = FileMediaLibrary(baseDirectory: "/")
        let info = try media.probe(path)
        #expect(info.video?.frameCount == 49 && info.video?.duration == MediaTime(value: 50, timescale: 30))
        #expect(info.video?.color.matrix == .bt709)
        let source = try media.openVideo(
            info, request: PictureRequest(canvas: Self.size, gravity: .resizeAspectFill))
        for (index, time) in times.enumerated() {
            let number = index < 19 ? index : index + 1
            let shown = try source.picture(at: try #require(MediaTime(decimal: time + 0.001))).frame
            #expect(abs(Self.luma(shown) - (40 + 2 * number)) <= 1, "at \(time) s")
        }
        let held = try source.picture(at: MediaTime(value: 585, timescale: 900)).frame
        #expect(abs(Self.luma(held) - (40 + 2 * 18)) <= 1)
        let last = try source.picture(at: MediaTime(value: 45, timescale: 30)).frame
        #expect(abs(Self.luma(last) - 200) <= 1)
        // Back again: the first part is decoded by its own parameters.
        let first = try source.picture(at: MediaTime(value: 12, timescale: 30)).frame
        #expect(abs(Self.luma(first) - 64) <= 2)
    }

    /// What is coded here after BT.601 of the camera is BT.601, too: a track is shown in one way.
    /// Of any size, and in each picture as in the first.
    @Test func theRestHasTheColoursOfTheStream() throws {
        let video = CodedVideo(
            parameterSets: [], size: Self.size, rate: Rational(30), isBT709: false, isFullRange: false)
        let colors = StreamColors(video)
        for size in [Self.size, Self.size, PixelSize(width: 96, height: 64)] {
            try Self.expectColoursOfBT601(colors.restored(Self.frame(120, red: 200, size)))
        }
    }

    /// Luma 120, Cb 128 and Cr 200 of BT.709, as BT.601 has them.
    private static func expectColoursOfBT601(_ restored: MediaFrame) {
        // R′G′B′ by BT.709 (limited range), then Y′CbCr by BT.601.
        let (y, cr) = ((120.0 - 16) / 219, (200.0 - 128) / 224)
        let (red, blue) = (y + 1.5748 * cr, y)
        let green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        let right = [16 + 219 * luma, 128 + 224 * (blue - luma) / 1.772, 128 + 224 * (red - luma) / 1.402]
        let picture = restored.pointer.pointee
        let found = [
            picture.data.0![20 * Int(picture.linesize.0) + 30], picture.data.1![10 * Int(picture.linesize.1) + 15],
            picture.data.2![10 * Int(picture.linesize.2) + 15],
        ]
        for (value, wanted) in zip(found, right) {
            #expect(abs(Double(value) - wanted) <= 2, "\(found), right \(right)")
        }
    }
}
