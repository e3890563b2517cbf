import EditorCore
import Foundation
import Testing

/// Music from the web, against a server on this machine that does everything that servers do wrong.
@Suite struct WebMusicTests {
    private func stage() throws -> (Workshop, WebServer) {
        let workshop = try Workshop()
        try workshop.makeColor("clip.mov", "gray", seconds: 1)
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.25*sin(2*PI*440*t)|0.25*sin(2*PI*440*t):s=44100:d=3", "tone.mp3",
        ])
        return (workshop, try WebServer(workshop))
    }

    private func config(_ address: String) -> JSONValue {
        ["assetArray": ["clip.mov"], "audioURLType": "web", "audioURL": .string(address), "audioName": "Tone"]
    }

    /// What `--progress json` told of files on the web.
    private func downloads(_ output: Workshop.Output) -> [JSONValue] {
        output.err.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }.filter { $0.string("event") == "download" }
    }

    private static let permitted = "--allow-private-addresses"

    /// `check` fetches as `run` does, and renders nothing.
    private func check(_ workshop: Workshop, _ address: String, _ arguments: String...) throws -> Workshop.Output {
        try workshop.write(config: config(address))
        return try workshop.run(Workshop.editor, ["--config", "cfg.json", "check", Self.permitted] + arguments)
    }

    /// Files in the cache that are neither parts nor locks.
    private func kept(_ workshop: Workshop, in cache: String = "cache") -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: workshop.path("\(cache)/editor/web"))) ?? []
        return files.filter { !$0.contains(".part") && !$0.hasSuffix(".lock") }
    }

    @Test func isFetchedOnceAndPlayed() throws {
        let (workshop, server) = try stage()
        let address = server.address("to/3")
        try workshop.write(config: config(address))
        let arguments = ["--config", "cfg.json", "run", "--overwrite", "--output", "a.mkv", "--progress", "json"]
        let first = try workshop.run(Workshop.editor, arguments + [Self.permitted])
        try #require(first.status == 0, "\(first.err)")
        let events = downloads(first)
        var states = events.compactMap { $0.string("state") }
        states = states.enumerated().filter { $0 == 0 || states[$0 - 1] != $1 }.map(\.1)
        #expect(states == ["unknown", "web", "downloading", "local"])
        #expect(events.allSatisfy { $0.string("url") == address && $0.string("kind") == "music" })
        let size = try workshop.bytes("tone.mp3").count
        #expect(events.last?.number("bytes") == Double(size))
        #expect(server.requests == ["to/3", "to/2", "to/1", "tone.mp3"])
        let samples = try workshop.samples("a.mkv")
        // At half of what the file holds; its encoder turned the tone down a little.
        let tone = Workshop.amplitude(try workshop.samples("tone.mp3")[4_800..<43_200], hertz: 440)
        #expect(abs(Workshop.amplitude(samples[4_800..<43_200], hertz: 440) - tone / 2) < 0.003)

        // The second time nobody is asked, not even with the server gone and --offline.
        let second = try workshop.run(Workshop.editor, arguments + ["--offline"])
        #expect(second.status == 0, "\(second.err)")
        #expect(downloads(second).compactMap { $0.string("state") } == ["unknown", "local"])
        #expect(server.requests.count == 4)
    }

    @Test func offlineFetchesNothing() throws {
        let (workshop, server) = try stage()
        let result = try check(workshop, server.address("tone.mp3"), "--offline")
        #expect(result.status == 66)
        #expect(result.err.contains("tone.mp3") && result.err.contains("--offline"))
        #expect(server.requests.isEmpty)
    }

    /// This machine, by its number, its name, its number in other clothes, and IPv6.
    @Test func privateAddressesAreRefused() throws {
        let (workshop, server) = try stage()
        for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"] {
            try workshop.write(config: config("http://\(host):\(server.port)/tone.mp3"))
            // A proxy does not help either.
            let result = try workshop.editor(
                "--config", "cfg.json", "check", environment: ["http_proxy": server.address("")])
            #expect(result.status == 65, "\(host): \(result.err)")
            #expect(result.err.contains("--allow-private-addresses"), "\(host): \(result.err)")
        }
        #expect(server.requests.isEmpty && kept(workshop).isEmpty)
    }

    @Test(arguments: [
        ("round", 66, "more than 5 times"), ("to/6", 66, "more than 5 times"), ("to-ftp", 66, "neither http nor https"),
        ("to-file", 66, "neither http nor https"), ("page.mp3", 65, "gave a web page"),
        ("noise.mp3", 65, "holds no music"),
        ("missing.mp3", 66, "404"), ("big.mp3", 65, "may have 200 MB"), ("empty.mp3", 66, "empty file"),
        ("always-broken.mp3", 66, "broke off"),
    ])
    func whatIsNoMusicIsRefused(_ path: String, _ status: Int, _ words: String) throws {
        let (workshop, server) = try stage()
        let result = try check(workshop, server.address(path))
        #expect(result.status == Int32(status), "\(result.err)")
        #expect(result.err.contains(words) && result.err.contains(server.address(path)), "\(result.err)")
        #expect(result.err.contains("/audioURL"))
        #expect(kept(workshop).isEmpty)
    }

    @Test func limitsHold() throws {
        let (workshop, server) = try stage()
        let endless = try check(workshop, server.address("endless.mp3"), "--download-limit", "1")
        #expect(endless.status == 65 && endless.err.contains("may have 1 MB"), "\(endless.err)")
        let start = Date()
        let stalled = try check(workshop, server.address("stall.mp3"), "--download-timeout", "1")
        #expect(stalled.status == 66 && stalled.err.contains("could not be fetched"), "\(stalled.err)")
        #expect(Date().timeIntervalSince(start) < 20)
        #expect(kept(workshop).isEmpty)
    }

    @Test func aBrokenTransferGoesOn() throws {
        let (workshop, server) = try stage()
        let size = try workshop.bytes("tone.mp3").count
        let result = try check(workshop, server.address("broken.mp3"))
        #expect(result.status == 0, "\(result.err)")
        #expect(server.requests == ["broken.mp3", "broken.mp3 bytes=\(size / 2)-"])
        let file = try #require(kept(workshop).first)
        #expect(try workshop.bytes("cache/editor/web/\(file)") == workshop.bytes("tone.mp3"))
    }

    /// What was left of another file is not glued to this one.
    @Test func aChangedFileStartsAnew() throws {
        let (workshop, server) = try stage()
        let result = try check(workshop, server.address("changed.mp3"))
        #expect(result.status == 0, "\(result.err)")
        let file = try #require(kept(workshop).first)
        #expect(try workshop.bytes("cache/editor/web/\(file)") == workshop.bytes("tone.mp3"))
    }

    /// A process that dies in the middle leaves a part, from which the next one goes on.
    @Test func anInterruptedDownloadGoesOnLater() throws {
        let (workshop, server) = try stage()
        let address = server.address("stall.mp3")
        try workshop.write(config: config(address))
        let process = workshop.process(
            Workshop.editor,
            ["--config", "cfg.json", "run", "--output", "a.mp4", "--progress", "none", Self.permitted])
        (process.standardError, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.start()
        let folder = workshop.path("cache/editor/web")
        let half = try workshop.bytes("tone.mp3").count / 2
        var part = 0
        for _ in 0..<2000 where part < half {
            usleep(10_000)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            where name.hasSuffix(".part.mp3") {
                part = (try? workshop.bytes("cache/editor/web/\(name)").count) ?? 0
            }
        }
        #expect(part == half)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(!workshop.exists("a.mp4") && kept(workshop).isEmpty)
        let again = try check(workshop, address, "--download-timeout", "1")
        #expect(again.status == 66)
        #expect(server.requests.contains("stall.mp3 bytes=\(half)-"))
    }

    @Test func twoProcessesFetchOnce() throws {
        let (workshop, server) = try stage()
        try workshop.write(config: config(server.address("slow.mp3")))
        let processes = try (0..<3).map { _ in
            let process = workshop.process(Workshop.editor, ["--config", "cfg.json", "check", Self.permitted])
            (process.standardError, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.start()
            return process
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(server.requests == ["slow.mp3"])
        #expect(kept(workshop).count == 1)
    }

    @Test func onlyWebAndFileAddressesAreRead() throws {
        let (workshop, _) = try stage()
        for scheme in ["ftp", "rtmp", "concat", "gopher"] {
            try workshop.write(
                config: [
                    "assetArray": ["clip.mov"],
                    "effects": [["type": "music", "source": .string("\(scheme)://host/a.mp3")]],
                ])
            let result = try workshop.editor("--config", "cfg.json", "check")
            #expect(
                result.status == 65 && result.err.contains("\(scheme) is none of http, https, file"), "\(result.err)")
        }
        try workshop.ffmpeg(["-i", "tone.mp3", "a tone.wav"])
        let address = "file://" + workshop.path("a%20tone.wav")
        try workshop.write(config: [
            "assetArray": ["clip.mov"], "effects": [["type": "music", "source": .string(address)]],
        ])
        let result = try workshop.editor("--config", "cfg.json", "check")
        #expect(result.status == 0, "\(result.err)")
    }

    @Test func offeredMusicAndCoversAreFetched() throws {
        let (workshop, server) = try stage()
        try workshop.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", "cover.png"])
        try workshop.write(
            config: [
                "recommendMusicList": [
                    [
                        "musicTitle": "Far", "musicWebURL": .string(server.address("plain.mp3")),
                        "musicImageURL": .string(server.address("cover.png")),
                    ], ["musicTitle": "Here", "musicPathURL": "tone.mp3"],
                    [
                        "musicTitle": "Odd", "musicWebURL": .string(server.address("tone.mp3")),
                        "musicImageURL": .string(server.address("page.mp3")),
                    ],
                ]
            ])
        let before = try workshop.editor("--config", "cfg.json", "music", "list", "--json")
        #expect(before.status == 0, "\(before.err)")
        #expect(try before.json.string("0.music.state") == "web")
        #expect(try before.json.string("1.music.state") == "local")
        #expect(server.requests.isEmpty)
        let fetched = try workshop.editor("--config", "cfg.json", "music", "fetch", "--json", Self.permitted)
        #expect(fetched.status == 65, "\(fetched.err)")
        #expect(fetched.err.contains("page.mp3 gave a web page, not a picture"))
        for place in ["0.music", "0.cover", "2.music"] {
            #expect(try fetched.json.string("\(place).state") == "local")
            #expect(FileManager.default.fileExists(atPath: try #require(try fetched.json.string("\(place).path"))))
        }
        #expect(try fetched.json.string("2.cover.state") == "web")
        #expect(kept(workshop).count == 3)
        let freed = try workshop.editor("cache", "clear")
        #expect(freed.status == 0 && kept(workshop).isEmpty)
    }

    @Test func passwordsAreNotTold() throws {
        let (workshop, server) = try stage()
        let result = try check(workshop, "http://anna:secret@127.0.0.1:\(server.port)/missing.mp3")
        #expect(
            result.status == 66 && !result.err.contains("secret") && result.err.contains("127.0.0.1"), "\(result.err)")
    }
}
