import EditorCore
import EditorTestSupport
import Iris
import Testing

@Suite struct IrisTests {
    @Test func keepsTheContract() {
        #expect(EffectContract.failures(of: .transition(Iris.self)) == [])
    }
}
