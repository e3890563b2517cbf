import EditorCore
import Testing

@Suite("Config: values")
struct ConfigurationValueTests {
    private func read(_ text: String) throws -> Configuration {
        let (configuration, findings, _) = Configuration.read(
            try ConfigurationDocument(text, name: "cfg.json"), requiresClips: false)
        #expect(findings.isEmpty)
        return configuration
    }

    @Test("every default is SDVideoConfig's or SDVideoUtils'")
    func defaults() throws {
        let config = try read("{}")
        #expect(config == Configuration())
        #expect(config.durationType == .duration)
        #expect(config.maxVideoDuration == MediaTime(seconds: 15))
        #expect(config.audioURLType == .none)
        #expect(config.audioURL == nil && config.audioName == nil)
        #expect(config.videoFilePathType == .tmp)
        #expect(config.videoFileNamePrefix == "SD_Record_Video")
        #expect(config.mergeFilePathType == .caches)
        #expect(config.mergeFileName == nil && config.mergeFilePath == nil)
        #expect(config.tintColor.description == "fb1e4d")
        #expect(config.progressColor.description == "fbc835")
        #expect(config.menuDataArray.map(\.type) == [.turnOver, .flashlight, .countDown])
        #expect(config.devicePosition == .back)
        #expect(!config.isOpenFlashlight)
        #expect(config.maxVideoZoomFactor == 6)
        #expect(config.recommendMusicList.isEmpty && config.selectedMusic == nil)
        #expect(config.previewTagImageNameArray.isEmpty)
        let colors = """
            ffffff 010101 ff484e bd01cc 4e49cc 1b8cef 31d366 ffc62e ff8840 66c19d ffa29e a17d4d 005f84 1f4a33 858c93 2d2d2d
            """
        #expect(config.previewColorArray.map(\.description) == colors.split(separator: " ").map(String.init))
        #expect(config.originalVolume == 1 && config.bgAudioVolume == 0.5)
        #expect(config.renderSize == PixelSize(width: 1080, height: 1920))
        #expect(config.frameRate == Rational(30))
        #expect(config.videoGravity == .fitWidth)
        #expect(config.backgroundColor == .black)
        #expect(config.exportPreset == .mediumQuality)
        #expect(config.shouldOptimizeForNetworkUse)
        #expect(config.selectTimeRange == nil && config.outputFileType == nil && config.returnBlock == nil)
        #expect(config.effects.isEmpty && config.effectModules == nil)
        #expect(config.export.keyFrameInterval == MediaTime(seconds: 2))
        #expect(config.effectiveEffects.isEmpty)
    }

