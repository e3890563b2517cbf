import EditorCore
import EditorTestSupport
import Testing
import WatermarkClock

@Suite struct WatermarkClockTests {
    @Test func keepsTheContract() {
        #expect(EffectContract.failures(of: .overlay(WatermarkClock.self), neutral: ["opacity": 0]) == [])
    }
}
