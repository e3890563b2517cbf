internal import Glibc

/// Turns the peaks of a sound into the depths by which a limiter has to turn it down: 1 minus the gain.
///
/// A depth is held for some samples and then falls exponentially.
struct DepthFollower {
    private let ceiling: Float
    private let decay: Double
    private var recent: SlidingMaximum
    private var released = 0.0
    /// Samples since the depth was last above 0.
    private var idle = Int.max / 2

    /// - Parameters:
    ///   - hold: samples that a depth stays.
    ///   - release: samples in which it then falls to 1/e.
    init(ceiling: Float, hold: Int, release: Double) {
        self.ceiling = ceiling
        decay = exp(-1 / release)
        recent = SlidingMaximum(length: hold)
    }

    /// Whether one of the last `count` depths was above 0.
    func isActive(within count: Int) -> Bool { idle < count }

    /// Writes a depth for every peak; returns whether one of them is above 0.
    mutating func follow(_ peaks: UnsafeBufferPointer<Float>, into depths: UnsafeMutableBufferPointer<Float>) -> Bool {
        let count = peaks.count
        var largest: Float = 0
        for i in 0..<count { largest = largest < peaks[i] ? peaks[i] : largest }
        if largest <= ceiling, released == 0 {
            // Nothing is held either: what is held is released last.
            for i in 0..<count { depths[i] = 0 }
            recent.removeAll()
            idle += count
            return false
        }
        var isActive = false
        for i in 0..<count {
            let needed = peaks[i] > ceiling ? 1 - ceiling / peaks[i] : 0
            // A reduction of less than 10⁻⁶ (-120 dB) is over.
            released = released * decay < 1e-6 ? 0 : released * decay
            released = max(released, Double(recent.next(needed)))
            depths[i] = Float(released)
            idle = released > 0 ? 0 : idle + 1
            isActive = isActive || released > 0
        }
        return isActive
    }
}

/// The largest of the last `length` values. Values that a later one exceeds are dropped at once, so a step costs the
/// same on average whatever the length.
struct SlidingMaximum {
    private let length: Int
    private var values: [Float]
    private var births: [Int]
    private var first = 0
    private var count = 0
    private var now = 0

    init(length: Int) {
        self.length = length
        values = Array(repeating: 0, count: length)
        births = Array(repeating: 0, count: length)
    }

    /// Forgets all values.
    mutating func removeAll() { count = 0 }

    mutating func next(_ value: Float) -> Float {
        if count > 0, births[first] <= now - length {
            first = first + 1 == length ? 0 : first + 1
            count -= 1
        }
        while count > 0, values[slot(count - 1)] <= value { count -= 1 }
        let free = slot(count)
        (values[free], births[free]) = (value, now)
        count += 1
        now += 1
        return values[first]
    }

    private func slot(_ offset: Int) -> Int {
        let slot = first + offset
        return slot < length ? slot : slot - length
    }
}
