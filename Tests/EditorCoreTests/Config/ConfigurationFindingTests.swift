import EditorCore
import Testing

@Suite("Config: findings")
struct ConfigurationFindingTests {
    /// A config with one bad member beside good ones, and the words its findings must hold.
    struct Bad: Sendable, CustomTestStringConvertible {
        var member: String
        var pointer: String
        var words: [String]

        init(_ member: String, at pointer: String, says words: String...) {
            (self.member, self.pointer, self.words) = (member, pointer, words)
        }

        var testDescription: String { member }
    }

    private static func findings(_ text: String, requiresClips: Bool = true) throws -> [Finding] {
        Configuration.read(try ConfigurationDocument(text, name: "cfg.json"), requiresClips: requiresClips).findings
    }

    static let unknown = [
        Bad("renderSise: {width: 160, height: 120}", at: "/renderSise", says: "renderSize"),
        Bad("videoGravty: 'resize'", at: "/videoGravty", says: "videoGravity"),
        Bad("frameRte: 30", at: "/frameRte", says: "frameRate"),
        Bad("bgAudioVolum: 0.5", at: "/bgAudioVolum", says: "bgAudioVolume"),
        Bad("export: {presett: 'veryfast'}", at: "/export/presett", says: "preset"),
        Bad("videoGravity: 'resizeAspct'", at: "/videoGravity", says: "resizeAspect"),
        Bad("exportPreset: 'mediumQualty'", at: "/exportPreset", says: "mediumQuality"),
        Bad("selectTimeRange: {strat: 0, duration: 0.2}", at: "/selectTimeRange/strat", says: "start"),
        Bad("renderSize: {widht: 160, width: 160, height: 120}", at: "/renderSize/widht", says: "width"),
        Bad("devicePosition: 'bakc'", at: "/devicePosition", says: "back"),
        Bad("menuDataArray: ['flashligt']", at: "/menuDataArray/0", says: "flashlight"),
    ]

    static let outOfRange = [
        Bad("originalVolume: -0.5", at: "/originalVolume", says: "originalVolume"),
        Bad("originalVolume: '7dB'", at: "/originalVolume", says: "originalVolume", "0 to 2"),
        Bad("originalVolume: 'inf dB'", at: "/originalVolume", says: "originalVolume"),
        Bad("bgAudioVolume: -1", at: "/bgAudioVolume", says: "bgAudioVolume"),
        Bad("frameRate: 0", at: "/frameRate", says: "frameRate"),
        Bad("frameRate: -30", at: "/frameRate", says: "frameRate"),
        Bad("frameRate: 1e300", at: "/frameRate", says: "frameRate"),
        Bad("frameRate: '30/0'", at: "/frameRate", says: "frameRate"),
        Bad("frameRate: '9223372036854775807/9223372036854775806'", at: "/frameRate", says: "frameRate"),
        Bad("frameRate: '-30/1'", at: "/frameRate", says: "frameRate"),
        Bad("frameRate: 'fast'", at: "/frameRate", says: "frameRate"),
        Bad("selectTimeRange: {start: -1, duration: 0.2}", at: "/selectTimeRange/start", says: "start"),
        Bad("selectTimeRange: {start: 0.1, duration: -2}", at: "/selectTimeRange/duration", says: "duration"),
        Bad("selectTimeRange: {start: 0.4, end: 0.2}", at: "/selectTimeRange", says: "selectTimeRange"),
        Bad("export: {crf: 99}", at: "/export/crf", says: "crf", "0 to 63"),
        Bad("export: {keyFrameInterval: 0}", at: "/export/keyFrameInterval", says: "0.1 to 30"),
        Bad("export: {options: {a: []}}", at: "/export/options/a", says: "string"),
        Bad("backgroundColor: 'nocolour'", at: "/backgroundColor", says: "backgroundColor"),
        Bad("maxVideoZoomFactor: 60", at: "/maxVideoZoomFactor", says: "maxVideoZoomFactor"),
        Bad("mergeFileName: 'a/b.mp4'", at: "/mergeFileName", says: "mergeFilePath"),
        Bad("mergeFileName: '..'", at: "/mergeFileName", says: "mergeFileName"),
        Bad("mergeFilePath: 'a\\u0000b'", at: "/mergeFilePath", says: "mergeFilePath"),
        Bad("returnBlock: {command: []}", at: "/returnBlock/command", says: "command"),
        Bad("returnBlock: {}", at: "/returnBlock", says: "command"),
        Bad("menuDataArray: [{normalTitle: 'x'}]", at: "/menuDataArray/0", says: "type"),
        Bad(
            "recommendMusicList: [{musicWebURL: 'ftp://x/y'}]", at: "/recommendMusicList/0/musicWebURL",
            says: "https://"),
    ]

