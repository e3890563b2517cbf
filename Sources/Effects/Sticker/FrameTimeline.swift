internal import EditorCore

/// Which picture of an animation stands at a time. Computed in fractions, so that no boundary drifts however long it
/// runs; the rate of the movie has no part in it.
struct FrameTimeline: Sendable {
    /// When each picture ends, since the start of a run.
    private let ends: [MediaTime]
    private let loop: StickerLoop

    /// - Parameter durations: seconds, one a picture, at least one. Nothing, NaN and less than nothing count as 0.
    init(durations: [Double], loop: StickerLoop) {
        var end = MediaTime.zero
        ends = durations.map { seconds in
            end += Self.fraction(seconds)
            return end
        }
        self.loop = loop
    }

    /// The index of the picture at `time` since the first run began; before that the first picture stands.
    func index(at time: MediaTime) -> Int {
        guard let run = ends.last, run > .zero, time > .zero else { return 0 }
        let round = time.ticksRoundedDown(per: Rational(run.timescale, run.value))
        if case .times(let count) = loop, round >= Int64(count) { return ends.count - 1 }
        let inRun = time - run * Rational(round)
        // The first picture that ends after this moment.
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > inRun { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The simplest fraction that `seconds` stands for. File formats count in hundredths, thousandths or n/d, and a
    /// delay of 1/15 s has to be that and not its neighbour, or boundaries would miss the frames they fall on.
    ///
    /// The convergents of the continued fraction, up to a denominator of a million.
    static func fraction(_ seconds: Double) -> MediaTime {
        guard seconds > 0, seconds < 1e6 else { return .zero }
        var (p0, q0, p1, q1) = (0.0, 1.0, 1.0, 0.0)
        var rest = seconds
        while true {
            let whole = rest.rounded(.down)
            (p0, q0, p1, q1) = (p1, q1, whole * p1 + p0, whole * q1 + q0)
            guard q1 <= 1e6, p1 < 1e15 else { return MediaTime(decimal: seconds) ?? .zero }
            if abs(p1 / q1 - seconds) <= seconds * 1e-12 { return MediaTime(value: Int64(p1), timescale: Int64(q1)) }
            rest = 1 / (rest - whole)
        }
    }
}
