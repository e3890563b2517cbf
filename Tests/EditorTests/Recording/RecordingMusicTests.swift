import EditorCore
import Foundation
import Testing

/// Recording to music, on the virtual camera and speaker.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable, CameraRig.reason)) struct RecordingMusicTests {
    /// What was heard with a picture while recording is heard with it in the merge, in every segment; and the music's
    /// length ends the recording.
    @Test func theMusicIsMergedWhereItWasHeard() throws {
        let workshop = try Workshop()
        let rig = CameraRig(workshop: workshop)
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "anoisesrc=d=2:c=pink:r=48000:a=0.5:seed=3,lowpass=f=8000", "-ac", "1", "song.wav",
        ])
        try workshop.write(config: [
            "renderSize": ["width": 320, "height": 240], "audioURLType": "local", "audioURL": "song.wav",
            "audioName": "Song", "durationType": "audio", "originalVolume": 0, "bgAudioVolume": 1,
        ])
        let result = try rig.run(
            """
            { echo start 0.8; echo wait; until_event '"added"'; cat "$VCAM_CTL/ctl0" >state0; echo start; echo wait; until_event '"stop"'
              for f in $VSPK_RAW.?; do cp $f* .; done; echo finish; } |
              record --size 320x240 --output movie.mp4 2>log
            "$EDITOR" record --list --json >sessions
            """)
        try #require(result.status == 0, "\(result.log)")
        #expect(result.segments.compactMap { $0.number("frames") } == [24, 36], "two seconds of music")
        let camera = try #require(try rig.state("state0")["t0"]) / 1e9
        let song = try workshop.samples("song.wav")
        let merged = try workshop.samplesFromZero("movie.mp4")
        var (merge, compared) = (0.0, 0)
        for segment in result.segments {
            let frames = try #require(segment.number("frames"))
            let numbers = try workshop.sequences(try #require(segment.string("path")))
            for frame in [2, 12] {
                let taken = camera + Double(numbers[frame] + 1) / 30
                // What came out of the speaker at that instant, by the stamps of the camera and of the speaker.
                let time = merge + Double(frame) / 30
                let heard = (1...9).compactMap { number -> Int? in
                    guard
                        let text = try? String(contentsOfFile: workshop.path("spk.raw.\(number).t0"), encoding: .utf8),
                        let start = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)),
                        let all = try? workshop.rawSamples("spk.raw.\(number)")
                    else { return nil }
                    let left = stride(from: 0, to: all.count, by: 2).map { all[$0] }
                    return workshop.position(
                        in: left, at: taken - start / 1e9, ofNoise: song, near: time * 48_000)
                }
                let inMerge = try #require(
                    workshop.position(in: merged, at: time, ofNoise: song, near: time * 48_000), "at \(time)")
                // A busy machine may let the speaker run dry; then another of its files has the rest.
                guard let found = heard.first else { continue }
                compared += 1
                #expect(abs(found - inMerge) < 960, "\(Double(found - inMerge) / 48) ms apart at \(time) s")
                #expect(abs(Double(inMerge) - time * 48_000) < 480, "the merge has the music from its start")
            }
            merge += frames / 30
        }
        #expect(compared >= 2)
    }

    /// Music on the web is fetched before anything is recorded, and once: the recording, the window and the merge share it.
    @Test func musicOnTheWebIsFetchedOnce() throws {
        let workshop = try Workshop()
        let rig = CameraRig(workshop: workshop)
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.25*sin(2*PI*440*t)|0.25*sin(2*PI*440*t):s=48000:d=3", "tone.mp3",
        ])
        let server = try WebServer(workshop)
        try workshop.write(config: [
            "renderSize": ["width": 320, "height": 240], "audioURLType": "web",
            "audioURL": .string(server.address("tone.mp3")), "audioName": "Tone", "originalVolume": 0,
            "bgAudioVolume": 1, "durationType": "audio",
        ])
        let result = try rig.run(
            """
            { echo start 1; echo wait; echo finish; } |
              record --size 320x240 --output movie.mkv --allow-private-addresses 2>log
            record --offline --allow-private-addresses </dev/null 2>again || echo "offline fails"
            XDG_CACHE_HOME=$PWD/empty record --offline </dev/null 2>offline
            """)
        #expect(result.status == 66 && result.out == "movie.mkv\n", "\(result.out) \(result.log)")
        #expect(server.requests == ["tone.mp3"])
        let limit = try #require(result.events("progress").first?.number("secondsLeft"))
        #expect(abs(limit - 3) < 0.1, "\(limit) s of music")
        let tone = Workshop.amplitude(try workshop.samples("tone.mp3")[9_600..<33_600], hertz: 440)
        let merged = Workshop.amplitude(try workshop.samples("movie.mkv")[9_600..<33_600], hertz: 440)
        #expect(tone > 0.2 && abs(merged - tone) < 0.01, "\(tone) \(merged)")
        let offline = try String(contentsOfFile: workshop.path("offline"), encoding: .utf8)
        #expect(offline.contains("tone.mp3") && offline.contains("--offline"), "\(offline)")
    }
}
