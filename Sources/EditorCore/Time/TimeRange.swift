/// A half-open stretch of time: it holds `start` and everything before `end`.
public struct TimeRange: Sendable, Hashable {
    public var start: MediaTime
    public var duration: MediaTime

    public var end: MediaTime { start + duration }

    public init(start: MediaTime, duration: MediaTime) {
        (self.start, self.duration) = (start, duration)
    }

    public init(start: MediaTime, end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    public func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    public func overlaps(_ other: TimeRange) -> Bool { start < other.end && other.start < end }

    /// The common part, or nil when there is none.
    public func intersection(_ other: TimeRange) -> TimeRange? {
        let (from, to) = (max(start, other.start), min(end, other.end))
        return from < to ? TimeRange(start: from, end: to) : nil
    }
}
