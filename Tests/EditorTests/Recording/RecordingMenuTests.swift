import EditorCore
import Foundation
import Testing

/// What a camera screen's menu offers beside recording: countdown, automatic light, deleting everything.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable, CameraRig.reason)) struct RecordingMenuTests {
    let rig: CameraRig
    var workshop: Workshop { rig.workshop }

    init() throws { rig = try CameraRig() }

    private struct Tone {
        var start: Double
        var end: Double
        var hertz: Double
    }

    private func clock(_ name: String) throws -> Double {
        let text = try String(contentsOfFile: workshop.path(name), encoding: .utf8)
        return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines))) / 1e9
    }

    /// The tones that the speaker gave, in seconds of the monotonic clock.
    private func tones() throws -> [Tone] {
        var tones: [Tone] = []
        for number in 1...9 where workshop.exists("spk.raw.\(number).t0") {
            let start = try clock("spk.raw.\(number).t0")
            let samples = try workshop.rawSamples("spk.raw.\(number)")
            let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
            var index = 0
            while index < left.count {
                guard abs(left[index]) > 0.02 else {
                    index += 1
                    continue
                }
                // A tone lasts until 5 ms are silent.
                var (end, crossings) = (index, 0)
                for next in index..<left.count {
                    if next > 0, left[next - 1] < 0, left[next] >= 0 { crossings += 1 }
                    if abs(left[next]) > 0.02 { end = next } else if next - end > 240 { break }
                }
                tones.append(
                    Tone(
                        start: start + Double(index) / 48_000, end: start + Double(end) / 48_000,
                        hertz: Double(crossings) * 48_000 / Double(max(1, end - index))))
                index = end + 241
            }
        }
        return tones
    }

    /// A tone each second, the last one higher and over long before the first picture: what the speaker says cannot be in
    /// the recording.
    @Test func theCountdownIsHeardAndNotRecorded() throws {
        let result = try rig.run(
            """
            { until_event '"idle"'; echo countdown 3; until_event inProgress; sleep 0.6; echo pause; until_event '"added"'
              cat "$VCAM_CTL/ctl0" >state0; for f in $VSPK_RAW.?; do cp $f* .; done; echo quit; } |
              record --size 320x240 2>log
            """)
        try #require(result.status == 0, "\(result.log)")
        #expect(result.events("countdown").compactMap { $0.number("seconds") } == [3, 2, 1, 0])
        let tones = try tones()
        try #require(tones.count == 3, "\(tones)")
        for (tone, hertz) in zip(tones, [880.0, 880, 1320]) {
            #expect(abs(tone.hertz - hertz) < 0.03 * hertz && abs(tone.end - tone.start - 0.12) < 0.02, "\(tone)")
        }
        for (tone, next) in zip(tones, tones.dropFirst()) { #expect(abs(next.start - tone.start - 1) < 0.15) }
        let numbers = try workshop.sequences(try #require(result.segments.first?.string("path")))
        let first = try #require(try rig.state("state0")["t0"]) / 1e9 + Double(numbers[0] + 1) / 30
        #expect(first - tones[2].end > 0.5, "\(first - tones[2].end) s after the last tone")
        #expect(first - tones[2].start < 1.5, "\(first - tones[2].start) s after its begin")
    }

    /// A countdown can be stopped, and does not begin a segment then.
    @Test func aCountdownIsStopped() throws {
        let result = try rig.run(
            """
            { until_event '"idle"'; echo countdown 2; sleep 0.5; echo pause; sleep 2; echo quit; } |
              record --size 320x240 --speaker none 2>log
            """)
        #expect(result.status == 0, "\(result.log)")
        #expect(result.events("countdown").compactMap { $0.number("seconds") } == [2, -1])
        #expect(result.segments.isEmpty && !result.log.contains("inProgress"))
    }

    /// `torch auto` lights dark segments and no others, and only while they are recorded.
    @Test func theTorchLightsDarkSegments() throws {
        let result = try rig.run(
            """
            { until_event '"idle"'; echo torch auto; echo start 1.2; echo wait; until_event '"added"'; cat "$VCAM_CTL/ctl0" >bright
              brightness 0 0; sleep 0.2; echo start 2; until_event '"lit": true'; cat "$VCAM_CTL/ctl0" >dark
              echo wait; until_event '"added"' 2; sleep 0.2; cat "$VCAM_CTL/ctl0" >after; echo quit; } |
              record --size 320x240 2>log
            """)
        try #require(result.status == 0, "\(result.log)")
        let names = ["bright", "dark", "after"]
        #expect(try names.map { try rig.state($0)["LED Mode"] } == [0, 2, 0])
        let lumas = try workshop.lumas(try #require(result.segments[1].string("path")), crop: "iw:ih/2:0:0")
        #expect(lumas[3] < 30 && lumas[55] > lumas[3] + 15, "\(lumas[3]) \(lumas[55])")
        #expect(try workshop.lumas(try #require(result.segments[0].string("path")), crop: "iw:ih/2:0:0")[35] < 130)
    }

    /// Everything is deleted, the files too; the session goes on, and no name is used again.
    @Test func everythingIsDeleted() throws {
        let result = try rig.run(
            """
            { echo delete-all; for n in 1 2 3; do echo start 0.4; echo wait; done; until_event '"added"' 3
              echo start; until_event inProgress 4; sleep 0.3; echo delete-all; sleep 0.3; echo pause; until_event '"added"' 4
              echo delete-all; until_event '"deleted"' 4; "$EDITOR" record --list --json >sessions; ls "$TMPDIR" | grep -c SD_Record >left
              echo start 0.5; echo wait; echo finish; } |
              record --size 320x240 --output movie.mp4 2>log
            """)
        try #require(result.status == 0, "\(result.log)")
        let warnings = result.events("warning").compactMap { $0.string("code") }
        #expect(warnings == ["recording.empty", "recording.running"], "\(warnings)")
        let paths = result.segments.compactMap { $0.string("path") }
        #expect(paths.count == 5 && Set(paths).count == 5)
        #expect(paths.prefix(4).allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(try String(contentsOfFile: workshop.path("left"), encoding: .utf8) == "0\n")
        let sessions = try JSONDecoder().decode(JSONValue.self, from: try workshop.bytes("sessions"))
        #expect(sessions.at("0.segments") == .array([]) && sessions.at("0.state") == "idle", "\(sessions.text())")
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 15)
    }
}
