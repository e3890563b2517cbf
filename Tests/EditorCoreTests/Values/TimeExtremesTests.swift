import EditorCore
import EditorTestSupport
import Testing

@Suite struct TimeExtremesTests {
    private func time(_ value: Int64, _ scale: Int64) -> MediaTime { MediaTime(value: value, timescale: scale) }

    @Test func fractionsAreReduced() {
        #expect(time(50, 100) == time(1, 2))
        #expect(time(50, 100).timescale == 2)
        #expect(time(3, -6) == time(-1, 2))
        #expect(time(0, 12345) == .zero)
        #expect(time(.max, .max) == MediaTime(seconds: 1))
        #expect(time(.min, 1).value == .min)
        #expect(Rational(30000, 1001).numerator == 30000)
    }

    /// A thousand odd lengths and the same taken away again leave nothing.
    @Test func chainsDoNotDrift() {
        var random = SplitMix64(1)
        let lengths = (0..<1000).map { _ in
            time(Int64(random.next() % 10_000), [1001, 24, 44_100, 90_000][Int(random.next() % 4)])
        }
        let sum = lengths.reduce(MediaTime.zero, +)
        #expect(lengths.reversed().reduce(sum, -) == .zero)
        // 24000/1001 frames a second for an hour.
        let rate = Rational(24000, 1001)
        #expect(
            (0..<86_400).reduce(MediaTime.zero) { sum, _ in sum + rate.duration(ofTicks: 1) }
                == rate.duration(ofTicks: 86_400))
    }

    /// What does not fit in 64 bits is right to the nanosecond.
    @Test func largeTermsAreRounded() {
        let (p, q) = (Int64(2_147_483_647), Int64(2_147_483_629))
        let sum = time(1, p * 2) + time(1, q * 3) + time(1, 1_000_003)
        let expected = 0.5 / Double(p) + 1 / Double(q) / 3 + 1 / 1_000_003
        #expect(abs(sum.seconds - expected) < 2e-9)
        // A hair more than one and a half nanoseconds.
        #expect(time(1, .max) + time(3, 2_000_000_000) == time(2, 1_000_000_000))
        // Terms near the ends of 64 bits on both sides.
        let (half, almost) = (time(.max / 2, .max), time(.max / 2, .max - 2))
        #expect(half + almost == time(1, 1))
        #expect(.zero - half - almost == time(-1, 1))
        // Longer than 292 years.
        for product in [time(.max, 3) * Rational(1_000_000_009, 7), time(.max, 1) * Rational(.max, 1)] {
            #expect(abs(product.seconds - 9_223_372_036.85) < 0.01)
            #expect(abs((.zero - product).seconds + 9_223_372_036.85) < 0.01)
        }
    }

    @Test func ticksOfExtremesAreClamped() {
        #expect(time(.max, 1).ticksRounded(per: Rational(48_000)) == .max)
        #expect(time(.min, 1).ticksRoundedDown(per: Rational(48_000)) == .min)
        #expect(time(1, .max).ticksRounded(per: Rational(48_000)) == 0)
        #expect(time(1, .max).ticksRoundedUp(per: Rational(48_000)) == 1)
    }

    @Test func orderIsThatOfTheNumbers() {
        var random = SplitMix64(3)
        for _ in 0..<500 {
            let (a, b) = (Int64(random.next() % 1000) - 500, Int64(random.next() % 1000) - 500)
            let (c, d) = (Int64(random.next() % 99) + 1, Int64(random.next() % 99) + 1)
            #expect((time(a, c) < time(b, d)) == (a * d < b * c))
        }
        #expect(time(.max - 1, .max) < MediaTime(seconds: 1))
    }

    @Test(
        arguments: [(0.1, 1, 10), (29.97, 2997, 100), (1.0 / 3, 333_333_333, 1_000_000_000), (-2.5, -5, 2)]
            as [(Double, Int64, Int64)])
    func decimalsAreWhatTheyPrintAs(decimal: Double, value: Int64, scale: Int64) {
        #expect(MediaTime(decimal: decimal) == time(value, scale))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e9, -1e12])
    func otherNumbersAreNoTimes(number: Double) {
        #expect(MediaTime(decimal: number) == nil)
        #expect(Rational(decimal: number) == nil)
    }

    @Test(arguments: ["", "/", "1/", "/2", "1/0", "a", "1/2/3", "1.5", " 1", "99999999999999999999"])
    func otherTextsAreNoRationals(text: String) {
        #expect(Rational(text) == nil)
    }

    @Test func rangesAreHalfOpen() {
        let range = TimeRange(start: time(1, 1), end: time(2, 1))
        #expect(range.contains(time(1, 1)) && !range.contains(time(2, 1)))
        #expect(!range.overlaps(TimeRange(start: time(2, 1), end: time(3, 1))))
        #expect(range.intersection(TimeRange(start: time(2, 1), end: time(3, 1))) == nil)
        #expect(
            range.intersection(TimeRange(start: time(3, 2), end: time(3, 1)))
                == TimeRange(start: time(3, 2), end: time(2, 1)))
    }
}
