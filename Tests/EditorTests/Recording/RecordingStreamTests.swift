import EditorCore
import Foundation
import Testing

/// Cameras that code H.264 themselves: it is kept as it is where that can be.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable, CameraRig.reason)) struct RecordingStreamTests {
    let rig: CameraRig
    var workshop: Workshop { rig.workshop }

    init() throws { rig = try CameraRig() }

    /// The coded slices of a stream, in order, by the start codes of ITU-T H.264, annex B.
    private func slices(_ stream: Data) -> [Data] {
        let bytes = Array(stream)
        var starts: [Int] = []
        for index in bytes.indices.dropLast(3) where bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1
        {
            starts.append(index + 3)
        }
        return starts.indices.compactMap { number in
            let start = starts[number]
            guard [1, 5].contains(bytes[start] & 0x1f) else { return nil }
            var end = number + 1 < starts.count ? starts[number + 1] - 3 : bytes.count
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            return Data(bytes[start..<end])
        }
    }

    private func slices(ofSegment path: String) throws -> [Data] {
        let target = "\(UUID().uuidString).h264"
        try workshop.ffmpeg(["-i", path, "-an", "-c", "copy", "-f", "h264", target])
        return slices(try workshop.bytes(target))
    }

    /// It decodes without a word of complaint.
    private func expectClean(_ path: String) throws {
        let result = try workshop.run("ffmpeg", ["-nostdin", "-v", "warning", "-i", path, "-f", "null", "-"])
        #expect(result.status == 0 && result.err.isEmpty, "\(result.err)")
    }

    private static let options = "--camera-format h264 --size 640x480"

    /// Every picture is what the camera gave, bit for bit, at its time, with the sound of its time.
    @Test func theStreamIsKept() throws {
        try workshop.makeNoise("noise.raw")
        let result = try rig.run(
            """
            {
              echo start 1.5; echo wait; until_event '"action": "added"'; cat "$VCAM_CTL/ctl0" >state; cat "$VMIC_RAW.t0" >mic.t0
              echo start 0.5; echo wait; echo finish
            } | record \(Self.options) --output movie.mp4 2>log
            """, microphone: "noise.raw", hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        #expect(result.events("camera").first?.string("mode")?.contains("h264 640x480 30") ?? false)
        let given = slices(try workshop.bytes("camera0.h264"))
        let places = Dictionary(zip(given, given.indices), uniquingKeysWith: { first, _ in first })
        #expect(result.segments.compactMap { $0.number("frames") } == [45, 15])
        for (segment, count) in zip(result.segments, [45, 15]) {
            #expect(segment.number("held") == 0 && segment.number("lost") == 0)
            let path = try #require(segment.string("path"))
            let kept = try slices(ofSegment: path)
            let found = kept.compactMap { places[$0] }
            #expect(kept.count == count && found.count == count, "\(found.count) of \(kept.count) are the camera's own")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0 + 1 == $1 })
            let numbers = try workshop.sequences(path)
            #expect(numbers.count == count && Workshop.isGapless(numbers), "\(numbers)")
            #expect(numbers.map(Int.init) == found, "pictures are shown in the order in which they were coded")
            // The times are the camera's: 30 a second, exactly.
            let packets = try workshop.probe(path, "-select_streams", "v", "-show_entries", "packet=pts_time,flags")
            guard case .array(let list)? = packets["packets"] else {
                Issue.record("no packets in \(packets.text())")
                return
            }
            #expect(list.count == count)
            for (index, packet) in list.enumerated() {
                let time = try #require(Double(packet.string("pts_time") ?? ""))
                #expect(abs(time - Double(index) / 30) < 0.001)
            }
            #expect(list.first?.string("flags")?.hasPrefix("K") ?? false)
            let facts = try workshop.probe(path, "-show_streams")
            #expect(
                facts.string("streams.0.profile") == "Constrained Baseline", "x264's word for what the camera codes")
            let length = try #require(Double(facts.string("streams.0.duration") ?? ""))
            #expect(abs(length - Double(count) / 30) < 0.001)
        }
        // Sound and picture of one instant are together.
        let noise = try workshop.rawSamples("noise.raw")
        let camera = try #require(rig.state("state")["t0"]) / 1e9
        let text = try String(contentsOfFile: workshop.path("mic.t0"), encoding: .utf8)
        let microphone = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines))) / 1e9
        let first = try #require(result.segments[0].string("path"))
        let numbers = try workshop.sequences(first)
        for name in [first, "movie.mp4"] {
            let samples = try workshop.samplesFromZero(name)
            for frame in [1, 30] {
                let expected = (camera + Double(numbers[frame] + 1) / 30 - microphone) * 48_000
                let heard = workshop.position(in: samples, at: Double(frame) / 30, ofNoise: noise, near: expected)
                let found = try #require(heard, "the microphone is not heard in \(name)")
                #expect(abs(Double(found) - expected) / 48 < 20, "\((Double(found) - expected) / 48) ms in \(name)")
            }
        }
        let facts = try workshop.probe("movie.mp4", "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 60)
    }

    /// A camera that gives no key picture when it is asked begins with its next one, and sound begins with it.
    @Test func itBeginsWithAKeyPicture() throws {
        let result = try rig.run(
            """
            ctl 0 ignore_keys 1
            { until_event idle; sleep 0.3; echo start 0.5; echo wait; echo quit; } | record \(Self.options) 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let path = try #require(result.segments.first?.string("path"))
        let numbers = try workshop.sequences(path)
        #expect(numbers.first == 60 && numbers.count == 15 && Workshop.isGapless(numbers), "\(numbers)")
        #expect(result.segments[0].number("lost") == 0)
        let facts = try workshop.probe(path, "-show_streams")
        let lengths = (0...1).compactMap { Double(facts.string("streams.\($0).duration") ?? "") }
        #expect(lengths.count == 2 && abs(lengths[0] - 0.5) < 0.001 && abs(lengths[1] - 0.5) < 0.03, "\(lengths)")
    }

    /// After a loss the last good picture is held until a key picture comes; nothing damaged is shown.
    @Test func lossesAreBridged() throws {
        let result = try rig.run(
            """
            {
              echo start; until_event '"event": "progress", "fraction": 0.0[3-9]'
              ctl 0 drop 10; sleep 1; ctl 0 drop 0; sleep 0.5; echo pause; until_event '"added"'; echo quit
            } | record \(Self.options) 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let segment = try #require(result.segments.first)
        let path = try #require(segment.string("path"))
        try expectClean(path)
        let numbers = try workshop.sequences(path, filter: "fps=30:round=near,")
        let frames = try #require(segment.number("frames"))
        #expect(Double(numbers.count) == frames)
        let missing = Int(frames) - Set(numbers).count
        #expect(missing > 0 && segment.number("held") == Double(missing))
        #expect(segment.number("lost") == Double(missing))
        for (index, number) in numbers.enumerated() {
            let due = numbers[0] + UInt32(index)
            #expect(number == due || (index > 0 && number == numbers[index - 1] && number < due), "\(index): \(number)")
        }
    }

    /// Damaged pictures are as good as lost.
    @Test func damageIsBridged() throws {
        let result = try rig.run(
            """
            {
              echo start; until_event '"event": "progress", "fraction": 0.0[3-9]'
              ctl 0 error_frames 3; sleep 0.7; echo pause; until_event '"added"'; echo quit
            } | record \(Self.options) 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let segment = try #require(result.segments.first)
        let path = try #require(segment.string("path"))
        try expectClean(path)
        let numbers = try workshop.sequences(path)
        let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        // Three damaged ones, and those that came before the key picture that was asked for.
        #expect(steps.filter { $0 != 1 }.count == 1 && (4...8).contains(steps.max() ?? 0), "\(numbers)")
        #expect(segment.number("lost") == Double((steps.max() ?? 0) - 1))
    }

    /// Beyond what the driver zooms the pictures are cropped, so from then on they are coded anew, in the same file and in
    /// the same colours.
    @Test func zoomWithinASegmentCodesTheRest() throws {
        let result = try rig.run(
            """
            {
              echo start 2; until_event '"event": "progress", "fraction": 0.0[3-9]'; echo zoom 6; until_event '"zoom"'; echo wait
              until_event '"added"'; echo finish
            } | record \(Self.options) --output movie.mp4 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let segment = try #require(result.segments.first)
        #expect(segment.number("frames") == 60 && segment.number("held") == 0 && segment.number("lost") == 0)
        let path = try #require(segment.string("path"))
        let facts = try workshop.probe(path, "-count_frames", "-show_streams")
        #expect(facts.number("streams.0.nb_read_frames") == 60)
        try expectClean(path)
        let given = Set(slices(try workshop.bytes("camera0.h264")))
        let isKept = try slices(ofSegment: path).map(given.contains)
        let keptCount = isKept.prefix { $0 }.count
        #expect(keptCount > 10 && keptCount < 50 && !isKept.dropFirst(keptCount).contains(true), "\(isKept)")
        // Six times as large as at first, of which the driver does five.
        let (plain, zoomed) = (try workshop.slope(path, frame: 3), try workshop.slope(path, frame: 58))
        #expect(abs(plain / zoomed - 6) < 1.2, "\(plain) \(zoomed)")
        // The hue of the back camera is one and the same all over.
        for name in [path, "movie.mp4"] {
            let target = "tmp/chroma-\(UUID().uuidString)"
            try workshop.ffmpeg([
                "-i", name, "-an", "-vf",
                "format=yuv420p,crop=iw/2:ih/4:iw/4:ih/4,extractplanes=v,scale=1:1:flags=area,format=gray", "-fps_mode",
                "passthrough", "-f",
                "rawvideo", target,
            ])
            let chroma = Array(try workshop.bytes(target)).map(Int.init)
            #expect(chroma.count == 60 && chroma.allSatisfy { abs($0 - chroma[0]) <= 3 }, "\(name): \(chroma)")
        }
        // Seeking back from the coded part decodes the kept part as before.
        #expect(try workshop.sequences("movie.mp4").count == 60)
    }

    /// A flip to the front camera, which is mirrored, and back.
    @Test func flipWithinASegmentCodesTheRest() throws {
        let result = try rig.run(
            """
            {
              echo start 3; until_event '"event": "progress", "fraction": 0.0[3-9]'; echo flip; until_event Front; sleep 0.7
              echo flip; until_event Back 2; echo wait; until_event '"added"'; echo quit
            } | record \(Self.options) 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let segment = try #require(result.segments.first)
        let path = try #require(segment.string("path"))
        #expect(segment.number("frames") == 90)
        let back = try workshop.sequences(path, filter: "fps=30:round=near,")
        let front = try workshop.sequences(path, isMirrored: true, filter: "fps=30:round=near,")
        #expect(back.count == 90)
        // Read the wrong way round the front camera's numbers are large, but for its first one, 0.
        let start = Set(back.prefix { $0 < 1 << 20 }.reversed().drop { $0 == 0 }).sorted()
        #expect(start.count > 10 && Workshop.isGapless(start), "\(back)")
        let end = back.suffix(10)
        #expect(Workshop.isGapless(end) && end.allSatisfy { $0 < 1 << 20 }, "\(back)")
        let middle = Set(front.filter { $0 > 0 && $0 < 1 << 16 }).sorted()
        #expect(middle.count >= 10 && Workshop.isGapless(middle), "\(front)")
    }

    /// The front camera's pictures are mirrored, which coded ones cannot be.
    @Test func mirroredPicturesAreCodedAnew() throws {
        let result = try rig.run(
            "{ echo start 0.5; echo wait; echo quit; } | record --device front \(Self.options) 2>log", hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        let path = try #require(result.segments.first?.string("path"))
        let numbers = try workshop.sequences(path, isMirrored: true)
        #expect(numbers.count == 15 && Workshop.isGapless(numbers), "\(numbers)")
        #expect(Set(slices(try workshop.bytes("camera1.h264"))).isDisjoint(with: try slices(ofSegment: path)))
    }

    /// B pictures cannot be kept: that is told once, and once more to each start that ends by it.
    @Test func bPicturesAreToldOnce() throws {
        let result = try rig.run(
            """
            {
              until_event '"error"'; sleep 0.7; echo start 1; echo wait; until_event '"error"' 2; sleep 0.7; echo quit
            } | record \(Self.options) 2>log
            """, environment: ["VCAM_H264": "b"])
        try #require(result.status == 0, "\(result.log)")
        #expect(result.errors.count == 2 && Set(result.errors).count == 1, "\(result.errors)")
        #expect(result.errors[0].contains("B pictures") && result.errors[0].contains("--camera-format"))
        #expect(result.segments.isEmpty)
    }

    /// A photo is decoded, while a segment is kept and without one.
    @Test func photosOfAStream() throws {
        let result = try rig.run(
            """
            {
              echo start 1.5; until_event '"event": "progress", "fraction": 0.0[3-9]'; echo photo during.png; until_event '"photo"'
              echo wait; echo photo after.png; until_event '"photo"' 2; echo quit
            } | record \(Self.options) 2>log
            """, hasH264: true)
        try #require(result.status == 0, "\(result.log)")
        for name in ["during.png", "after.png"] {
            let colour = try workshop.color(name, frame: 0, x: 320, y: 100)
            #expect(colour[0] > colour[2], "back is red: \(colour)")
        }
        let numbers = try workshop.sequences(try #require(result.segments.first?.string("path")))
        #expect(numbers.count == 45 && Workshop.isGapless(numbers))
    }
}
