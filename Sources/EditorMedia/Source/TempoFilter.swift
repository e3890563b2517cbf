internal import Glibc

/// A chain of libavfilter's filters that changes the tempo of sound and keeps its pitch, and how its output lies in time.
///
/// Output sample `discarded + n` sounds with input sample `lead + n × speed`.
struct TempoFilter {
    /// As libavfilter writes it.
    let chain: String
    /// Input samples to send ahead of the first one that counts.
    let lead: Int
    /// Output samples to leave out before the first one that counts.
    let discarded: Int

    /// Rubber Band where libavfilter has it, else WSOLA.
    init(speed: Double) {
        self = FilterGraph.isAvailable("rubberband") ? .rubberBand(speed: speed) : .overlapAdd(speed: speed)
    }

    private init(chain: String, lead: Int, discarded: Int) {
        (self.chain, self.lead, self.discarded) = (chain, lead, discarded)
    }

    /// Rubber Band's phase vocoder with its short window (1024 samples at 48 kHz), which keeps the onsets of words and
    /// beats within some milliseconds.
    ///
    /// It turns about the middle of its window, so half a window goes ahead and half a window is left out. One stage at
    /// more than two and a half times the speed would blur onsets by 20 ms, so there are several. Below half the speed
    /// its handling of transients would tear short sounds apart, so it goes without.
    static func rubberBand(speed: Double) -> TempoFilter {
        let stages = max(1, Int((log(speed) / log(2.5)).rounded(.up)))
        let tempo = pow(speed, 1 / Double(stages))
        let transients = speed < 0.5 ? "smooth" : "crisp"
        let stage = "rubberband=tempo=\(tempo):window=short:transients=\(transients)"
        let chain = Array(repeating: stage, count: stages).joined(separator: ",")
        return TempoFilter(chain: chain, lead: 512, discarded: 512)
    }

    /// libavfilter's own overlap-add, in stages of at most a factor of two. Each is ahead by half of its window of 2048
    /// samples, and its onsets wander by up to 20 ms.
    static func overlapAdd(speed: Double) -> TempoFilter {
        var (stages, tempo) = (1, speed)
        while !(0.5...2).contains(tempo) {
            (stages, tempo) = (stages * 2, tempo.squareRoot())
        }
        var (lead, pace) = (0.0, 1.0)
        for _ in 0..<stages {
            lead += 1024 * pace
            pace *= tempo
        }
        let chain = Array(repeating: "atempo=\(tempo)", count: stages).joined(separator: ",")
        return TempoFilter(chain: chain, lead: Int(lead.rounded()), discarded: 0)
    }
}
