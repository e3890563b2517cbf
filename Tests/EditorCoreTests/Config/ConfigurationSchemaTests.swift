import EditorCore
import Foundation
import Testing

@Suite("Config: schema")
struct ConfigurationSchemaTests {
    private func schema() throws -> JSONValue {
        var registry = EffectRegistry()
        try registry.register(SampleModule.self)
        return ConfigurationSchema.schema(registry: registry)
    }

    @Test("the schema's keys are the keys that are accepted")
    func keys() throws {
        guard case .object(let properties)? = try schema()["properties"] else {
            Issue.record("no properties")
            return
        }
        let named = """
            assetArray selectTimeRange renderSize frameRate videoGravity backgroundColor originalVolume bgAudioVolume audioURLType
            audioURL audioName recommendMusicList selectedMusic previewTagImageNameArray previewColorArray effectModules effects
            exportPreset export outputFileType shouldOptimizeForNetworkUse mergeFilePathType mergeFilePath mergeFileName returnBlock
            durationType maxVideoDuration videoFilePathType videoFileNamePrefix tintColor progressColor menuDataArray devicePosition
            isOpenFlashlight maxVideoZoomFactor returnViewController moreMusicViewController finishBlock loudness cutTo cutLimit
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(Set(properties.keys) == Set(named))
        let document = ConfigurationDocument(.object(properties.mapValues { _ in .null }), name: "cfg.json")
        let findings = Configuration.read(document, requiresClips: false).findings
        #expect(!findings.contains { $0.code == "config.unknownKey" })
        #expect(properties.values.allSatisfy { $0["description"] != nil })
        #expect(try schema()["additionalProperties"] == false)
        #expect(try schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("effects and transitions are told apart by type")
    func effects() throws {
        let definitions = try #require(try schema()["$defs"])
        guard case .array(let effects)? = definitions["effect"]?["oneOf"],
            case .array(let transitions)? = definitions["transition"]?["oneOf"]
        else {
            Issue.record("no choice")
            return
        }
        #expect(effects.map { $0["properties"]?["type"] } == [["const": "sample"]])
        #expect(effects[0]["required"] == ["type", "label"])
        #expect(effects[0]["properties"]?["timeRange"] != nil)
        #expect(transitions.map { $0["properties"]?["type"] } == [["const": "sampleFade"]])
        #expect(transitions[0]["properties"]?["duration"]?["maximum"] == 30)
        #expect(ConfigurationSchema.schema(registry: EffectRegistry())["$defs"]?["effect"] == ["not": [:]])
    }

    /// Whether Python's jsonschema is there to judge.
    private static let hasValidator = (try? run(["-c", "import jsonschema"], input: "")) == 0

    private static func run(_ arguments: [String], input: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("an independent validator finds the schema valid and judges as we do", .enabled(if: hasValidator))
    func validator() throws {
        let good: [JSONValue] = [
            [:],
            [
                "assetArray": [
                    "a.mp4",
                    ["path": "b.mp4", "transition": ["type": "sampleFade", "duration": 1, "easing": "linear"]],
                ]
            ],
            [
                "effects": [["type": "sample", "label": "x", "amount": [["time": 0, "value": 1]]]],
                "frameRate": "30000/1001",
            ],
            [
                "renderSize": "1:1", "selectedMusic": 2, "originalVolume": "-6dB", "mergeFileName": nil,
                "finishBlock": 1,
            ],
            [
                "renderSize": ["width": 160, "height": 120], "selectTimeRange": ["start": 0, "end": 2],
                "export": ["options": ["a": 1]],
            ],
            [
                "menuDataArray": ["turnOver", ["type": "flashlight"]], "returnBlock": ["command": ["ls"]],
                "previewColorArray": ["ffffff"],
            ],
        ]
        let bad: [JSONValue] = [
            ["x": 1], ["assetArray": [["duration": 1]]], ["assetArray": [""]], ["effects": [["type": "other"]]],
            ["effects": [["type": "sample"]]], ["effects": [["type": "sample", "label": "x", "amount": 2]]],
            ["frameRate": 0],
            ["renderSize": ["width": 161, "height": 120]], ["renderSize": "big"], ["export": ["crf": 99]],
            ["assetArray": [["path": "a", "transition": ["type": "sampleFade", "duration": 31]]]],
            ["backgroundColor": "red"],
            ["originalVolume": 3], ["returnBlock": [:]], ["videoGravity": "fit"],
        ]
        var registry = EffectRegistry()
        try registry.register(SampleModule.self)
        let script = """
            import json, sys, jsonschema
            data = json.load(sys.stdin)
            V = jsonschema.Draft202012Validator
            V.check_schema(data["schema"])
            v = V(data["schema"])
            sys.exit(any(not v.is_valid(d) for d in data["good"]) * 1 + any(v.is_valid(d) for d in data["bad"]) * 2)
            """
        let input: JSONValue = ["schema": try schema(), "good": .array(good), "bad": .array(bad)]
        #expect(try Self.run(["-c", script], input: input.text()) == 0)
        for value in good {
            let read = Configuration.read(ConfigurationDocument(value, name: ""), requiresClips: false)
            #expect(!read.findings.contains { $0.severity == .error && $0.pointer.tokens != ["selectedMusic"] })
        }
    }
}

/// An effect and a transition that do nothing.
enum SampleModule: EffectModule {
    static let name = "sample"
    static let effects: [EffectDescriptor] = [.overlay(SampleEffect.self), .transition(SampleFade.self)]
}

final class SampleEffect: OverlayEffect {
    struct Parameters: ParameterSet {
        var label = ""
        var amount: AnimatedNumber = 0.5

        static let specs: [ParameterSpec<Self>] = [
            .init("label", \.label, .string, required: true, help: "A word."),
            .init("amount", \.amount, ParameterType<Double>.number(in: 0...1).animated(), help: "How much."),
        ]
    }

    static let id = "sample"
    static let summary = "Shows nothing."

    init(_ parameters: Parameters, context: EffectContext) throws {}
    func overlay(at time: EffectTime) throws -> Overlay? { nil }
}

final class SampleFade: TransitionEffect {
    struct Parameters: ParameterSet {
        static let specs: [ParameterSpec<Self>] = []
    }

    static let id = "sampleFade"
    static let summary = "Leads nowhere."

    init(_ parameters: Parameters, context: EffectContext) throws {}
    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) throws {}
}
