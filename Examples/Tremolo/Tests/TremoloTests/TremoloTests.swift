import EditorCore
import EditorTestSupport
import Testing
import Tremolo

@Suite struct TremoloTests {
    @Test func keepsTheContract() {
        #expect(EffectContract.failures(of: .audio(Tremolo.self), neutral: ["depth": 0]) == [])
    }
}
