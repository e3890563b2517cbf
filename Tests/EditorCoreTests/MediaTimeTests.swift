import EditorCore
import Testing

@Suite struct MediaTimeTests {
    @Test func decimalsAreExact() throws {
        let tenth = try #require(MediaTime(decimal: 0.1))
        #expect((0..<10).reduce(MediaTime.zero) { sum, _ in sum + tenth } == MediaTime(seconds: 1))
    }

    @Test func roundingIsNamed() {
        let time = MediaTime(value: 5, timescale: 2)
        #expect(time.ticksRounded(per: Rational(1)) == 3)
        #expect(time.ticksRoundedDown(per: Rational(1)) == 2)
        #expect(time.ticksRoundedUp(per: Rational(1)) == 3)
        #expect(MediaTime(value: -5, timescale: 2).ticksRoundedDown(per: Rational(1)) == -3)
        #expect(MediaTime(seconds: 1001).ticksRounded(per: Rational(30000, 1001)) == 30000)
    }

    @Test(arguments: [(0.0, "0"), (1.5, "1.5"), (-0.25, "-0.25"), (3661.000001, "3661.000001")])
    func printsWithoutTrailingZeros(seconds: Double, text: String) throws {
        #expect(try #require(MediaTime(decimal: seconds)).description == text)
    }
}
