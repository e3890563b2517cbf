import EditorCore
import Foundation
import Testing

/// Sessions on the virtual camera and microphone.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable, CameraRig.reason)) struct RecordingTests {
    let rig: CameraRig
    var workshop: Workshop { rig.workshop }

    init() throws { rig = try CameraRig() }

    /// Three segments of which one is deleted, a flip within one, torch and zoom; then the merge.
    @Test func aWholeSession() throws {
        try rig.write(config: ["maxVideoDuration": 10])
        try workshop.makeNoise("noise.raw")
        let result = try rig.run(
            """
            {
              echo start 1; echo wait
              echo start 0.7; echo wait; until_event '"action": "added"' 2; cat "$VCAM_CTL/ctl0" >state0; cat "$VMIC_RAW.t0" >mic.t0
              echo delete-last
              echo torch on; echo zoom 2; until_event '"zoom"'; cat "$VCAM_CTL/ctl0" >state1
              echo start 1; echo wait; until_event '"action": "added"' 3
              echo start 1.6; until_event inProgress 4; sleep 0.6; echo flip; echo wait; until_event '"action": "added"' 4
              cat "$VCAM_CTL/ctl1" >state2
              echo finish
            } | record --size 640x480 --output movie.mp4 2>log
            """, microphone: "noise.raw")
        try #require(result.status == 0, "\(result.log)")
        #expect(result.out == "movie.mp4\n")
        let segments = result.segments
        try #require(segments.count == 4)
        let paths = segments.compactMap { $0.string("path") }
        #expect(Set(paths).count == 4, "no name is used twice")
        #expect(!FileManager.default.fileExists(atPath: paths[1]), "a deleted segment's file is gone too")

        // No picture is lost and none comes twice inside segments, but for the flip.
        for (index, count) in [(0, 30), (2, 30)] {
            let numbers = try workshop.sequences(paths[index])
            #expect(numbers.count == count && Workshop.isGapless(numbers), "\(numbers)")
            #expect(segments[index].number("held") == 0 && segments[index].number("lost") == 0)
        }
        let before = try workshop.sequences(paths[3])
        let after = try workshop.sequences(paths[3], isMirrored: true)
        #expect(before.count == 48)
        let back = before.prefix { $0 < 1 << 20 && $0 > 0 }
        let front = after.suffix(10)
        #expect(Workshop.isGapless(front) && back.count > 5, "\(before) \(after)")

        // Torch and zoom are set and seen.
        let rest = try rig.state("state0")
        let lit = try rig.state("state1")
        #expect(rest["LED Mode"] == 0 && rest["Zoom, Absolute"] == 100)
        #expect(lit["LED Mode"] == 2 && lit["Zoom, Absolute"] == 200)
        let dark = try workshop.lumas(paths[0], crop: "iw:ih/2:0:0")[15]
        let bright = try workshop.lumas(paths[2], crop: "iw:ih/2:0:0")[15]
        #expect(bright - dark > 40, "\(dark) \(bright)")
        let (plain, zoomed) = (try workshop.slope(paths[0], frame: 15), try workshop.slope(paths[2], frame: 15))
        #expect(abs(plain / zoomed - 2) < 0.25, "\(plain) \(zoomed)")
        let colours = try [(paths[2], 20), (paths[3], 46)].map { try workshop.color($0, frame: $1, x: 320, y: 100) }
        #expect(
            colours[0][0] > colours[0][2] && colours[1][0] < colours[1][2], "back is red, front is blue: \(colours)")

        // The merge has them in order, to the picture.
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 108)

        // Sound and picture of one instant are together, in the first segment and in the merge.
        let noise = try workshop.rawSamples("noise.raw")
        let camera = try #require(rest["t0"]) / 1e9
        let microphone =
            try #require(Double(String(contentsOfFile: workshop.path("mic.t0"), encoding: .utf8).trimmed)) / 1e9
        let first = try workshop.sequences(paths[0])
        for name in [paths[0], "movie.mp4"] {
            let samples = try workshop.samplesFromZero(name)
            for frame in [1, 20] {
                let taken = camera + Double(first[frame] + 1) / 30
                let expected = (taken - microphone) * 48_000
                let heard = workshop.position(
                    in: samples, at: Double(frame) / 30, ofNoise: noise, near: expected)
                let found = try #require(heard, "the microphone is not heard in \(name)")
                #expect(abs(Double(found) - expected) / 48 < 20, "\((Double(found) - expected) / 48) ms in \(name)")
            }
        }
    }

    /// It stops by itself, to the picture, over several segments; what is left of the time is told.
    @Test func theLongestRecordingEndsIt() throws {
        try rig.write(config: ["maxVideoDuration": 1.5])
        let result = try rig.run(
            """
            { echo start 0.5; echo wait; echo start; echo wait; until_event '"stop"'; echo start; echo finish; } |
              record --size 320x240 --output movie.mp4 2>log
            """)
        try #require(result.status == 0, "\(result.log)")
        let frames = result.segments.compactMap { $0.number("frames") }
        #expect(frames == [15, 30])
        #expect(
            result.segments.last?.number("progress") == 1 && result.segments.last?.number("durationWeight") == 1 / 1.5)
        #expect(result.events("warning").contains { $0.string("code") == "recording.full" })
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 45)
        let states = result.events("state").compactMap { $0.string("state") }
        #expect(states.starts(with: ["idle", "inProgress", "pause", "inProgress", "stop"]), "\(states)")
    }

    /// Twice as fast and half as fast: so many pictures for the same time of the movie.
    @Test func speedsAreOfTheMovie() throws {
        try rig.write(config: ["maxVideoDuration": 1.5])
        let result = try rig.run(
            "{ echo speed 2; echo start 0.5; echo wait; echo speed 0.5; echo start; echo wait; echo finish; } | "
                + "record --size 320x240 --output movie.mp4 2>log")
        try #require(result.status == 0, "\(result.log)")
        #expect(result.segments.compactMap { $0.number("frames") } == [30, 15])
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 45)
    }

    /// What the driver has is set, what it lacks is said.
    @Test func controlsAreSetOrSaid() throws {
        try rig.write()
        let result = try rig.run(
            """
            { until_event idle; echo focus lock; echo exposure lock; echo zoom 6; echo stabilisation on; echo torch on; until_event '"torch"'
              cat "$VCAM_CTL/ctl0" >state0; echo flip; until_event Front; echo torch off; echo quit; } | record 2>log
            cat "$VCAM_CTL/ctl0" >state1
            """)
        #expect(result.status == 0, "\(result.log)")
        let state = try rig.state("state0")
        #expect(state["Focus, Automatic Continuous"] == 0 && state["Auto Exposure"] == 1)
        #expect(state["Exposure Time, Absolute"] == 250, "the exposure stays as it is")
        #expect(state["Zoom, Absolute"] == 500 && state["LED Mode"] == 2)
        let zoom = try #require(result.events("zoom").first)
        #expect(zoom.number("byDriver") == 5 && zoom.number("byCropping") == 1.2)
        let warnings = result.events("warning").compactMap { $0.string("message") }
        #expect(warnings.contains { $0.contains("/dev/video0") && $0.contains("stabilisation") })
        #expect(warnings.contains { $0.contains("/dev/video1") && $0.contains("torch") })
        let left = try rig.state("state1")
        #expect(left["LED Mode"] == 0 && left["Zoom, Absolute"] == 100, "the camera is left as it was found")
    }

    /// A picture by itself, with light.
    @Test func aPhotoIsTaken() throws {
        try rig.write()
        let result = try rig.run(
            """
            record --photo dark.png --size 640x480 2>log && record --photo lit.png --size 640x480 --flash on 2>log
            cat "$VCAM_CTL/ctl0" >state0
            """)
        #expect(result.status == 0 && result.out == "dark.png\nlit.png\n", "\(result.log)")
        let (dark, lit) = (try workshop.lumas("dark.png")[0], try workshop.lumas("lit.png")[0])
        #expect(lit - dark > 40)
        #expect(try rig.state("state0")["LED Mode"] == 0)
        #expect(try workshop.editor("record", "--list").out == "", "a photo leaves no session")
    }

    /// The example's script.
    @Test func theExampleRecords() throws {
        let result = try rig.run(
            "cp -r \(Workshop.checkout)/Examples/recording here; here/record.sh $PWD/movie.mp4 --draft --size 320x240 2>log"
        )
        #expect(result.status == 0, "\(result.log)")
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 120 && facts.number("streams.0.width") == 360)
    }

    /// MJPEG, mirrored: the file that the front camera plays, left and right changed.
    @Test func motionJPEGIsRecorded() throws {
        try rig.write()
        let result = try rig.run(
            "{ echo start 0.5; echo wait; echo quit; } | record --device front --camera-format mjpeg --size 640x480 2>log"
        )
        #expect(result.status == 0, "\(result.log)")
        let path = try #require(result.segments.first?.string("path"))
        #expect(result.events("camera").first?.string("mode")?.contains("mjpeg 640x480") ?? false)
        try workshop.ffmpeg([
            "-i", Workshop.checkout + "/.build/camera-rig/test.mjpeg", "-vf", "hflip", "-frames:v", "1",
            "reference.png",
        ])
        // The test picture's left edge is black in the original, with colours to the right.
        let psnr = try workshop.ffmpeg([
            "-i", path, "-i", "reference.png", "-lavfi",
            "[0:v]select=eq(n\\,2),crop=iw:ih/4:0:0,format=gray[a];[1:v]crop=iw:ih/4:0:0,format=gray[b];[a][b]psnr",
            "-f", "null", "-",
        ]).err
        let value = try #require(psnr.firstMatch(of: /average:(?<value>[0-9.]+|inf)/)).value
        #expect(value == "inf" || (Double(value) ?? 0) > 14, "\(value); 5 where left and right are not changed")
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
