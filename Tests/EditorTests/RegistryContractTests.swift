import EditorCore
import EditorKit
import EditorTestSupport
import Testing

/// The contract of effects, over everything that comes with the editor.
@Suite struct RegistryContractTests {
    /// What leaves everything as it is, by effect. A transition cannot.
    static let neutral: [String: JSONValue] = [
        "sticker": ["image": "a.png", "opacity": 0], "text": ["text": "Hello", "opacity": 0],
        "beauty": ["smooth": 0, "whiten": 0, "ruddy": 0, "sharpen": 0], "music": ["source": "a.wav", "volume": 0],
        "color": [:], "lut": ["file": "a.cube", "strength": 0], "look": ["name": "vivid", "strength": 0],
        "blur": ["radius": 0], "pixelate": ["size": 0], "chromaKey": ["similarity": 0, "spill": 0],
    ]

    @Test(arguments: try! EffectRegistry.standard().descriptors.map(\.id))
    func everyEffectKeepsTheContract(id: String) throws {
        let effect = try #require(try EffectRegistry.standard()[id])
        if effect.kind != .transition { #expect(Self.neutral[id] != nil, "say what leaves everything as it is") }
        #expect(EffectContract.failures(of: effect, neutral: Self.neutral[id]) == [])
    }

    @Test func theBuiltInModulesAreThere() throws {
        let registry = try EffectRegistry.standard()
        for module in ["sticker", "text", "beauty", "color", "music"] { #expect(registry.modules.contains(module)) }
    }

    /// Neither a module's name nor an effect's id may be taken twice.
    @Test func namesAreTakenOnce() throws {
        enum Impostor: EffectModule {
            static let name = "impostor"
            static var effects: [EffectDescriptor] { [.overlay(Sticker.self)] }
        }
        enum Again: EffectModule {
            static let name = "beauty"
            static var effects: [EffectDescriptor] { [] }
        }
        let error = try #require(throws: EditorError.self) { try EffectRegistry.standard(adding: [Impostor.self]) }
        #expect(error.message.contains("impostor") && error.message.contains("sticker"))
        #expect(throws: EditorError.self) { try EffectRegistry.standard(adding: [Again.self]) }
    }

    private struct Nothing: ParameterSet {
        static let specs: [ParameterSpec<Self>] = []
    }

    private final class Sticker: OverlayEffect {
        typealias Parameters = Nothing
        static let id = "sticker"
        static let summary = "Another sticker."
        init(_ parameters: Nothing, context: EffectContext) {}
        func overlay(at time: EffectTime) -> Overlay? { nil }
    }
}
