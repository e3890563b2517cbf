/// Captions that a movie holds as a track of its own, which players show or hide.
public struct SubtitleTrack: Sendable, Hashable {
    /// Language tag, such as `en` or `zh-Hant`; nil when it is not known.
    public var language: String?
    /// In order of time; none overlap.
    public var cues: [SubtitleCue]

    public init(language: String? = nil, cues: [SubtitleCue]) {
        self.language = language
        self.cues = cues
    }

    /// What of it shows within a range.
    func cut(to range: TimeRange) -> SubtitleTrack {
        var track = self
        track.cues = cues.compactMap { cue in
            cue.range.intersection(range).map { SubtitleCue(range: $0, runs: cue.runs) }
        }
        return track
    }
}

/// A caption of a track.
public struct SubtitleCue: Sendable, Hashable {
    /// A stretch of text of one look.
    public struct Run: Sendable, Hashable {
        /// Lines are parted by `\n`.
        public var text: String
        public var isBold: Bool
        public var isItalic: Bool
        public var isUnderlined: Bool

        public init(_ text: String, isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false) {
            self.text = text
            self.isBold = isBold
            self.isItalic = isItalic
            self.isUnderlined = isUnderlined
        }
    }

    /// When it shows, on the movie's clock.
    public var range: TimeRange
    public var runs: [Run]

    public init(range: TimeRange, runs: [Run]) {
        self.range = range
        self.runs = runs
    }

    /// The text without its looks.
    public var text: String { runs.map(\.text).joined() }
}
