import EditorCore
import Foundation
import Testing

/// What goes wrong while recording: earlier segments and the session stay whole, and the message names the device.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable, CameraRig.reason)) struct RecordingFaultTests {
    let rig: CameraRig
    var workshop: Workshop { rig.workshop }

    init() throws { rig = try CameraRig() }

    /// A segment of 0.5 s, then one in whose middle something happens.
    private func record(during fault: String, options: String = "", after: String = "") throws -> CameraRig.Result {
        try rig.run(
            """
            {
              echo start 0.5; echo wait; until_event '"action": "added"'
              echo start; until_event '"event": "progress", "fraction": 0.0[5-9]'
              \(fault)
              \(after)
              echo quit
            } | record --size 320x240 \(options) 2>log
            """)
    }

    private func session() throws -> JSONValue {
        let list = try workshop.editor("record", "--list", "--json").json
        return try #require(list.at("0"))
    }

    /// Every segment of the session can be read, with as many pictures as it says.
    private func expectWhole(_ count: Int) throws {
        let session = try session()
        guard case .array(let segments)? = session["segments"] else { return }
        #expect(segments.count == count, "\(session.text())")
        #expect(session["running"] == .null)
        for segment in segments {
            let path = try #require(segment.string("path"))
            let facts = try workshop.probe(path, "-count_frames", "-show_streams")
            #expect(facts.number("streams.0.nb_read_frames") == segment.number("frames"))
        }
    }

    @Test func anUnpluggedCamera() throws {
        let result = try record(
            during: "ctl 0 disconnect; until_event '\"error\"'", after: "ctl 0 reconnect; echo start 0.4; echo wait")
        #expect(result.status == 0, "\(result.log)")
        #expect(result.errors.count == 1 && result.errors[0].contains("/dev/video0 (Back Camera)"), "\(result.errors)")
        // What was there is kept, and after it is plugged in again it goes on.
        try expectWhole(3)
        let numbers = try workshop.sequences(try #require(result.segments[1].string("path")))
        #expect(Workshop.isGapless(numbers) && numbers.count > 10)
    }

    @Test func aCameraThatStalls() throws {
        let result = try record(during: "ctl 0 stall; until_event '\"error\"'; ctl 0 resume; until_event camera.back")
        #expect(result.status == 0, "\(result.log)")
        #expect(
            result.errors.contains { $0.contains("/dev/video0 (Back Camera)") && $0.contains("no picture for 2 s") })
        try expectWhole(2)
    }

    /// Lost pictures are held at the right time, and counted.
    @Test func lostPictures() throws {
        let result = try record(
            during: "ctl 0 drop 30; sleep 1; ctl 0 drop 0; sleep 0.2; echo pause; until_event '\"added\"' 2")
        #expect(result.status == 0, "\(result.log)")
        try expectWhole(2)
        let segment = result.segments[1]
        let numbers = try workshop.sequences(try #require(segment.string("path")))
        let missing = Int(numbers[numbers.count - 1] - numbers[0]) + 1 - Set(numbers).count
        #expect(missing > 3)
        #expect(segment.number("lost") == Double(missing) && segment.number("held") == Double(missing))
        // The picture at each place is the one that is due there, or the last that came before it.
        for (index, number) in numbers.enumerated() {
            #expect(number <= numbers[0] + UInt32(index))
            if index > 0 { #expect(number == numbers[index - 1] || number == numbers[0] + UInt32(index)) }
        }
        #expect(result.events("warning").contains { $0.string("code") == "recording.lost" })
    }

    @Test func damagedPictures() throws {
        let result = try record(during: "ctl 0 error_frames 4; sleep 0.5; echo pause; until_event '\"added\"' 2")
        #expect(result.status == 0, "\(result.log)")
        try expectWhole(2)
        #expect(result.segments[1].number("lost") == 4 && result.segments[1].number("held") == 4)
        let numbers = try workshop.sequences(try #require(result.segments[1].string("path")))
        #expect(numbers.last.map { Int($0 - numbers[0]) + 1 } == numbers.count, "no time is lost")
    }

    @Test func aCameraThatIsGoneForGood() throws {
        // The server of the cameras itself goes away.
        let result = try record(
            during: "ctl 0 disconnect; until_event '\"error\"'; echo start; until_event '\"error\"' 2")
        #expect(result.status == 0, "\(result.log)")
        #expect(result.errors.count >= 2)
        try expectWhole(2)
    }

    @Test func anUnpluggedMicrophone() throws {
        let result = try record(
            during: "echo unplug >$VMIC_RAW.ctl; until_event '\"error\"'",
            after: "rm $VMIC_RAW.ctl; echo start 0.4; echo wait")
        #expect(result.status == 0, "\(result.log)")
        #expect(result.errors.count == 1 && result.errors[0].contains("microphone default"), "\(result.errors)")
        try expectWhole(3)
    }

    /// A machine that is too busy to take the microphone's sound: what was missed is silence, what follows is at its
    /// time, and it is told.
    @Test func aMicrophoneThatOverruns() throws {
        try workshop.makeNoise("noise.raw")
        let result = try rig.run(
            """
            { echo start; until_event '"event": "progress", "fraction": 0.0[4-9]'; touch now; until [ -e done ]; do sleep 0.05; done
              sleep 1.2; cat "$VMIC_RAW.t0" >after.t0; echo pause; until_event '"added"'; cat "$VCAM_CTL/ctl0" >state0; echo quit; } |
              "$EDITOR" --config cfg.json record --progress json --size 320x240 2>log & editor=$!
            until [ -e now ]; do sleep 0.02; done; cat "$VMIC_RAW.t0" >before.t0
            kill -STOP $editor; sleep 2; kill -CONT $editor; touch done; wait $editor
            """, microphone: "noise.raw")
        try #require(result.status == 0, "\(result.log)")
        func clock(_ name: String) throws -> Double {
            let text = try String(contentsOfFile: workshop.path(name), encoding: .utf8)
            return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines))) / 1e9
        }
        #expect(try clock("after.t0") - clock("before.t0") > 1, "the microphone was started anew")
        let told = result.events("warning").first { $0.string("code") == "recording.soundLost" }
        #expect(told?.string("message")?.contains("microphone default") ?? false, "\(result.log)")
        let path = try #require(result.segments.first?.string("path"))
        let camera = try #require(try rig.state("state0")["t0"]) / 1e9
        let numbers = try workshop.sequences(path)
        let samples = try workshop.samplesFromZero(path)
        let noise = try workshop.rawSamples("noise.raw")
        for (frame, file) in [(10, "before.t0"), (numbers.count - 12, "after.t0")] {
            // Its place in the segment is the time at which it was taken.
            #expect(numbers[frame] == numbers[0] + UInt32(frame))
            let expected = (camera + Double(numbers[frame] + 1) / 30 - (try clock(file))) * 48_000
            let found = try #require(
                workshop.position(in: samples, at: Double(frame) / 30, ofNoise: noise, near: expected), "\(file)")
            #expect(abs(Double(found) - expected) / 48 < 20, "\((Double(found) - expected) / 48) ms in \(file)")
        }
    }

    /// A disk that is full: what was written is kept.
    @Test func aFullDisk() throws {
        let result = try rig.run(
            """
            mkdir seg; mount -t tmpfs -o size=24m t seg
            {
              echo start 0.5; echo wait; until_event '"action": "added"'
              echo start; until_event '"event": "progress", "fraction": 0.0[5-9]'; dd if=/dev/zero of=seg/fill bs=64k 2>/dev/null
              until_event '"error"'; echo start; until_event '"error"' 2; rm seg/fill; echo start 0.4; echo wait; echo finish
            } | TMPDIR=$PWD/seg record --size 640x480 --output movie.mp4 2>log; echo $? >status
            mkdir kept; cp seg/SD_Record_Video* kept/; umount seg; exit "$(cat status)"
            """)
        #expect(result.status == 0, "\(result.log)")
        #expect(result.errors.count >= 2, "\(result.errors)")
        #expect(result.errors[0].contains("No space left on device") && result.errors[0].contains("SD_Record_Video"))
        #expect(result.errors[1].contains("MiB left in"))
        #expect(result.segments.count == 3)
        for segment in result.segments {
            let name = try #require(segment.string("path")).split(separator: "/").last.map(String.init)
            let numbers = try workshop.sequences("kept/\(name ?? "")")
            #expect(Workshop.isGapless(numbers))
        }
        let whole = result.segments.compactMap { $0.number("frames") }.reduce(0, +)
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == whole)
    }

    /// The process is killed in the middle of a segment: a second at most is lost, and the session goes on.
    @Test func aKilledProcess() throws {
        let result = try rig.run(
            """
            { echo start 0.5; echo wait; until_event '"action": "added"'; echo start; until_event '"fraction": 0.1'; touch now; until [ -e done ]; do sleep 0.05; done; } |
              "$EDITOR" --config cfg.json record --progress json --size 320x240 2>log & pipe=$!
            until [ -e now ]; do sleep 0.02; done; grep -o '"duration": [0-9.]*' log | tail -1 >last
            kill -9 $pipe; touch done; wait $pipe
            { echo start 0.4; echo wait; echo finish; } | record --resume --output movie.mp4 2>log2; echo $? >status
            exit "$(cat status)"
            """)
        #expect(
            result.status == 0,
            "\(result.log) \((try? String(contentsOfFile: workshop.path("log2"), encoding: .utf8)) ?? "")")
        let text = try String(contentsOfFile: workshop.path("last"), encoding: .utf8)
        let recorded = try #require(Double(text.split(separator: " ").last?.dropLast(1) ?? ""))
        guard case .array(let segments)? = try session()["segments"] else { return }
        #expect(segments.count == 3)
        #expect(segments[1].at("recovered") == .bool(true))
        let kept = segments.prefix(2).compactMap { $0.number("duration") }.reduce(0, +)
        #expect(recorded - kept <= 1, "\(recorded) s were told, \(kept) s are kept")
        let numbers = try workshop.sequences(try #require(segments[1].string("path")))
        #expect(Workshop.isGapless(numbers))
    }

    // MARK: Devices that cannot be opened

    @Test func aBusyCamera() throws {
        let result = try rig.run(
            """
            ffmpeg -nostdin -v error -f v4l2 -i /dev/video0 -f null - & other=$!
            until grep -q "streaming 1" "$VCAM_CTL/ctl0"; do sleep 0.02; done
            record 2>log </dev/null; echo $? >status; kill -KILL $other; wait $other; exit "$(cat status)"
            """)
        #expect(result.status == 69)
        #expect(
            result.log.contains("/dev/video0 (Back Camera)") && result.log.contains("another program uses it"),
            "\(result.log)")
    }

    @Test func noCamera() throws {
        let none = try rig.run("umount /dev/video0 /dev/video1; rm /dev/video*; record 2>log </dev/null")
        #expect(none.status == 66 && none.log.contains("there is no camera"), "\(none.log)")
        let named = try rig.run("record --device /dev/video7 2>log </dev/null")
        #expect(named.status == 66 && named.log.contains("/dev/video7"), "\(named.log)")
        let unknown = try rig.run("record --device Sideways 2>log </dev/null")
        #expect(unknown.status == 66 && unknown.log.contains("Back Camera") && unknown.log.contains("Front Camera"))
    }

    @Test func noPermission() throws {
        let result = try rig.run(
            """
            umount /dev/video0 /dev/video1; rm /dev/video1; chmod 600 /dev/video0; chmod -R a+rwX . ; cp "$EDITOR" ./editor
            setpriv --reuid=65534 --regid=65534 --clear-groups ./editor --config cfg.json record 2>log </dev/null
            """)
        #expect(result.status == 69, "\(result.log)")
        #expect(result.log.contains("/dev/video0") && result.log.contains("group video"), "\(result.log)")
    }

    @Test func noMicrophone() throws {
        let result = try rig.run("record --microphone hw:7 2>log </dev/null")
        #expect((result.status == 66 || result.status == 69) && result.log.contains("microphone hw:7"), "\(result.log)")
        let without = try rig.run(
            "{ echo start 0.4; echo wait; echo quit; } | record --microphone none --size 320x240 2>log")
        #expect(without.status == 0 && without.segments.count == 1)
    }

    @Test func noSuchMode() throws {
        let result = try rig.run("record --size 352x288 2>log </dev/null")
        #expect(
            result.status == 69 && result.log.contains("(Back Camera) has no such mode; it has yuyv 320x240"),
            "\(result.log)")
    }

    /// A session goes on with a camera that has none of its modes: the pictures are made like those before.
    @Test func aSessionOfAnotherSize() throws {
        let result = try rig.run(
            """
            { echo start 0.4; echo wait; echo quit; } | record --size 320x240 2>first
            sed -i 's/"width": 320/"width": 352/; s/"height": 240/"height": 288/' "$HOME"/.local/share/editor/sessions/*.session.json
            { echo start 0.4; echo wait; echo quit; } | record --resume 2>log
            """)
        try #require(result.status == 0 && result.segments.count == 1, "\(result.log)")
        #expect(result.events("camera").first?.string("mode")?.contains("640x480") ?? false, "\(result.log)")
        let facts = try workshop.probe(try #require(result.segments[0].string("path")), "-show_streams")
        #expect(facts.number("streams.0.width") == 352 && facts.number("streams.0.height") == 288)
    }

    /// Wrong lines are told of with the line, and the session goes on. Warnings and errors are of the shape that all have.
    @Test func wrongLines() throws {
        let result = try rig.run(
            "printf 'strat\\nzoom much\\nstart 0.4\\nwait\\nquit\\n' | record --size 320x240 --set finishBlock=1 2>log")
        #expect(result.status == 0 && result.segments.count == 1)
        #expect(result.errors.count == 2 && result.errors[0].contains("\"strat\""), "\(result.errors)")
        for error in result.events("error") {
            guard case .object(let members) = error else { continue }
            #expect(
                members.keys.sorted() == ["code", "event", "message", "pointer"] && error.string("code") == "usage")
        }
        let warning = result.events("warning").first { $0.string("code") == "config.noMeaning" }
        #expect(warning?.string("hint") == "leave it out", "\(result.log)")
    }
}
