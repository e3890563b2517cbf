/// Makes beats that were felt into beats that are exact: each moves to the onset of sound near it, the beginning is filled
/// in backwards, and what was missed in between is put in.
///
/// A tracker that follows music is some hundredths of a second off, and says nothing before it has found the pulse.
struct BeatRefinement {
    private struct Beat {
        /// Seconds.
        var time: Double
        /// Whether an onset lies there.
        var isOnset: Bool
    }

    /// Onsets in rising order.
    private let onsets: [Double]

    init(onsets: [Double]) { self.onsets = onsets }

    /// - Parameter beats: in rising order.
    func refine(_ beats: [Double]) -> [Double] {
        // Without a single onset there is nothing to feel.
        guard !onsets.isEmpty else { return [] }
        guard beats.count >= 4 else { return beats }
        var period = Self.median(Self.distances(beats))
        var refined = snapAll(beats, reach: Self.reach(period))
        period = Self.median(Self.distances(refined.map(\.time)))
        refined = extendBack(fromStable(refined, period), period)
        return fill(refined.map(\.time), period)
    }

    /// Distances of neighbours.
    static func distances(_ times: [Double]) -> [Double] { zip(times.dropFirst(), times).map { $0 - $1 } }

    /// 0 for an empty list.
    static func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }

    /// How far an onset may lie from the beat that it is taken for.
    private static func reach(_ period: Double) -> Double { min(0.12, 0.25 * period) }

    private func snap(_ time: Double, reach: Double) -> Beat {
        let next = onsets.firstIndex { $0 >= time } ?? onsets.count
        let near = onsets[max(0, next - 1)..<min(onsets.count, next + 1)].min { abs($0 - time) < abs($1 - time) }
        guard let near, abs(near - time) <= reach else { return Beat(time: time, isOnset: false) }
        return Beat(time: near, isOnset: true)
    }

    /// Beats without an onset are as late or early as the others are on the whole; two on one place are one.
    private func snapAll(_ beats: [Double], reach: Double) -> [Beat] {
        let snapped = beats.map { snap($0, reach: reach) }
        let shift = Self.median(zip(snapped, beats).compactMap { $0.isOnset ? $0.time - $1 : nil })
        var result: [Beat] = []
        let least = 0.5 * Self.median(Self.distances(beats))
        for beat in snapped {
            let time = beat.isOnset ? beat.time : beat.time + shift
            if let last = result.last, time - last.time <= least { continue }
            result.append(Beat(time: time, isOnset: beat.isOnset))
        }
        return result
    }

    /// Without what was said before the pulse was found: four onsets in a row at the right distances.
    private func fromStable(_ beats: [Beat], _ period: Double) -> [Beat] {
        let start = beats.indices.dropLast(3).first { first in
            let run = beats[first..<first + 4]
            return run.allSatisfy(\.isOnset)
                && Self.distances(run.map(\.time)).allSatisfy { abs($0 - period) < 0.15 * period }
        }
        return Array(beats[(start ?? beats.startIndex)...])
    }

    /// Goes back in steps of the period as long as there are onsets, over two rests at most.
    private func extendBack(_ beats: [Beat], _ period: Double) -> [Beat] {
        guard let first = beats.first, period > 0 else { return beats }
        var before: [Beat] = []
        var (time, rests) = (first.time, 0)
        while rests <= 2 {
            let beat = snap(time - period, reach: Self.reach(period))
            guard beat.time >= 0 else { break }
            before.append(beat)
            (time, rests) = (beat.time, beat.isOnset ? 0 : rests + 1)
        }
        while before.last?.isOnset == false { before.removeLast() }
        return before.reversed() + beats
    }

    private func fill(_ beats: [Double], _ period: Double) -> [Double] {
        guard let first = beats.first, period > 0 else { return beats }
        var result = [first]
        for beat in beats.dropFirst() {
            let last = result[result.count - 1]
            // A break is no row of missed beats.
            let steps = min(8, Int(((beat - last) / period).rounded()))
            for step in stride(from: 1, to: steps, by: 1) {
                let place = last + (beat - last) * Double(step) / Double(steps)
                result.append(snap(place, reach: Self.reach(period)).time)
            }
            result.append(beat)
        }
        return result
    }
}