    static let wrongTypes = [
        Bad("videoGravity: 7", at: "/videoGravity", says: "videoGravity", "a number"),
        Bad("effects: {type: 'sticker'}", at: "/effects", says: "effects", "a list"),
        Bad("effects: [1]", at: "/effects/0", says: "effects[0]", "a number"),
        Bad(
            "previewTagImageNameArray: ['']", at: "/previewTagImageNameArray/0",
            says: "previewTagImageNameArray[0] is empty"),
        Bad("effects: [{typ: 'text'}]", at: "/effects/0", says: "type"),
        Bad("effects: [{type: 5}]", at: "/effects/0/type", says: "type"),
        Bad("effects: [{type: ''}]", at: "/effects/0/type", says: "type"),
        Bad("originalVolume: 'loud'", at: "/originalVolume", says: "originalVolume", "-6dB"),
        Bad("backgroundColor: 0", at: "/backgroundColor", says: "backgroundColor"),
        Bad("selectTimeRange: [0, 1]", at: "/selectTimeRange", says: "selectTimeRange"),
        Bad("export: 'fast'", at: "/export", says: "export"),
        Bad(
            "shouldOptimizeForNetworkUse: 'yes'", at: "/shouldOptimizeForNetworkUse",
            says: "shouldOptimizeForNetworkUse"),
        Bad("selectedMusic: true", at: "/selectedMusic", says: "selectedMusic"),
        Bad("frameRate: null", at: "/frameRate", says: "frameRate"),
    ]

    static let canvases = [
        Bad("renderSize: {width: 0, height: 120}", at: "/renderSize/width", says: "width"),
        Bad("renderSize: {width: -160, height: 120}", at: "/renderSize/width", says: "width"),
        Bad("renderSize: {width: 1e300, height: 120}", at: "/renderSize/width", says: "width"),
        Bad("renderSize: {width: 9223372036854775808, height: 120}", at: "/renderSize/width", says: "width"),
        Bad("renderSize: {width: 160.5, height: 120}", at: "/renderSize/width", says: "width"),
        Bad("renderSize: {width: '160', height: 120}", at: "/renderSize/width", says: "width"),
        Bad("renderSize: {width: 160}", at: "/renderSize", says: "renderSize", "height"),
        Bad("renderSize: {width: 8192, height: 8192}", at: "/renderSize", says: "8192×8192"),
        Bad("renderSize: {width: 161, height: 121}", at: "/renderSize", says: "160×120", "162×122"),
        Bad("renderSize: {width: 160, height: 8191}", at: "/renderSize", says: "160×8190", "160×8192"),
        Bad("renderSize: 'big'", at: "/renderSize", says: "renderSize", "9:16"),
    ]

    static let music = [
        Bad("audioURL: 'song.wav', audioName: 'Song'", at: "/audioURL", says: "audioURLType", "local"),
        Bad("audioURL: 'song.wav', audioURLType: 'none', audioName: 'Song'", at: "/audioURL", says: "audioURLType"),
        Bad("audioURL: 'song.wav', audioURLType: 'local'", at: "/audioURL", says: "audioName"),
        Bad("audioURL: 'song.wav', audioURLType: 'locl', audioName: 'Song'", at: "/audioURLType", says: "local"),
        Bad("audioURL: 'song.wav', audioURLType: 'web', audioName: 'Song'", at: "/audioURL", says: "https://"),
        Bad("audioURL: 'HTTP://a/b', audioURLType: 'local', audioName: 'Song'", at: "/audioURL", says: "web"),
        Bad("selectedMusic: 'A'", at: "/selectedMusic", says: "A"),
    ]

    @Test("one bad member is one error at its place", arguments: unknown + outOfRange + wrongTypes + canvases + music)
    func oneError(bad: Bad) throws {
        let findings = try Self.findings("{assetArray: ['a.mp4'], \(bad.member)}")
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.severity == .error)
        #expect(finding.pointer.description == bad.pointer)
        for word in bad.words { #expect(finding.sentence.contains(word)) }
    }

