import EditorCore
import EditorMedia
import Foundation
import Testing

/// Where decoding begins, as a source tells it, against ffprobe's table of the packets.
@Suite struct DecodingStartTests {
    /// B-frames put decoding times before the pictures' own, so that the last pictures before a key frame are decoded
    /// after it in the table's clock.
    @Test(arguments: ["mp4", "mkv"])
    func isTheKeyFrameBefore(container: String) throws {
        let folder = try ClipFolder()
        let info = try folder.make(
            "clip." + container,
            "-f lavfi -i testsrc2=size=160x120:rate=25 -t 6 -c:v libx264 -g 20 -keyint_min 7 -bf 3 -sc_threshold 0")
        let table = try ClipFolder.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0",
                folder.path + "/clip." + container,
            ])
        let packets = String(decoding: table, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
        let start = try #require(packets.compactMap { Double($0[0]) }.min())
        let keys = packets.filter { $0[1].hasPrefix("K") }.compactMap { Double($0[0]) }.map { $0 - start }
        try #require(keys.count > 5)
        let source = try folder.video(info)
        for frame in 0..<150 {
            let time = Double(frame) / 25
            let told = source.decodingStart(for: MediaTime(value: Int64(frame), timescale: 25))
            guard let told else {
                // A table that grows with reading tells nothing yet.
                #expect(container == "mkv")
                continue
            }
            let key = try #require(keys.last { $0 <= time + 0.001 })
            #expect(abs(told.seconds - key) < 0.002, "frame \(frame): \(told.seconds), not \(key)")
        }
    }

    /// A cut without encoding begins in a group of pictures and hides its beginning by an edit list: the key frame lies
    /// far before the start, and not because of reordering.
    @Test func anEditDoesNotMoveTheKeyFrames() throws {
        let folder = try ClipFolder()
        _ = try folder.make(
            "whole.mp4", "-f lavfi -i testsrc2=size=160x120:rate=25 -t 8 -c:v libx264 -g 60 -bf 3 -sc_threshold 0")
        let info = try folder.make("cut.mov", "-ss 3.1 -i \(folder.path)/whole.mp4 -c copy")
        let source = try folder.video(info)
        // Key frames at 2.4, 4.8 and 7.2 s of the whole.
        for (time, key) in [("0.5", 0), ("1.6", 0), ("1.8", 1.7), ("3.9", 1.7), ("4.2", 4.1)] {
            let told = try #require(source.decodingStart(for: MediaTime(decimal: Double(time)!)!))
            #expect(abs(told.seconds - key) < 0.05, "\(time): \(told.seconds), not \(key)")
        }
    }

    /// Saying that others follow, or that none does, changes no picture.
    @Test func announcementsChangeNoPicture() throws {
        let folder = try ClipFolder()
        let info = try folder.make(
            "clip.mp4", "-f lavfi -i testsrc2=size=160x120:rate=25 -t 4 -c:v libx264 -g 40 -bf 3")
        let plain = try folder.video(info)
        let pictures = try (0..<100).map {
            try plain.picture(at: MediaTime(value: Int64($0), timescale: 25)).frame.checksum
        }
        #expect(Set(pictures).count == 100)
        let told = try folder.video(info)
        for (readsOn, frames) in [(false, [70, 12, 13, 99, 14]), (true, [3, 9, 50, 51, 8]), (false, [9, 9, 10])] {
            told.announce(readsOn: readsOn)
            for frame in frames {
                let picture = try told.picture(at: MediaTime(value: Int64(frame), timescale: 25))
                #expect(picture.frame.checksum == pictures[frame], "frame \(frame), read on: \(readsOn)")
            }
        }
    }
}
