import EditorCore
import EditorMedia
import Foundation
import Testing

/// Everything that is put right in a file is told of, once, under a word of its own.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct NormalisationTests {
    private let folder: AssetFolder
    private let library: FileMediaLibrary

    init() throws {
        folder = try AssetFolder()
        library = FileMediaLibrary(baseDirectory: folder.path)
    }

    private static let source = "-f lavfi -i testsrc2=s=64x48:r=25:d=2"
    private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"

    private func codes(_ name: String) throws -> [String] {
        let found = try library.probe(name).normalisations
        #expect(found.allSatisfy { $0.severity == .warning && $0.message.contains(name) })
        return found.map(\.code).sorted()
    }

    @Test(arguments: [
        ("", "\(source) \(h264) clip.mp4", "clip.mp4"),
        ("clip.pixelAspect", "\(source) -vf setsar=4/3 \(h264) clip.mp4", "clip.mp4"),
        (
            "clip.variableRate",
            "\(source) -vf settb=1/1000,setpts='N*40+15*mod(N,2)' -fps_mode vfr \(h264) -enc_time_base 1:1000 clip.mkv",
            "clip.mkv"
        ),
        (
            "clip.deinterlaced",
            "\(source) -vf tinterlace=interleave_top,setfield=tff -flags +ilme+ildct -c:v mpeg2video clip.mkv",
            "clip.mkv"
        ),
        (
            "clip.toneMapped",
            "\(source) -c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -color_trc smpte2084 -color_primaries bt2020 "
                + "-colorspace bt2020nc -x265-params log-level=none:pools=none clip.mp4", "clip.mp4"
        ),
        ("clip.noDuration", "\(source) -c:v libvpx -deadline realtime -live 1 -f webm clip.webm", "clip.webm"),
    ])
    func everyOneHasItsWord(code: String, arguments: String, name: String) throws {
        try folder.ffmpeg(arguments)
        #expect(try codes(name) == (code.isEmpty ? [] : [code]))
    }

    @Test func turnsAreTold() throws {
        try folder.ffmpeg("\(Self.source) \(Self.h264) plain.mp4")
        try folder.ffmpeg("-i plain.mp4 -c copy -metadata:s:v rotate=90 clip.mp4")
        #expect(try codes("clip.mp4") == ["clip.rotated"])
    }

    /// A display matrix that slants.
    @Test func matricesThatAreNoTurnAreTold() throws {
        try folder.ffmpeg("\(Self.source) \(Self.h264) plain.mp4")
        var bytes = try folder.bytes("plain.mp4")
        let header = try #require(Self.place(of: Array("tkhd".utf8), in: bytes))
        let unity: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let matrix = try #require(Self.place(of: unity, in: bytes, from: header))
        bytes[matrix + 5] = 1
        try folder.write(bytes, "clip.mp4")
        #expect(try codes("clip.mp4") == ["clip.matrixIgnored"])
        #expect(try library.probe("clip.mp4").video?.orientation == .up)
    }

    /// The rest of a movie that was cut off, with its table in front, with sound and without.
    @Test(arguments: ["", "-f lavfi -i sine=d=2"])
    func moviesThatBreakOffAreTold(sound: String) throws {
        try folder.ffmpeg("\(Self.source) \(sound) \(Self.h264) -crf 1 -c:a pcm_s16le -movflags +faststart whole.mov")
        let bytes = try folder.bytes("whole.mov")
        try folder.write(Array(bytes.prefix(bytes.count * 6 / 10)), "clip.mov")
        #expect(try codes("clip.mov") == ["clip.shorterThanClaimed"])
        let duration = try #require(try library.probe("clip.mov").video).duration.seconds
        #expect(duration > 0.3 && duration < 1.6)
        // Sound that goes on for longer is no break.
        try folder.ffmpeg(
            "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi -i sine=d=4 \(Self.h264) -c:a aac -movflags +faststart long.mp4"
        )
        #expect(try codes("long.mp4") == [])
    }

    @Test func streamsWithoutTheirBeginningAreTold() throws {
        try folder.ffmpeg(
            "-f lavfi -i testsrc2=s=64x48:r=25:d=4 \(Self.h264) -g 50 -bf 0 -f mpegts whole.ts")
        let bytes = try folder.bytes("whole.ts")
        // Packets of 188 bytes; the first two hold the tables.
        let cut = bytes.count / 188 / 4 * 188
        try folder.write(Array(bytes[..<376] + bytes[cut...]), "clip.ts")
        #expect(try codes("clip.ts").contains("clip.startDamaged"))
    }

    @Test(.enabled(if: AssetFolder.corpus != nil, "needs EDITOR_CORPUS, a folder of media"))
    func dolbyVisionWithoutAPictureForOthersIsTold() throws {
        let path = try #require(AssetFolder.corpus) + "/video/dovi_p5_ipt.mp4"
        #expect(try library.probe(path).normalisations.map(\.code).contains("clip.dolbyVision"))
    }

    private static func place(of part: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
        (start..<max(start, bytes.count - part.count)).first { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }
}
