import EditorCore
import EditorTestSupport
import Testing

@testable import ColorEffects

@Suite("the colour module's effects as effects")
struct ColorContractTests {
    static let sizes = [(1, 1), (2, 1), (1, 3), (3, 2), (17, 5), (64, 66), (131, 77)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    @Test("strengths of 0 are the identity, to the byte, and say so")
    func neutral() throws {
        let frame = SyntheticFrames.noise(PixelSize(width: 33, height: 21))
        let texts = ["a.cube": "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n"]
        func check<E: VideoEffect>(_ type: E.Type, _ json: JSONValue) throws {
            let effect = try E(ColorStage.parameters(json), context: ColorStage.context(frame.size, texts))
            #expect(effect.isIdentity(at: ColorStage.time()), "\(E.id)")
            var result = frame
            try effect.process(&result, at: ColorStage.time())
            #expect(result.isSamePicture(as: frame), "\(E.id)")
        }
        try check(ColorAdjustment.self, [:])
        try check(LookUpTable.self, ["file": "a.cube", "strength": 0])
        try check(Look.self, ["name": "noir", "strength": 0])
        try check(Blur.self, ["radius": 0])
        try check(Blur.self, ["region": ["width": 0]])
        try check(Pixelate.self, ["size": 0])
        try check(Pixelate.self, ["region": ["center": [4, 4]]])
        try check(ChromaKey.self, ["similarity": 0, "spill": 0])
    }

    @Test("curves that overshoot stay within the range of their parameter")
    func overshoot() throws {
        let frame = SyntheticFrames.noise(PixelSize(width: 33, height: 21))
        let over: JSONValue = [
            ["time": 0, "value": 0], ["time": 1, "value": 1, "easing": "easeOutBack"], ["time": 2, "value": 0],
        ]
        for (moving, full) in [
            (["name": "rose", "strength": over], ["name": "rose"]),
            (["name": "noir", "strength": over], ["name": "noir"]),
        ] as [(JSONValue, JSONValue)] {
            // The keyframe's own instant, and three of the way down, of which the last lies below 0.
            for index in [30, 33, 36, 45] {
                let one = try ColorStage.treated(frame, Look.self, moving, at: index)
                if index == 30 {
                    let whole = try ColorStage.treated(frame, Look.self, full)
                    #expect(SyntheticFrames.areEqual(one, whole))
                }
            }
        }
        let beyond = ColorStage.parameters(
            ["exposure": [["time": 0, "value": 4, "easing": "easeInBack"], ["time": 1, "value": -4]]],
            as: ColorParameters.self)
        for index in 0..<30 {
            let values = ColorValues(beyond, at: Double(index) / 30)
            #expect((-4...4).contains(values.exposure))
        }
    }

    @Test(
        "every size works, and one instance takes pictures of several sizes",
        arguments: ["look", "color", "blur", "pixelate"])
    func sizes(_ id: String) throws {
        for size in Self.sizes {
            let frame = SyntheticFrames.noise(size, seed: UInt64(size.width))
            func check<E: VideoEffect>(_ type: E.Type, _ json: JSONValue) throws {
                let alone = try ColorStage.treated(frame, E.self, json)
                #expect(alone.size == size)
                // An instance that has seen a larger and a smaller picture before; lengths are the canvas' own.
                let effect = try E(ColorStage.parameters(json), context: ColorStage.context(size))
                for other in [PixelSize(width: 140, height: 90), PixelSize(width: 2, height: 2)] {
                    var before = SyntheticFrames.noise(other)
                    try effect.process(&before, at: ColorStage.time())
                }
                var again = frame
                try effect.process(&again, at: ColorStage.time())
                #expect(SyntheticFrames.areEqual(again, alone), "\(E.id) at \(size)")
            }
            switch id {
            case "look": try check(Look.self, ["name": "tealOrange"])
            case "color": try check(ColorAdjustment.self, ["exposure": 0.5, "tint": 0.3, "vignette": 1])
            case "blur": try check(Blur.self, ["radius": "5px"])
            default: try check(Pixelate.self, ["size": "6px"])
            }
        }
    }

    @Test("wrong parameters are findings with their places")
    func parameters() {
        func codes<P: ParameterSet>(_ type: P.Type, _ json: JSONValue) -> [String] {
            var reading = ParameterReading()
            _ = P.read(json, at: JSONPointer(), into: &reading)
            return reading.findings.map { "\($0.pointer) \($0.code)" }
        }
        #expect(
            codes(ColorParameters.self, ["exposure": 5, "vignette": -1]) == [
                "/exposure config.range", "/vignette config.range",
            ])
        #expect(codes(Look.Parameters.self, ["name": "gold"]) == ["/name config.choice"])
        #expect(codes(Look.Parameters.self, [:]) == [" config.missing"])
        #expect(codes(LookUpTable.Parameters.self, [:]) == [" config.missing"])
        #expect(codes(Blur.Parameters.self, ["region": ["shape": "star"]]) == ["/region/shape config.choice"])
        #expect(codes(ChromaKey.Parameters.self, ["color": "808080"]) == ["/color chromaKey.grey"])
    }
}
