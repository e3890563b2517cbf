internal import EditorCore
internal import Glibc

/// A chain of libavfilter's filters that changes the tempo, the pitch or the character of sound, and how its output lies
/// in time.
///
/// Output sample `discarded + n` sounds with input sample `lead + n × speed`.
struct VoiceFilter {
    /// As libavfilter writes it.
    let chain: String
    /// Input samples to send ahead of the first one that counts.
    let lead: Int
    /// Output samples to leave out before the first one that counts.
    let discarded: Int

    /// Another tempo, another pitch, or both: Rubber Band where libavfilter has it, else WSOLA.
    /// - Parameter pitch: semitones up.
    init(speed: Double, pitch: Double = 0) {
        let ratio = pow(2, pitch / 12)
        self =
            FilterGraph.isAvailable("rubberband")
            ? .rubberBand(speed: speed, pitch: ratio) : .overlapAdd(speed: speed, pitch: ratio)
    }

    /// What gives a voice its character besides its pitch; nil where that is all.
    init?(_ voice: VoiceEffect?) {
        switch voice {
        case .robot:
            // Every window starts at the same phase, so that all becomes a tone of the windows' rate: 187.5 Hz. What
            // cancels out on the way is 8 dB.
            let window = "win_size=1024:overlap=0.75"
            self.init(
                chain: "afftfilt=real='hypot(re,im)*sin(0)':imag='hypot(re,im)*cos(0)':\(window),volume=8dB",
                lead: 0, discarded: 768)
        case .echo: self.init(chain: "aecho=1:1:130|260:0.35|0.15", lead: 0, discarded: 0)
        case .chipmunk, .deep, nil: return nil
        }
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
    ///
    /// Another pitch is made by resampling, after which the window is as much shorter or longer.
    /// - Parameter pitch: factor on frequencies.
    static func rubberBand(speed: Double, pitch: Double = 1) -> VoiceFilter {
        let stages = max(1, Int((log(speed) / log(2.5)).rounded(.up)))
        let tempo = pow(speed, 1 / Double(stages))
        let transients = speed < 0.5 ? "smooth" : "crisp"
        let stage = "rubberband=tempo=\(tempo):window=short:transients=\(transients)"
        let turn = pitch == 1 ? "" : ":pitch=\(pitch):pitchq=consistency"
        let chain = Array(repeating: stage, count: stages).joined(separator: ",") + turn
        return VoiceFilter(chain: chain, lead: 512, discarded: Int((512 / pitch).rounded()))
    }

    /// libavfilter's own overlap-add, in stages of at most a factor of two. Each is ahead by half of its window of 2048
    /// samples, and its onsets wander by up to 20 ms.
    static func overlapAdd(speed: Double, pitch: Double = 1) -> VoiceFilter {
        var (stages, tempo) = (1, speed / pitch)
        while !(0.5...2).contains(tempo) {
            (stages, tempo) = (stages * 2, tempo.squareRoot())
        }
        var (lead, pace) = (0.0, 1.0)
        for _ in 0..<stages {
            lead += 1024 * pace
            pace *= tempo
        }
        let rate = AudioFormat.sampleRate
        let turn = pitch == 1 ? "" : "asetrate=\(Int((Double(rate) * pitch).rounded())),aresample=\(rate),"
        let chain = turn + Array(repeating: "atempo=\(tempo)", count: stages).joined(separator: ",")
        return VoiceFilter(chain: chain, lead: Int((lead * pitch).rounded()), discarded: 0)
    }
}
