/// A positive or negative fraction of two 64-bit integers, reduced, with a positive denominator: rates and factors.
public struct Rational: Sendable, Hashable {
    public let numerator: Int64
    public let denominator: Int64

    /// A zero denominator is a programming error.
    public init(_ numerator: Int64, _ denominator: Int64 = 1) {
        let reduced = MediaTime(value: numerator, timescale: denominator)
        (self.numerator, self.denominator) = (reduced.value, reduced.timescale)
    }

    /// The decimal number that `value` prints as, to nine places; nil when it is not finite or 10⁹ or more.
    public init?(decimal value: Double) {
        guard let time = MediaTime(decimal: value) else { return nil }
        self.init(time.value, time.timescale)
    }

    /// Reads `"30000/1001"` or `"25"`; nil for anything else or a zero denominator.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let n = Int64(parts[0]),
            let d = parts.count == 2 ? Int64(parts[1]) : 1, d != 0
        else { return nil }
        self.init(n, d)
    }

    public static let one = Rational(1)

    public var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The time that `count` ticks of a clock with this many ticks a second take.
    public func duration(ofTicks count: Int64) -> MediaTime {
        MediaTime(Int128(count) * Int128(denominator), Int128(numerator))
    }
}

extension Rational: CustomStringConvertible {
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
