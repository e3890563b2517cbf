/// The beats of a movie's music on the composed timeline: where joints of clips may go.
struct BeatCuts {
    private let beats: BeatTrack
    /// Time of the timeline at which the music's first played sample is heard.
    private let start: MediaTime
    /// Seconds that are skipped of the music's beginning, each time round.
    private let skipped: Double
    /// Seconds from the start of one round to the start of the next, and how many rounds there are; nil is without end.
    private let round: Double
    private let rounds: Int?
    /// How far a joint may be moved.
    private let limit: MediaTime

    /// - Parameters:
    ///   - music: the effect that plays them; says when.
    ///   - selectionStart: time of the timeline at which the movie begins.
    init(_ beats: BeatTrack, music: EffectConfiguration, selectionStart: MediaTime, limit: MediaTime) {
        func seconds(_ value: JSONValue?) -> Double {
            if case .number(let number)? = value, number >= 0, number < 1e6 { number } else { 0 }
        }
        let value = music.value
        self.beats = beats
        self.limit = limit
        let start = max(seconds(value["start"]), seconds(value["timeRange"]?["start"]))
        self.start = selectionStart + (MediaTime(decimal: start) ?? .zero)
        skipped = seconds(value["sourceStart"])
        let whole = max(0.1, beats.duration - skipped)
        round = max(0.1, whole - min(seconds(value["loopCrossfade"]), whole / 2))
        rounds =
            switch value["loop"] {
            case .bool(let flag)?: flag ? nil : 1
            case .number(let number)? where number >= 1 && number < 1e6: Int(number)
            default: nil
            }
    }

    /// The beats within the limit around a time of the timeline, nearest first.
    func candidates(around time: MediaTime) -> [MediaTime] {
        let place = (time - start).seconds
        let reach = limit.seconds
        let first = max(0, Int(((place - reach) / round).rounded(.down)))
        let last = min((rounds ?? .max) - 1, Int(((place + reach) / round).rounded(.down)))
        guard first <= last else { return [] }
        var found: [Double] = []
        for number in first...last {
            let begin = Double(number) * round - skipped
            for time in beats.times where time >= skipped && time - skipped < round {
                if abs(begin + time - place) <= reach { found.append(begin + time) }
            }
        }
        found.sort { abs($0 - place) < abs($1 - place) }
        return found.map { beat in
            let ticks = (beat * Double(AudioFormat.sampleRate)).rounded()
            return start + MediaTime(value: Int64(ticks), timescale: Int64(AudioFormat.sampleRate))
        }
    }
}

/// What joints of clips are moved to.
public enum CutTarget: String, Sendable, Hashable, CaseIterable {
    case beats
}

/// How long a clip can be, and what of its source it then plays.
struct ClipLength {
    /// The part of the source.
    var source: TimeRange
    /// How long it shows.
    var length: MediaTime

    /// The same clip longer or shorter by `change`; nil when its source has no more, or too little would be left.
    /// - Parameters:
    ///   - available: all of the source.
    ///   - least: the shortest length.
    func changed(
        by change: MediaTime, available: TimeRange, speed: Rational, isReversed: Bool, least: MediaTime
    ) -> ClipLength? {
        var result = self
        result.length = length + change
        guard result.length >= least else { return nil }
        let needed = result.length * speed
        // A held last picture goes on as long as need be; what is there already is enough then.
        guard needed > source.duration, source.duration >= length * speed else { return result }
        if isReversed {
            guard source.end - needed >= available.start else { return nil }
            result.source = TimeRange(start: source.end - needed, end: source.end)
        } else {
            guard source.start + needed <= available.end else { return nil }
            result.source = TimeRange(start: source.start, end: source.start + needed)
        }
        return result
    }
}