    @Test("a config that uses everything")
    func everything() throws {
        let config = try read(
            """
            { // one of each
              "assetArray": [
                "beach.mp4",
                { "path": "portrait.mov", "timeRange": { "start": 1.0, "duration": 3.5 }, "videoGravity": "resizeAspect",
                  "volume": "-6dB", "speed": 1.5, "reverse": true,
                  "transition": { "type": "wipe", "duration": 0.25, "easing": "easeIn", "angle": 45 },
                  "effects": [ { "type": "beauty", "smooth": 0.6 } ],
                  "audioStream": 1, "hold": 0.5, "mute": true },
                { "path": "photo.jpg", "duration": 2, "kenBurns": { "to": { "center": [0.2, 0.3], "zoom": 2 } } },
                { "path": "corner.mp4", "overlay": true, "center": [0.8, 0.2], "width": "120px",
                  "volume": [{ "time": 0, "value": 0 }, { "time": 1, "value": 1 }] },
              ],
              "selectTimeRange": { "start": 0.5, "end": 12 },
              "renderSize": "16:9", "frameRate": "30000/1001", "videoGravity": "resizeAspectBlur",
              "backgroundColor": "#11223344", "originalVolume": 0.8, "bgAudioVolume": 2,
              "effectModules": ["sticker", "modules/libGlow.so"],
              "effects": [ { "type": "sticker", "image": "star.png" } ],
              "exportPreset": "highestQuality",
              "export": { "videoCodec": "h264", "crf": 23.5, "preset": "veryfast", "audioCodec": "aac",
                "audioBitRate": 160000, "keyFrameInterval": 0.5, "pixelFormat": "yuv420p", "sampleRate": 44100,
                "videoBitRate": 4e6, "options": { "tune": "film", "bf": 2, "aq": 0.5, "on": true } },
              "outputFileType": "mov", "shouldOptimizeForNetworkUse": false,
              "mergeFilePathType": "documents", "mergeFilePath": "exports", "mergeFileName": "holiday.mov",
              "returnBlock": { "command": ["notify-send", "{path}"] },
              "menuDataArray": ["countDown", { "type": "flashlight", "normalTitle": "Light" }],
              "durationType": "audio", "devicePosition": "front", "isOpenFlashlight": true, "maxVideoZoomFactor": 2.5,
            }
            """)
        let clips = config.assetArray
        #expect(clips.map(\.path) == ["beach.mp4", "portrait.mov", "photo.jpg", "corner.mp4"])
        #expect(clips.map(\.pointer.description) == (0...3).map { "/assetArray/\($0)" })
        #expect(clips[0] == ClipConfiguration(path: "beach.mp4", pointer: JSONPointer(["assetArray", "0"])))
        #expect(
            clips[1].timeRange == TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(value: 7, timescale: 2)))
        #expect(clips[1].videoGravity == .resizeAspect)
        // −6 dB is a factor of 10^(−6/20).
        #expect(abs(clips[1].volume.value(at: 0) - 0.501187) < 1e-6)
        #expect(clips[1].speed == Rational(3, 2) && clips[1].reverse && clips[1].mute)
        #expect(clips[1].audioStream == 1 && clips[1].hold == MediaTime(value: 1, timescale: 2))
        let transition = try #require(clips[1].transition)
        #expect(transition.type == "wipe" && transition.easing == .easeIn)
        #expect(transition.duration == MediaTime(value: 1, timescale: 4))
        #expect(transition.value == ["angle": 45])
        #expect(transition.pointer.description == "/assetArray/1/transition")
        #expect(clips[1].effects.map(\.pointer.description) == ["/assetArray/1/effects/0"])
        #expect(clips[1].effects[0].value == ["type": "beauty", "smooth": 0.6])
        #expect(clips[2].duration == MediaTime(seconds: 2))
        #expect(clips[2].kenBurns?.from == KenBurns.Framing(zoom: 1))
        #expect(clips[2].kenBurns?.to == KenBurns.Framing(center: Point(0.2, 0.3), zoom: 2))
        #expect(
            clips[3].overlay && clips[3].center == Animated(Point(0.8, 0.2))
                && clips[3].width == Animated(Length(pixels: 120)))
        #expect(clips[3].volume.value(at: 0.5) == 0.5)
        #expect(config.selectTimeRange?.duration == MediaTime(value: 23, timescale: 2))
        #expect(config.renderSize == PixelSize(width: 1920, height: 1080))
        #expect(config.frameRate == Rational(30000, 1001))
        #expect(config.backgroundColor == Color(red: 0x11, green: 0x22, blue: 0x33, alpha: 0x44))
        #expect(config.originalVolume == 0.8 && config.bgAudioVolume == 2)
        #expect(config.effectModules == ["sticker", "modules/libGlow.so"])
        #expect(config.effects.map(\.type) == ["sticker"])
        #expect(config.export.crf == 23.5 && config.export.preset == "veryfast" && config.export.videoCodec == "h264")
        #expect(config.export.audioBitRate == 160_000 && config.export.videoBitRate == 4_000_000)
        #expect(
            config.export.keyFrameInterval == MediaTime(value: 1, timescale: 2) && config.export.sampleRate == 44_100)
        #expect(config.export.options == ["tune": "film", "bf": "2", "aq": "0.5", "on": "1"])
        #expect(config.outputFileType == .mov && !config.shouldOptimizeForNetworkUse)
        #expect(config.mergeFileName == "holiday.mov" && config.mergeFilePath == "exports")
        #expect(config.returnBlock?.command == ["notify-send", "{path}"])
        #expect(config.menuDataArray.map(\.type) == [.countDown, .flashlight])
        #expect(config.menuDataArray[1].normalTitle == "Light")
        #expect(config.maxVideoZoomFactor == 2.5)
    }

    @Test(
        "frame rates",
        arguments: [
            ("25", Rational(25)), ("29.97", Rational(30000, 1001)), ("23.976", Rational(24000, 1001)),
            ("59.94", Rational(60000, 1001)), ("12.5", Rational(25, 2)), ("\"24000/1001\"", Rational(24000, 1001)),
            ("\"14587/1000\"", Rational(14587, 1000)), ("24", Rational(24)),
            ("29.999999", Rational(29_999_999, 1_000_000)),
        ])
    func frameRate(text: String, rate: Rational) throws {
        #expect(try read("{frameRate: \(text)}").frameRate == rate)
    }

    @Test(
        "ratios by name",
        arguments: [
            ("9:16", 1080, 1920), ("16:9", 1920, 1080), ("1:1", 1080, 1080), ("4:5", 1080, 1350), ("3:4", 1080, 1440),
            ("4:3", 1440, 1080),
        ])
    func ratio(name: String, width: Int, height: Int) throws {
        #expect(try read("{renderSize: '\(name)'}").renderSize == PixelSize(width: width, height: height))
    }
}

