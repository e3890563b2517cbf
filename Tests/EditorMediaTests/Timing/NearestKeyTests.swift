import EditorCore
import EditorMedia
import Foundation
import Testing

/// Key frames for scrubbing: the nearest one, whatever was asked for before.
@Suite(.enabled(if: AssetFolder.hasFFmpeg))
struct NearestKeyTests {
    private static let x264 = "-c:v libx264 -preset veryfast -g 23 -bf 3 -sc_threshold 0"
    private static let times = [1.53, 0.56, 3.68, 4.58, 0.9, 2.21, 0.02, 4.9]

    private func sources(_ folder: ClipFolder, _ name: String) throws -> (any VideoSource, () throws -> any VideoSource)
    {
        let library = FileMediaLibrary(baseDirectory: folder.path, precision: .nearestKeyFrame)
        let info = try library.probe(name)
        let open = {
            try library.openVideo(
                info, request: PictureRequest(canvas: PixelSize(width: 160, height: 120), gravity: .resize))
        }
        return (try open(), open)
    }

    @Test(
        arguments: [
            ("a.mp4", x264), ("a.mkv", x264), ("a.ts", x264), ("a.avi", "-c:v mpeg4 -g 23"),
            ("a.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 23"), ("b.mkv", "-c:v ffv1"),
            ("b.ts", "-c:v mpeg2video -g 23 -bf 2"),
        ])
    func isTheSameWhateverWasAskedBefore(name: String, options: String) throws {
        let folder = try ClipFolder()
        _ = try folder.make(name, "-f lavfi -i testsrc2=size=160x120:rate=25 -t 5 " + options)
        let (asked, open) = try sources(folder, name)
        for time in Self.times {
            let moment = try #require(MediaTime(decimal: time))
            let picture = try asked.picture(at: moment).frame.checksum
            #expect(picture == (try open().picture(at: moment).frame.checksum), "\(time) s")
        }
    }

    /// With a table, the key frame is the nearest one, before or after.
    @Test(arguments: ["mp4", "mkv", "mov"])
    func isTheNearest(container: String) throws {
        let folder = try ClipFolder()
        let info = try folder.make("a." + container, "-f lavfi -i testsrc2=size=160x120:rate=25 -t 5 " + Self.x264)
        let exact = try folder.video(info)
        let (fast, _) = try sources(folder, "a." + container)
        for time in Self.times {
            // Key frames at every 23rd of 125 pictures.
            let key = (0...5).min { abs(Double($0) * 0.92 - time) < abs(Double($1) * 0.92 - time) }!
            let expected = try exact.picture(at: MediaTime(value: Int64(23 * key), timescale: 25)).frame.checksum
            let picture = try fast.picture(at: try #require(MediaTime(decimal: time))).frame.checksum
            #expect(picture == expected, "\(time) s")
        }
    }
}
