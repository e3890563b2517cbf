internal import EditorCapture
internal import EditorCore
internal import Glibc
internal import Synchronization

/// A place in the music and when it is heard.
struct MusicCue: Sendable, Hashable {
    var start: MonotonicTime
    /// Seconds of the music that are heard at `start`.
    var position: Double
    /// Seconds of music in a second; where the recording plays twice as fast later, the music runs half as fast now.
    var rate: Double

    /// The place in the music that is heard at a time.
    func position(at time: MonotonicTime) -> Double { position + (time - start) * rate }
}

/// Plays music, and beeps, in step with the pictures. Safe on any thread.
final class MusicPlayer: Sendable {
    private let speaker: SpeakerPlayback
    private let deck: MusicDeck

    /// Seconds that a cue should lie ahead.
    var latency: Double { speaker.latency + 0.05 }

    /// - Parameter open: opens the music, on the speaker's thread; nil is none.
    /// - Throws: `EditorError` that names the device.
    init(speaker name: String, open: (@Sendable () throws -> any AudioReading)?) throws {
        let deck = MusicDeck(open)
        self.deck = deck
        speaker = try SpeakerPlayback(name) { deck.fill(&$0, heardAt: $1) }
    }

    deinit { speaker.stop() }

    func play(_ cue: MusicCue) { deck.cue.withLock { $0.music = cue } }

    func stop() { deck.cue.withLock { $0.music = nil } }

    /// A tone as soon as it can be heard; the last one of a countdown is higher.
    func beep(isLast: Bool) { deck.cue.withLock { $0.beep = (.now + speaker.latency, isLast ? 1320 : 880) } }
}

/// What the speaker's thread plays.
///
/// `@unchecked Sendable`: `cue` is a mutex; the rest is touched by `fill` alone, which the speaker's thread alone calls.
private final class MusicDeck: @unchecked Sendable {
    let cue = Mutex<(music: MusicCue?, beep: (start: MonotonicTime, hertz: Double)?)>((nil, nil))
    private let open: (@Sendable () throws -> any AudioReading)?
    private var reader: (any AudioReading)?
    private var hasFailed = false
    private var chunk = AudioBuffer(sampleCount: 0)
    private var last: MusicCue?
    /// Sample of the music, with its fraction, that comes next.
    private var position = 0.0

    private static let beepLength = 0.12
    /// Beyond so many samples the place in the music is set anew; within, the speaker's own clock is followed.
    private static let leap = 240.0

    init(_ open: (@Sendable () throws -> any AudioReading)?) { self.open = open }

    func fill(_ block: inout AudioBuffer, heardAt time: MonotonicTime) {
        let (music, beep) = cue.withLock { $0 }
        if let music { play(music, &block, time) }
        if let beep { add(beep.hertz, from: beep.start, &block, time) }
    }

    private func play(_ cue: MusicCue, _ block: inout AudioBuffer, _ time: MonotonicTime) {
        let rate = Double(AudioFormat.sampleRate)
        let count = block.sampleCount
        // Silence until the cue.
        let first = max(0, min(count, Int(((cue.start - time) * rate).rounded())))
        guard first < count, let reader = music() else { return }
        let expected = cue.position(at: time + Double(first) / rate) * rate
        if last != cue || abs(position - expected) > Self.leap {
            last = cue
            position = expected
        }
        let needed = Int(Double(count - first) * cue.rate) + 3
        chunk.clear(sampleCount: needed)
        let whole = position.rounded(.down)
        var begin = Int(whole)
        // Music that ends begins anew, as it does in the merge.
        if let length = reader.sampleCount, length > 0 { begin %= length }
        _ = try? reader.read(from: begin, into: &chunk)
        for channel in block.channels.indices {
            let samples = chunk.channels[channel]
            for index in first..<count {
                let place = position - whole + Double(index - first) * cue.rate
                let at = Int(place)
                let share = Float(place - Double(at))
                block.channels[channel][index] = samples[at] + (samples[at + 1] - samples[at]) * share
            }
        }
        position += Double(count - first) * cue.rate
    }

    private func music() -> (any AudioReading)? {
        if reader == nil, !hasFailed, let open {
            reader = try? open()
            hasFailed = reader == nil
        }
        return reader
    }

    private func add(_ hertz: Double, from start: MonotonicTime, _ block: inout AudioBuffer, _ time: MonotonicTime) {
        for index in 0..<block.sampleCount {
            let at = (time - start) + Double(index) / Double(AudioFormat.sampleRate)
            guard at >= 0, at < Self.beepLength else { continue }
            // Rises and falls within 5 ms, so that it does not click.
            let edge = min(1, min(at, Self.beepLength - at) / 0.005)
            let sample = Float(0.3 * edge * sin(2 * .pi * hertz * at))
            for channel in block.channels.indices { block.channels[channel][index] += sample }
        }
    }
}
