/// An exact time in seconds: a reduced fraction of two 64-bit integers.
///
/// Sums, differences and products are computed in 128 bits and reduced, so that a chain of clip lengths never drifts.
/// A result whose reduced terms do not fit in 64 bits is rounded to the nearest nanosecond, within ±292 years.
public struct MediaTime: Sendable, Hashable {
    /// Numerator; carries the sign.
    public let value: Int64
    /// Denominator in ticks per second; always positive.
    public let timescale: Int64

    public static let zero = MediaTime(value: 0, timescale: 1)

    /// `value / timescale` seconds. A negative `timescale` moves its sign to the value; zero is a programming error.
    public init(value: Int64, timescale: Int64) {
        precondition(timescale != 0, "a time needs a timescale")
        self.init(Int128(value), Int128(timescale))
    }

    public init(seconds whole: Int) {
        self.init(value: Int64(whole), timescale: 1)
    }

    /// The decimal number that `seconds` prints as, exactly: 0.1 becomes 1/10 and not the nearest binary fraction.
    /// Returns nil for NaN, infinities and magnitudes from 10⁹ seconds up.
    public init?(decimal seconds: Double) {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return nil }
        let nanoseconds = (seconds * 1e9).rounded()
        self.init(Int128(nanoseconds), 1_000_000_000)
    }

    init(_ numerator: Int128, _ denominator: Int128) {
        var (n, d) = denominator < 0 ? (-numerator, -denominator) : (numerator, denominator)
        Self.reduce(&n, &d)
        if Int64(exactly: n) == nil || Int64(exactly: d) == nil {
            let nano = Int128(1_000_000_000)
            var (rest, divisor) = (n % d, d)
            // Room for the product; 2⁻⁹⁰ of a second more or less is far below a nanosecond.
            while divisor >> 90 != 0 { (rest, divisor) = (rest >> 1, divisor >> 1) }
            let half = rest < 0 ? -divisor / 2 : divisor / 2
            let whole = max(-1 << 40, min(n / d, 1 << 40))
            (n, d) = (Int128(Int64(clamping: whole * nano + (rest * nano + half) / divisor)), nano)
            Self.reduce(&n, &d)
        }
        (value, timescale) = (Int64(n), Int64(d))
    }

    private static func reduce(_ n: inout Int128, _ d: inout Int128) {
        let divisor = greatestCommonDivisor(n.magnitude, d.magnitude)
        if divisor > 1 { (n, d) = (n / Int128(divisor), d / Int128(divisor)) }
    }

    private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }

    /// The time as a floating-point number of seconds, for display and for effects' curves.
    public var seconds: Double { Double(value) / Double(timescale) }

    /// The largest tick of a clock with `rate` ticks a second that is not after this time.
    public func ticksRoundedDown(per rate: Rational) -> Int64 {
        let (n, d) = product(rate)
        let quotient = n / d
        return Int64(clamping: n % d < 0 ? quotient - 1 : quotient)
    }

    /// The nearest tick of a clock with `rate` ticks a second; halves go up.
    public func ticksRounded(per rate: Rational) -> Int64 {
        let (n, d) = product(rate)
        let (twice, divisor) = (n * 2 + d, d * 2)
        let quotient = twice / divisor
        return Int64(clamping: twice % divisor < 0 ? quotient - 1 : quotient)
    }

    /// The smallest tick of a clock with `rate` ticks a second that is not before this time.
    public func ticksRoundedUp(per rate: Rational) -> Int64 {
        -((.zero - self).ticksRoundedDown(per: rate))
    }

    private func product(_ rate: Rational) -> (Int128, Int128) {
        (Int128(value) * Int128(rate.numerator), Int128(timescale) * Int128(rate.denominator))
    }

    public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
        MediaTime(
            Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale),
            Int128(a.timescale) * Int128(b.timescale))
    }

    public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
        a + MediaTime(value: -b.value, timescale: b.timescale)
    }

    public static func * (a: MediaTime, factor: Rational) -> MediaTime {
        MediaTime(
            Int128(a.value) * Int128(factor.numerator), Int128(a.timescale) * Int128(factor.denominator))
    }

    public static func / (a: MediaTime, divisor: Rational) -> MediaTime {
        a * Rational(divisor.denominator, divisor.numerator)
    }

    public static func += (a: inout MediaTime, b: MediaTime) { a = a + b }
}

extension MediaTime: Comparable {
    public static func < (a: MediaTime, b: MediaTime) -> Bool {
        Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
    }
}

extension MediaTime: CustomStringConvertible {
    /// Seconds with at most six decimals, without trailing zeros.
    public var description: String { Self.text(seconds) }

    package static func text(_ seconds: Double) -> String {
        let micro = (seconds * 1e6).rounded()
        guard abs(micro) < 9e15 else { return "\(seconds)" }
        let whole = Int64(micro.magnitude)
        var fraction = String(whole % 1_000_000)
        fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = micro < 0 ? "-" : ""
        return sign + String(whole / 1_000_000) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
