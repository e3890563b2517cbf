/// Which clips show at a time of the timeline.
struct ClipSchedule {
    /// Lengths are often decimals of thirds; an instant this little before a clip's start already belongs to it.
    static let tolerance = MediaTime(value: 1, timescale: 2000)

    private let timeline: Timeline

    init(_ timeline: Timeline) { self.timeline = timeline }

    /// What the main track shows at a time.
    struct Moment {
        /// Index of the clip that shows; the incoming one in a transition.
        var clip: Int
        /// The clip that goes out, and how far the transition has come, 0…1.
        var outgoing: (clip: Int, progress: Double)?
    }

    /// Beyond the ends the first or last clip shows.
    func moment(at time: MediaTime) -> Moment {
        let clips = timeline.clips
        // The first clip that starts later than this instant ends the search; clips start in order.
        var (low, high) = (0, clips.count)
        while low < high {
            let middle = (low + high) / 2
            if clips[middle].range.start <= time + Self.tolerance { low = middle + 1 } else { high = middle }
        }
        let index = max(0, low - 1)
        guard let transition = clips[index].transition, index > 0 else { return Moment(clip: index) }
        let elapsed = time - clips[index].range.start
        guard elapsed + Self.tolerance < transition.duration else { return Moment(clip: index) }
        let progress = max(0, min(1, elapsed.seconds / transition.duration.seconds))
        return Moment(clip: index, outgoing: (index - 1, progress))
    }

    /// Indices of the overlay clips that show at a time, lowest first.
    func overlays(at time: MediaTime) -> [Int] {
        timeline.overlays.indices.filter {
            let range = timeline.overlays[$0].range
            return range.start <= time + Self.tolerance && time + Self.tolerance < range.end
        }
    }

    /// Every clip that shows somewhere from one time to another, both included.
    func clips(from first: MediaTime, through last: MediaTime) -> [Clip] {
        let begin = moment(at: first)
        let indices = (begin.outgoing?.clip ?? begin.clip)...moment(at: last).clip
        let overlays = timeline.overlays.filter {
            $0.range.start <= last + Self.tolerance && first + Self.tolerance < $0.range.end
        }
        return Array(timeline.clips[indices]) + overlays
    }
}
