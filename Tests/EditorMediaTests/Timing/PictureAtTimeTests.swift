import EditorCore
import EditorMedia
import Foundation
import Testing

/// A source answers with the same picture whether it ran there or jumped there, and with the right one.
@Suite(.enabled(if: AssetFolder.hasFFmpeg))
struct PictureAtTimeTests {
    struct Format: Sendable, CustomTestStringConvertible {
        var name: String
        var options: String
        var rate = "30"
        /// Whether decoded pictures are working pictures as they are, so that ffmpeg's can be compared.
        var isPlain = true

        var isDeinterlaced: Bool { options.contains("interlace") }
        var testDescription: String { name }
    }

    static let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p"

    static let formats: [Format] = [
        .init(name: "bframes.mp4", options: x264 + " -bf 3 -g 25"),
        .init(name: "longgop.mp4", options: x264 + " -bf 2 -g 500"),
        .init(name: "opengop.mp4", options: x264 + " -bf 3 -x264-params keyint=13:open-gop=1:bframes=3:b-pyramid=2"),
        .init(name: "opengop.mkv", options: x264 + " -bf 3 -x264-params keyint=13:open-gop=1:bframes=3"),
        .init(name: "opengop.ts", options: x264 + " -bf 3 -x264-params keyint=13:open-gop=1:bframes=3"),
        .init(name: "fragments.mp4", options: x264 + " -g 20 -movflags frag_keyframe+empty_moov"),
        .init(name: "refresh.mp4", options: x264 + " -x264-params keyint=20:intra-refresh=1"),
        .init(name: "flash.flv", options: x264 + " -bf 2 -g 25"),
        .init(
            name: "hevc.mp4",
            options: "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params keyint=17:log-level=0"),
        .init(
            name: "hevc.ts",
            options: "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params keyint=17:log-level=0"),
        .init(name: "vp9.mkv", options: "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 30"),
        .init(
            name: "vp9.webm",
            options: "-c:v libvpx-vp9 -deadline good -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 12 -g 40"),
        .init(
            name: "vp8.webm",
            options: "-c:v libvpx -deadline realtime -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 10 -g 40"),
        .init(name: "mpeg4.avi", options: "-c:v mpeg4 -bf 2 -g 25 -q:v 4"),
        .init(name: "packed.avi", options: "-c:v msmpeg4 -g 25 -q:v 4", isPlain: false),
        .init(name: "mpeg2.mpg", options: "-c:v mpeg2video -bf 2 -g 12 -q:v 4"),
        .init(name: "mpeg2.ts", options: "-c:v mpeg2video -bf 2 -g 12 -q:v 4", rate: "25"),
        .init(name: "prores.mov", options: "-c:v prores_ks", isPlain: false),
        .init(name: "motion.mov", options: "-c:v mjpeg -pix_fmt yuvj420p", isPlain: false),
        .init(name: "ntsc.mp4", options: x264 + " -bf 2 -g 48", rate: "30000/1001"),
        .init(name: "animated.gif", options: "-f gif", rate: "10", isPlain: false),
        .init(
            name: "interlaced.ts", options: "-vf interlace -flags +ilme+ildct -c:v mpeg2video -bf 2 -g 12 -q:v 4",
            rate: "50",
            isPlain: false),
        .init(
            name: "interlaced.mp4", options: "-vf interlace " + x264 + " -flags +ilme+ildct -g 20 -bf 2", rate: "50",
            isPlain: false),
        .init(name: "theora.ogv", options: "-c:v libtheora -g 16 -q:v 6"),
        .init(name: "windows.wmv", options: "-c:v wmv2 -g 16 -q:v 4"),
    ]

    private static func make(_ format: Format, in folder: ClipFolder) throws -> MediaInfo {
        try folder.make(
            format.name,
            "-f lavfi -i testsrc2=s=96x64:r=\(format.rate):d=3.5 -colorspace bt709 -color_primaries bt709 -color_trc bt709 "
                + "-color_range tv " + format.options)
    }

    @Test(arguments: formats)
    func jumpingGivesWhatRunningGives(_ format: Format) throws {
        let folder = try ClipFolder()
        let info = try Self.make(format, in: folder)
        let length = try #require(info.video).duration
        let count = 240
        let times = (0..<count).map { length * Rational(Int64($0), Int64(count - 1)) }
        let running = try folder.video(info)
        let expected = try times.map { try running.picture(at: $0).frame.checksum }

        var random = SeededRandom(seed: 7)
        let jumping = try folder.video(info)
        for _ in 0..<60 {
            let index = Int.random(in: 0..<count, using: &random)
            let found = try jumping.picture(at: times[index]).frame.checksum
            #expect(found == expected[index], "at \(times[index]) s")
        }
        for index in stride(from: count - 1, through: 0, by: -9) {
            #expect(
                try folder.video(info).picture(at: times[index]).frame.checksum == expected[index],
                "fresh, at \(times[index]) s")
        }

        // A clock that runs backwards shows the same pictures; only at their very edges it shows the other neighbour.
        let backwards = try folder.video(info)
        let edge = MediaTime(value: 11, timescale: 1000)
        for index in stride(from: count - 2, to: 0, by: -1) {
            let found = try backwards.pictureReversed(at: times[index]).frame.checksum
            guard found != expected[index] else { continue }
            #expect(
                try running.picture(at: times[index] - edge).frame.checksum == found, "backwards, at \(times[index]) s")
            #expect(try running.picture(at: times[index] + edge).frame.checksum == expected[index])
        }
    }

    @Test(arguments: formats)
    func picturesAreThoseThatFFmpegDecodes(_ format: Format) throws {
        let folder = try ClipFolder()
        let info = try Self.make(format, in: folder)
        let video = try #require(info.video)
        let file = folder.path + "/" + format.name
        let report = try ClipFolder.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time", "-of",
                "csv=p=0", file,
            ])
        let usual = 1 / (video.frameRate?.doubleValue ?? 30)
        var stamps: [Double] = []
        for line in String(decoding: report, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let text = line.trimmingCharacters(in: [","])
            // The last pictures of some containers have no timestamp.
            if !text.isEmpty { stamps.append(Double(text) ?? stamps.last! + usual) }
        }
        #expect(video.frameCount == stamps.count)
        #expect(abs(video.firstTimestamp.seconds - stamps[0]) < 0.0011)
        let source = try folder.video(info)
        var shown: [UInt64] = []
        for (index, stamp) in stamps.enumerated() {
            let next = index + 1 < stamps.count ? stamps[index + 1] : video.duration.seconds + stamps[0]
            let middle = MediaTime(decimal: (stamp + next) / 2 - stamps[0])!
            shown.append(try source.picture(at: middle).frame.checksum)
        }
        let raw = try ClipFolder.run(
            "ffmpeg",
            [
                "-v", "error", "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f",
                "rawvideo", "-",
            ])
        let size = 96 * 64 * 3 / 2
        try #require(raw.count == size * stamps.count)
        let decoded = stamps.indices.map { index in
            raw[index * size..<(index + 1) * size].reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }
        }
        if !format.isDeinterlaced { #expect(Set(shown).count == Set(decoded).count) }
        guard format.isPlain, video.pixelFormat == "yuv420p", video.color.matrix == .bt709 else { return }
        for index in stamps.indices { #expect(decoded[index] == shown[index], "picture \(index)") }
    }
}

/// The same numbers in every run: xorshift.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
