import EditorCore
import Foundation
import Testing

/// What is on the disk while a segment runs. A power cut leaves what was on it when `fdatasync` came back last, and of
/// what was written since anything: nothing, a part, or the length without the bytes.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable && Tracer.isAvailable, Tracer.reason))
struct PowerCutTests {
    let rig: CameraRig
    var workshop: Workshop { rig.workshop }

    init() throws { rig = try CameraRig() }

    /// The calls on one file, from what strace saw of all threads.
    private struct Calls {
        /// Bytes that are on the disk from a time on; both are known when `fdatasync` comes back. `asked` is when it was
        /// called.
        var durable: [(size: Int, asked: Double, done: Double)] = []
        /// Bytes that were written when it was done.
        var written: [Int] = []
        var isAppended = true
        var isFolderFlushed = false

        init(trace: String, path: String) throws {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            var size = 0
            var pending: [Substring: (text: Substring, size: Int, time: Double)] = [:]
            for line in trace.split(separator: "\n") {
                let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
                guard parts.count == 3, let time = Double(parts[1]) else { continue }
                let (thread, text) = (parts[0], parts[2])
                let call: (text: Substring, size: Int, time: Double)
                if text.hasSuffix("<unfinished ...>") {
                    pending[thread] = (text, size, time)
                    continue
                } else if text.hasPrefix("<... ") {
                    guard let begun = pending.removeValue(forKey: thread) else { continue }
                    call = begun
                } else {
                    call = (text, size, time)
                }
                guard let result = text.firstMatch(of: /\) += (-?\d+)/).flatMap({ Int($0.output.1) }), result >= 0
                else {
                    continue
                }
                if call.text.hasPrefix("fsync("), call.text.contains("<\(folder)>") { isFolderFlushed = true }
                guard call.text.contains("<\(path)>") else { continue }
                if call.text.hasPrefix("write(") {
                    size += result
                } else if call.text.hasPrefix("fdatasync(") || call.text.hasPrefix("fsync(") {
                    durable.append((call.size, call.time, time))
                    written.append(size)
                } else if call.text.hasPrefix("lseek(") {
                    if result != size { isAppended = false }
                } else {
                    isAppended = false
                }
            }
        }
    }

    @Test(arguments: ["yuyv", "h264"]) func aRunningSegmentSurvivesAPowerCut(format: String) throws {
        let result = try rig.run(
            """
            python3 -c 'import time; print(time.time() - time.monotonic())' >offset
            {
              echo start 3; until_event inProgress; until_event '"fraction": 0.0'
              cat "$VCAM_CTL/ctl0" >state; cp "$HOME"/.local/share/editor/sessions/*.session.json running.json; echo wait; echo quit
            } | strace -f -ttt -y -s 0 -o trace \
                -e trace=write,pwrite64,writev,pwritev,lseek,ftruncate,truncate,fallocate,fdatasync,fsync \
                "$EDITOR" --config cfg.json record --progress json --camera-format \(format) --size 640x480 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let segment = try #require(result.segments.first)
        let path = try #require(segment.string("path"))
        try #require(segment.number("frames") == 90)
        let calls = try Calls(
            trace: String(contentsOfFile: workshop.path("trace"), encoding: .utf8), path: path)
        #expect(calls.isAppended, "nothing that was on the disk once is written again")
        #expect(calls.isFolderFlushed, "the file's name is on the disk, too")
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(calls.written.last == whole.count && calls.durable.last?.size == whole.count)
        let numbers = try workshop.sequences(path)

        let offset = try #require(
            Double(
                String(contentsOfFile: workshop.path("offset"), encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)))
        let camera = try #require(rig.state("state")["t0"]) / 1e9 + offset
        var last = camera + Double(numbers[0] + 1) / 30
        var counts: [Int] = []
        for (index, flushed) in calls.durable.enumerated() {
            // What was taken since the picture that was safe last is lost until now, but for the time the disk takes.
            #expect(flushed.asked - last < 1, "\(flushed.asked - last) s would be lost")
            let next = index + 1 < calls.written.count ? calls.written[index + 1] : whole.count
            var images = [whole.prefix(flushed.size)]
            images.append(whole.prefix((flushed.size + next) / 2))
            images.append(whole.prefix(flushed.size) + Data(count: next - flushed.size))
            images.append(whole.prefix(flushed.size) + Data(repeating: 0xa5, count: min(5000, next - flushed.size)))
            var read: [Int] = []
            for image in images {
                try image.write(to: URL(fileURLWithPath: workshop.path("image.mp4")))
                let found = try workshop.sequences("image.mp4")
                #expect(found.count <= numbers.count && found[...] == numbers.prefix(found.count), "\(found)")
                read.append(found.count)
            }
            #expect(read.allSatisfy { $0 >= read[0] }, "what comes behind does no harm: \(read)")
            counts.append(read[0])
            if read[0] > 0 { last = camera + Double(numbers[read[0] - 1] + 1) / 30 }
        }
        // Each half second, and all of it in the end.
        #expect(counts.count >= 6 && zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= 16 }, "\(counts)")
        #expect(counts.last == 90)

        // The session as it was on the disk then goes on with what is there.
        let middle = calls.durable[2].size
        try whole.prefix(middle).write(to: URL(fileURLWithPath: path))
        let resumed = try rig.run(
            """
            cp running.json "$HOME"/.local/share/editor/sessions/*.session.json
            { echo start 0.4; echo wait; echo finish; } | record --resume --camera-format \(format) --output movie.mp4 2>log
            """, hasH264: true)
        #expect(resumed.status == 0, "\(resumed.log)")
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == Double(counts[2] + 12))
    }
}

private enum Tracer {
    static let isAvailable: Bool = {
        guard let workshop = try? Workshop() else { return false }
        return (try? workshop.run("strace", ["-e", "trace=fdatasync", "true"]))?.status == 0
    }()

    static let reason: Comment = "the virtual camera (see CameraRig), and strace"
}
