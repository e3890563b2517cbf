internal import EditorCapture

/// Whole seconds that are counted down.
///
/// A tone sounds with each second but the last instant, at which recording begins: it would be recorded.
struct Countdown {
    private(set) var left: Int
    private var next: MonotonicTime

    init(seconds: Int, now: MonotonicTime) {
        left = seconds
        next = now + 1
    }

    /// What is left when another second has passed; nil before that. 0 is its end.
    mutating func tick(_ now: MonotonicTime) -> Int? {
        guard now >= next else { return nil }
        next = next + 1
        left -= 1
        return left
    }
}
