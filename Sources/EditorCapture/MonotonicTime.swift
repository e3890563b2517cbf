internal import Glibc

/// An instant on `CLOCK_MONOTONIC`, the one clock that pictures and sound are stamped with. Resolves nanoseconds.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    /// Since an arbitrary instant of this boot.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    init(seconds: Int, nanoseconds: Int) { self.nanoseconds = Int64(seconds) * 1_000_000_000 + Int64(nanoseconds) }

    public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Seconds from `b` to `a`.
    public static func - (a: MonotonicTime, b: MonotonicTime) -> Double { Double(a.nanoseconds - b.nanoseconds) / 1e9 }

    public static func + (a: MonotonicTime, seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: a.nanoseconds + Int64((seconds * 1e9).rounded()))
    }
}
