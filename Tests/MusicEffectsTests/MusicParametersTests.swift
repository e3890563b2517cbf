import EditorCore
import EditorTestSupport
import MusicEffects
import Testing

@Suite struct MusicParametersTests {
    private func read(_ config: JSONValue) -> (MusicParameters?, ParameterReading) {
        var reading = ParameterReading()
        let parameters = MusicParameters.read(config, at: JSONPointer(["effects"]).appending(0), into: &reading)
        return (parameters, reading)
    }

    @Test func defaults() throws {
        let (read, reading) = read(["source": "song.mp3"])
        let parameters = try #require(read)
        #expect(reading.findings.isEmpty)
        #expect(parameters.volume == 0.5)
        #expect(parameters.loop == .forever)
        #expect(parameters.fadeOut == nil && parameters.duck == nil && parameters.loudness == nil)
        #expect(reading.assets.map(\.path) == ["song.mp3"])
        #expect(reading.assets.map(\.kind) == [.audio])
        #expect(reading.assets.map(\.pointer.description) == ["/effects/0/source"])
    }

    @Test func aNumberStandsForAnEntryOfTheList() {
        let (parameters, reading) = read(["source": 2])
        #expect(parameters?.source.path == "2")
        #expect(reading.assets.map(\.path) == ["2"])
    }

    @Test func loopsAndDucks() {
        #expect(read(["source": "a", "loop": false]).0?.loop == .times(1))
        #expect(read(["source": "a", "loop": 3]).0?.loop == .times(3))
        #expect(read(["source": "a", "duck": true]).0?.duck == DuckingParameters())
        #expect(read(["source": "a", "duck": false]).0?.duck == nil)
        #expect(read(["source": "a", "duck": ["attenuation": -6]]).0?.duck?.attenuation == -6)
        #expect(read(["source": "a", "duck": ["attenuation": -6]]).0?.duck?.fadeIn == 1500)
    }

    @Test(
        arguments: [
            ([:], "source is missing", ""), (["source": true], "source must be", "/source"),
            (["source": 1.5], "source must be", "/source"), (["source": ""], "source is empty", "/source"),
            (["source": "a", "volume": 3], "volume 3 is outside 0 to 2", "/volume"),
            (["source": "a", "volume": "loud"], "volume \"loud\" is no gain", "/volume"),
            (["source": "a", "volume": [["time": 0, "value": 9]]], "value 9 is outside", "/volume/0/value"),
            (["source": "a", "loop": 0], "loop 0 is outside", "/loop"),
            (["source": "a", "loop": "yes"], "loop must be", "/loop"),
            (["source": "a", "start": -1], "start -1 is outside", "/start"),
            (["source": "a", "duck": 12], "duck must be", "/duck"),
            (["source": "a", "duck": ["attenuation": 12]], "attenuation 12 is outside", "/duck/attenuation"),
            (["source": "a", "duck": ["treshold": -12]], "unknown key \"treshold\"", "/duck/treshold"),
            (["source": "a", "fadeCurve": "log"], "fadeCurve \"log\" is none of", "/fadeCurve"),
            (["source": "a", "loudness": -3], "loudness -3 is outside", "/loudness"),
            (["source": "a", "fade": 1], "unknown key \"fade\"", "/fade"),
        ] as [(JSONValue, String, String)])
    func mistakesAreSaidWhereTheyStand(config: JSONValue, message: String, place: String) {
        let findings = read(config).1.findings
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains(message) == true, "\(findings)")
        #expect(findings.first?.pointer.description == "/effects/0" + place)
    }

    @Test func theModuleRegisters() throws {
        var registry = EffectRegistry()
        try registry.register(MusicModule.self)
        let music = try #require(registry["music"])
        #expect(music.kind == .audio && music.module == "music")
        #expect(music.parameters.allSatisfy { !$0.help.isEmpty })
        #expect(music.parameters.first { $0.name == "volume" }?.isAnimatable == true)
        #expect(music.parameters.first { $0.name == "volume" }?.defaultValue == 0.5)
        let (_, reading) = read(music.example)
        #expect(reading.findings.isEmpty)
    }
}