@Suite("Config: music and stickers by name")
struct ConfigurationMusicTests {
    private func read(_ text: String) throws -> (Configuration, [Finding]) {
        let read = Configuration.read(try ConfigurationDocument(text, name: "cfg.json"), requiresClips: false)
        return (read.configuration, read.findings)
    }

    @Test("naming music plays it once")
    func impliedMusic() throws {
        let song = "audioURLType: 'local', audioURL: 'song.wav', audioName: 'Song'"
        let (implied, findings) = try read("{\(song), bgAudioVolume: 0.25, effects: [{type: 'text'}]}")
        #expect(findings.isEmpty)
        #expect(implied.effectiveEffects.map(\.type) == ["text", "music"])
        #expect(implied.effectiveEffects[1].pointer.description == "/audioURL")
        #expect(implied.effectDefaults == ["music": ["volume": 0.25, "source": "song.wav"]])

        for source in ["", ", source: 'song.wav'", ", source: 'Song'"] {
            let (named, _) = try read("{\(song), effects: [{type: 'music'\(source)}]}")
            #expect(named.effectiveEffects == named.effects)
        }
        // A voice-over is other music: the chosen one still plays.
        let (voice, _) = try read("{\(song), effects: [{type: 'music', source: 'voice.wav'}]}")
        #expect(voice.effectiveEffects.count == 2)
        #expect(try read("{}").0.effectDefaults == ["music": ["volume": 0.5]])
    }

    @Test("music is chosen by title or number")
    func selectedMusic() throws {
        let list =
            "recommendMusicList: [{musicTitle: 'Low', musicPathURL: 'x.wav', musicWebURL: 'https://a/x.mp3'}, {musicTitle: 'High', musicWebURL: 'https://a/y.mp3'}]"
        for choice in ["'High'", "1", "'1'"] {
            let (config, findings) = try read("{\(list), selectedMusic: \(choice)}")
            #expect(findings.isEmpty)
            #expect(config.chosenMusic == "https://a/y.mp3")
            #expect(config.effectiveEffects.map(\.pointer.description) == ["/selectedMusic"])
        }
        let (config, _) = try read("{\(list)}")
        #expect(
            config.musicAliases == ["Low": "x.wav", "High": "https://a/y.mp3", "0": "x.wav", "1": "https://a/y.mp3"])
        #expect(config.chosenMusic == nil && config.effectiveEffects.isEmpty)
        for (choice, hint) in [("'Hihg'", "High"), ("'nothing at all'", "Low, High"), ("2", "Low, High")] {
            let (_, findings) = try read("{\(list), selectedMusic: \(choice)}")
            #expect(findings.map(\.pointer.description) == ["/selectedMusic"])
            #expect(findings[0].sentence.contains(hint))
        }
        let (_, without) = try read("{recommendMusicList: [{musicTitle: 'A'}], selectedMusic: 'A'}")
        #expect(without.map(\.code) == ["config.selfCheck"])
    }

    @Test("the later choice wins, and that is said")
    func twoChoices() throws {
        let (config, findings) = try read(
            """
            {audioURLType: 'local', audioURL: 'a.wav', audioName: 'A', selectedMusic: 'B',
             recommendMusicList: [{musicTitle: 'B', musicPathURL: 'b.wav'}]}
            """)
        #expect(config.chosenMusic == "b.wav")
        #expect(findings.map(\.severity) == [.warning])
    }

    @Test("stickers by file name, with and without extension")
    func stickers() throws {
        let (config, _) = try read("{previewTagImageNameArray: ['stickers/red.png', 'red.gif', '.hidden']}")
        #expect(
            config.imageAliases == [
                "stickers/red.png": "stickers/red.png", "red.gif": "red.gif", ".hidden": ".hidden",
                "red.png": "stickers/red.png", "stickers/red": "stickers/red.png", "red": "red.gif",
            ])
    }
}
