import EditorCapture
import EditorRecording
import Testing

/// Pictures on their grid.
@Suite struct FrameGridTests {
    private func place(_ seconds: [Double], rate: Double = 30) -> (held: [Int], surplus: Int, next: Int) {
        let start = MonotonicTime(nanoseconds: 5_000_000_000)
        var grid = FrameGrid(rate: rate, start: start)
        var (held, surplus) = ([Int](), 0)
        for time in seconds {
            switch grid.place(start + time) {
            case .next(let count): held.append(count)
            case .surplus: surplus += 1
            }
        }
        return (held, surplus, grid.next)
    }

    @Test func steadyPicturesTakeOnePlaceEach() {
        let result = place((0..<300).map { (index: Int) -> Double in Double(index) / 30 })
        #expect(result.held.allSatisfy { $0 == 0 } && result.surplus == 0 && result.next == 300)
    }

    /// Stamps that jitter by half a picture neither hold nor drop one.
    @Test func jitterDoesNoHarm() {
        let jitter = [0, 0.015, -0.015]
        let result = place((0..<300).map { (index: Int) -> Double in Double(index) / 30 + jitter[index % 3] })
        #expect(result.held.allSatisfy { $0 == 0 } && result.surplus == 0 && result.next == 300)
    }

    /// Three pictures are missing: the one before is held three times, and what follows is at its right time.
    @Test func aGapIsHeld() {
        let result = place([0, 1, 2, 6, 7].map { $0 / 30 })
        #expect(result.held == [0, 0, 0, 3, 0] && result.next == 8)
    }

    /// A camera of 29.97 on a grid of 30 holds a picture each 1001.
    @Test func aSlowCameraIsHeldNowAndThen() {
        let result = place((0..<6000).map { (index: Int) -> Double in Double(index) * 1001 / 30000 })
        #expect((5...6).contains(result.held.reduce(0, +)) && result.surplus == 0)
        #expect(abs(result.next - 6006) <= 1)
    }

    /// A camera of 60 on a grid of 30 gives every other picture.
    @Test func aFastCameraIsThinned() {
        let result = place((0..<600).map { (index: Int) -> Double in Double(index) / 60 })
        #expect(result.held.allSatisfy { $0 == 0 } && abs(result.surplus - 300) <= 1 && abs(result.next - 300) <= 1)
    }
}