    static let clips = [
        Bad("volum: 0.5", at: "volum", says: "volume"),
        Bad("timerange: {start: 0, duration: 0.2}", at: "timerange", says: "timeRange"),
        Bad("sped: 2", at: "sped", says: "speed"),
        Bad("transition: {type: 'crossDissolve', duration: -1}", at: "transition/duration", says: "duration"),
        Bad("transition: {type: 'crossDissolve', duration: 31}", at: "transition/duration", says: "duration"),
        Bad("transition: {duration: 1}", at: "transition", says: "type", "crossDissolve"),
        Bad("transition: 'crossDissolve'", at: "transition", says: "transition"),
        Bad("volume: -1", at: "volume", says: "volume"),
        Bad("volume: [{time: 0, value: 3}]", at: "volume/0/value", says: "3"),
        Bad("speed: 0", at: "speed", says: "speed"),
        Bad("speed: -2", at: "speed", says: "speed"),
        Bad("timeRange: {start: 0.3, end: 0.1}", at: "timeRange", says: "timeRange"),
        Bad("timeRange: {start: 0, duration: 0}", at: "timeRange", says: "timeRange"),
        Bad("duration: 0", at: "duration", says: "duration"),
        Bad("kenBurns: {to: {zoom: 0.5}}", at: "kenBurns/to/zoom", says: "1 to 10"),
    ]

    @Test("one bad member of a clip is one error at its place", arguments: clips)
    func oneClipError(bad: Bad) throws {
        let findings = try Self.findings("{assetArray: [{path: 'a.mp4', \(bad.member)}]}")
        #expect(findings.map(\.pointer.description) == ["/assetArray/0/" + bad.pointer])
        for word in bad.words { #expect(findings[0].sentence.contains(word)) }
    }

    @Test("every problem at once")
    func everyProblem() throws {
        let findings = try Self.findings(
            """
            {"assetArray": ["", 5, {"path": "a.mp4", "volume": -1, "effects": [{}]}, {"duration": 1}],
             "renderSize": {"width": "wide", "heigth": 120}, "frameRate": 0, "effects": [null, {"type": "text"}, {}], "x": 1}
            """)
        #expect(
            findings.map(\.pointer.description) == [
                "/assetArray/0", "/assetArray/1", "/assetArray/2/volume", "/assetArray/2/effects/0", "/assetArray/3",
                "/renderSize/heigth", "/renderSize/width", "/renderSize", "/frameRate", "/effects/0", "/effects/2",
                "/x",
            ])
        #expect(findings.allSatisfy { $0.severity == .error })
    }

    @Test("what is good among the bad is kept for later checks")
    func partial() throws {
        let document = try ConfigurationDocument(
            "{assetArray: [5, {path: 'a.mp4', speed: 0}], effects: [1, {type: 'text'}]}", name: "cfg.json")
        let (configuration, _, _) = Configuration.read(document, requiresClips: true)
        #expect(configuration.assetArray.map(\.pointer.description) == ["/assetArray/1"])
        #expect(configuration.effects.map(\.pointer.description) == ["/effects/1"])
    }

    @Test("clips are needed to render", arguments: ["{}", "{assetArray: []}", "{assetArray: {'0': 'a.mp4'}}"])
    func clipsAreNeeded(text: String) throws {
        let findings = try Self.findings(text)
        #expect(findings.map(\.pointer.description) == ["/assetArray"])
        #expect(findings[0].sentence.contains("assetArray"))
    }

    @Test("clips are not needed to record")
    func clipsAreNotNeeded() throws {
        #expect(try Self.findings("{}", requiresClips: false).isEmpty)
        #expect(try Self.findings("{assetArray: []}", requiresClips: false).isEmpty)
    }

    @Test("what only an iOS interface has is a warning")
    func interfaceOnly() throws {
        let findings = try Self.findings(
            """
            {assetArray: ['a.mp4'], returnViewController: 'Main', moreMusicViewController: {a: 1}, finishBlock: null,
             mergeFileName: null}
            """)
        #expect(findings.map(\.severity) == [.warning, .warning])
        #expect(findings.map(\.code) == ["config.noMeaning", "config.noMeaning"])
        #expect(findings.map(\.pointer.description) == ["/returnViewController", "/moreMusicViewController"])
        #expect(findings.allSatisfy { $0.message.contains($0.pointer.tokens[0]) })
    }

    @Test("what only a recording needs is told once, by what renders")
    func recordingOnly() throws {
        let text = "{assetArray: ['a.mp4'], maxVideoDuration: 15, devicePosition: 'back', progressColor: 'ff0000'}"
        let findings = try Self.findings(text)
        #expect(findings.map(\.severity) == [.warning] && findings.map(\.code) == ["config.noMeaning"])
        #expect(findings[0].message.contains("maxVideoDuration, devicePosition have a meaning for recordings only"))
        #expect(try Self.findings(text, requiresClips: false).isEmpty)
    }
}
