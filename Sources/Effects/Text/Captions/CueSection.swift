internal import EditorCore

/// A time in which the same cues show.
struct CueSection: Sendable, Hashable {
    var range: TimeRange
    /// Their indices, in the order in which they came on.
    var shown: [Int]

    /// Cuts time where a cue comes on or goes off.
    /// - Parameter ranges: when each cue shows, in order of their starts.
    static func sections(of ranges: [TimeRange]) -> [CueSection] {
        var result: [CueSection] = []
        var shown: [Int] = []
        var pending = ranges.indices[...]
        var now = MediaTime.zero
        while !pending.isEmpty || !shown.isEmpty {
            let nextStart = pending.first.map { ranges[$0].start }
            let nextEnd = shown.map { ranges[$0].end }.min()
            let until = [nextStart, nextEnd].compactMap { $0 }.min()!
            if !shown.isEmpty, until > now {
                result.append(CueSection(range: TimeRange(start: now, end: until), shown: shown))
            }
            now = until
            shown.removeAll { ranges[$0].end <= now }
            while let next = pending.first, ranges[next].start <= now {
                shown.append(next)
                pending.removeFirst()
            }
        }
        return result
    }
}
