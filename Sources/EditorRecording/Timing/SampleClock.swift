package import EditorCapture

/// Tells when each sample of a microphone was taken, from pairs of a sample count and the time it was seen at.
///
/// Reading is late now and then and never early, so the least delayed pairs tell the truth: of each second the earliest
/// pair counts, and the clock is the line under those.
package struct SampleClock {
    /// Samples a second, as the device says it.
    let rate: Double
    private var first: (count: Int64, time: MonotonicTime)?
    /// Lateness against a perfect clock in seconds, at seconds since the first pair: the earliest of each second.
    private var earliest: [(at: Double, late: Double)] = []
    private var (offset, slope) = (0.0, 0.0)

    /// Below so many seconds nothing is said about drift: jitter would be taken for it.
    private static let shortestSpan = 8.0
    /// Older pairs are forgotten: a clock changes with its temperature.
    private static let mostSeconds = 120

    init(rate: Int) { self.rate = Double(rate) }

    /// Whether anything is known.
    var isRunning: Bool { first != nil }

    /// Seconds that the device's clock loses in each second; a millionth is one second in eleven days.
    package var drift: Double { slope }

    mutating func observe(count: Int64, at time: MonotonicTime) {
        guard let first else {
            self.first = (count, time)
            earliest = [(0, 0)]
            return
        }
        let at = Double(count - first.count) / rate
        let late = (time - first.time) - at
        if let last = earliest.last, at.rounded(.down) == last.at.rounded(.down) {
            if late < last.late { earliest[earliest.count - 1] = (at, late) } else { return }
        } else {
            earliest.append((at, late))
            if earliest.count > Self.mostSeconds { earliest.removeFirst() }
        }
        fit()
    }

    private mutating func fit() {
        let span = earliest[earliest.count - 1].at - earliest[0].at
        slope = 0
        if span >= Self.shortestSpan {
            let count = Double(earliest.count)
            let meanAt = earliest.reduce(0) { $0 + $1.at } / count
            let meanLate = earliest.reduce(0) { $0 + $1.late } / count
            var (products, squares) = (0.0, 0.0)
            for point in earliest {
                products += (point.at - meanAt) * (point.late - meanLate)
                squares += (point.at - meanAt) * (point.at - meanAt)
            }
            slope = products / squares
        }
        offset = earliest.reduce(Double.infinity) { min($0, $1.late - slope * $1.at) }
    }

    /// The sample, with its fraction, that was taken at a time; nil before anything is known.
    func position(at time: MonotonicTime) -> Double? {
        guard let first else { return nil }
        return Double(first.count) + ((time - first.time) - offset) / (1 + slope) * rate
    }

    /// When a sample was taken.
    package func time(of position: Double) -> MonotonicTime? {
        guard let first else { return nil }
        return first.time + ((position - Double(first.count)) / rate * (1 + slope) + offset)
    }
}
