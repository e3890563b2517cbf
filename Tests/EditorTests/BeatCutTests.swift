import EditorCore
import Foundation
import Testing

/// Beats on the command line and in the config.
@Suite struct BeatCutTests {
    /// 120 clicks a minute from 0.25 s on.
    private func stage() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.makeColor("red.mov", "red", seconds: 4)
        try workshop.makeColor("blue.mov", "blue", seconds: 4)
        try workshop.ffmpeg([
            "-f", "lavfi", "-i",
            "aevalsrc='0.001*random(1)+gte(t,0.25)*0.8*(random(0)-0.5)*exp(-60*mod(t-0.25,0.5))':s=48000:d=20",
            "song.wav",
        ])
        return workshop
    }

    @Test func theCommandTellsTempoAndBeats() throws {
        let workshop = try stage()
        let result = try workshop.editor("beats", "song.wav", "--json")
        #expect(result.status == 0, "\(result.err)")
        #expect(abs(try #require(try result.json.number("tempo")) - 120) < 0.3)
        guard case .array(let beats)? = try result.json.at("beats") else {
            Issue.record("\(result.out)")
            return
        }
        #expect((36...42).contains(beats.count))
        let words = try workshop.editor("beats", "song.wav")
        #expect(words.out.hasPrefix("tempo 1") && words.out.split(separator: "\n").count == beats.count + 1)
        #expect(try workshop.editor("beats", "nothing.wav").status == 66)
        #expect(try workshop.editor("beats", "red.mov").status == 65)
        #expect(try workshop.editor("beats").status == 64)
    }

    /// Starts of clips in the plan, in seconds.
    private func starts(_ workshop: Workshop, _ config: [String: JSONValue]) throws -> [Double] {
        try workshop.write(config: .object(config))
        let result = try workshop.editor("--config", "cfg.json", "plan", "--json")
        try #require(result.status == 0, "\(result.err)")
        guard case .array(let clips)? = try result.json.at("clips") else { return [] }
        return clips.compactMap { $0.number("start") }
    }

    /// How far each joint lies from the nearest click of music that begins at `start` s.
    private func distances(_ starts: [Double], musicAt start: Double = 0) -> [Double] {
        starts.dropFirst().map { joint in
            let place = (joint - start - 0.25) / 0.5
            return abs(place - place.rounded()) * 0.5
        }
    }

    @Test func jointsMoveToTheBeats() throws {
        let workshop = try stage()
        var config: [String: JSONValue] = [
            "assetArray": [
                ["path": "red.mov", "timeRange": ["start": 0.5, "duration": 1.93]],
                ["path": "blue.mov", "timeRange": ["start": 0, "duration": 1.12], "speed": 0.8],
                ["path": "red.mov", "timeRange": ["start": 1, "duration": 1.4], "reverse": true], "blue.mov",
            ], "effects": [["type": "music", "source": "song.wav"]],
        ]
        let plain = try starts(workshop, config)
        #expect(distances(plain).contains { $0 > 0.1 })
        config["cutTo"] = "beats"
        let cut = try starts(workshop, config)
        #expect(distances(cut).allSatisfy { $0 < 0.012 }, "\(cut)")
        // Each clip is longer or shorter by the limit at most.
        let lengths = zip(cut.dropFirst(), cut).map { $0 - $1 }
        for (length, before) in zip(lengths, zip(plain.dropFirst(), plain).map { $0 - $1 }) {
            #expect(abs(length - before) <= 0.2501)
        }
        // Music that starts later takes its beats along.
        config["effects"] = [["type": "music", "source": "song.wav", "start": 0.13, "sourceStart": 0]]
        #expect(distances(try starts(workshop, config), musicAt: 0.13).allSatisfy { $0 < 0.012 })
        // A limit that is too narrow leaves joints alone.
        config["cutLimit"] = 0.01
        #expect(try starts(workshop, config).count == 4)
        #expect(distances(try starts(workshop, config), musicAt: 0.13).contains { $0 > 0.1 })
    }

    /// A clip that has no more to show is cut earlier, at a beat.
    @Test func aClipThatEndsIsCutEarlier() throws {
        let workshop = try stage()
        let cut = try starts(
            workshop,
            [
                "assetArray": ["red.mov", "blue.mov"], "effects": [["type": "music", "source": "song.wav"]],
                "cutTo": "beats", "cutLimit": 0.4,
            ])
        #expect(cut[1] < 4 && distances(cut)[0] < 0.012, "\(cut)")
    }

    @Test func withoutMusicNothingMoves() throws {
        let workshop = try stage()
        try workshop.write(config: ["assetArray": ["red.mov", "blue.mov"], "cutTo": "beats"])
        let result = try workshop.editor("--config", "cfg.json", "plan", "--json")
        #expect(result.status == 0)
        #expect(try result.json.number("clips.1.start") == 4)
        #expect(try result.json.string("warnings.0.code") == "cut.noMusic")
    }
}
