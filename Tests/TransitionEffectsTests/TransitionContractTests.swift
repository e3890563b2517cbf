import EditorCore
import EditorTestSupport
import Testing

@testable import TransitionEffects

@Suite struct TransitionContractTests {
    @Test func everyTransitionKeepsTheContract() throws {
        var registry = EffectRegistry()
        try registry.register(TransitionModule.self)
        #expect(registry.descriptors(of: .transition).count == 7)
        #expect(EffectContract.failures(of: registry) == [])
    }

    @Test(arguments: ["left", "right", "up", "down"])
    func everyDirectionKeepsTheContract(direction: String) {
        let entry: JSONValue = ["direction": .string(direction)]
        #expect(EffectContract.failures(of: .transition(Slide.self), parameters: entry) == [])
        #expect(EffectContract.failures(of: .transition(Push.self), parameters: entry) == [])
        #expect(EffectContract.failures(of: .transition(Wipe.self), parameters: entry) == [])
    }

    @Test(
        arguments: [
            ["center": [0, 0], "softness": 1], ["center": [-3, 7]], ["center": [0.5, 1], "softness": 0.5],
        ] as [JSONValue])
    func circlesAnywhereKeepTheContract(entry: JSONValue) {
        #expect(EffectContract.failures(of: .transition(Circle.self), parameters: entry) == [])
    }

    @Test(
        arguments: [
            ("circle", ["softness": 2], "softness"), ("slide", ["direction": "sideways"], "left, right, up, down"),
            ("zoom", ["scale": 0.5], "scale"), ("fadeThroughColor", ["color": "red"], "color"),
            ("crossDissolve", ["color": "ff0000"], "color"),
        ] as [(String, JSONValue, String)])
    func wrongParametersAreNamed(id: String, entry: JSONValue, word: String) throws {
        var registry = EffectRegistry()
        try registry.register(TransitionModule.self)
        var reading = ParameterReading()
        _ = registry[id]?.prepare(entry, JSONPointer(), &reading)
        #expect(reading.findings.count == 1)
        #expect(reading.findings.first?.message.contains(word) == true)
    }
}
