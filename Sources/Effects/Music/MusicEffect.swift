public import EditorCore

/// Adds a piece of music, or a voice, to the movie's sound.
public final class MusicEffect: ListeningAudioEffect {
    public static let id = "music"
    public static let summary = "Plays music or a voice-over, with loop, fades, ducking and a loudness target."
    public static let example: JSONValue = [
        "source": "song.mp3", "volume": 0.5, "start": 1, "fadeIn": 0.5, "fadeOut": 2, "duck": true,
    ]

    /// Hides the click where the movie's end cuts the music off: 10 ms.
    private static let cutFade = AudioFormat.sampleRate / 100

    private let volume: AnimatedNumber
    /// What brings the file to its loudness target.
    private let normalisation: Double
    private let fadeCurve: FadeCurve
    private let fadeIn: Int
    private let fadeOut: Int
    /// Samples on the movie's clock between which the music is heard.
    private let start: Int
    private let end: Int
    private let music: LoopedSound
    private var ducking: Ducking?
    public let isVoice: Bool
    public var listens: Bool { ducking != nil }

    private static let nothing = AudioBuffer(channels: [])
    private var sound = AudioBuffer(sampleCount: 0)
    private var gains = SampleGains()

    public init(_ parameters: MusicParameters, context: EffectContext) throws {
        let (range, source, assets) = (context.activeRange, parameters.source, context.assets)
        start = Self.samples(max(range.start, parameters.start))
        let sourceStart = Self.samples(parameters.sourceStart)
        music = try LoopedSound(
            sourceStart: sourceStart, rounds: parameters.loop.count,
            crossfade: Self.samples(parameters.loopCrossfade)
        ) { try assets.audio(source) }
        guard try !music.isEmpty() else {
            throw EditorError(
                .invalidData,
                sourceStart == 0
                    ? "\(source.path) holds no sound"
                    : "sourceStart \(parameters.sourceStart) lies behind the end of \(source.path)")
        }
        volume = parameters.volume
        fadeCurve = parameters.fadeCurve
        fadeIn = Self.samples(parameters.fadeIn)
        ducking = parameters.duck.map(Ducking.init)
        isVoice = parameters.role == .voice

        let rangeEnd = Self.samples(range.end)
        if let fade = parameters.fadeOut {
            fadeOut = Self.samples(fade)
            // Where the music ends by itself matters to the fade only; otherwise silence follows anyway.
            let length = fadeOut > 0 ? try music.length() : nil
            end = min(rangeEnd, length.map { [start] in start + $0 } ?? .max)
        } else {
            fadeOut = range.end >= context.duration ? Self.cutFade : 0
            end = rangeEnd
        }

        if start >= rangeEnd {
            context.warn(
                "music.neverHeard",
                "\(source.path) starts at \(MediaTime(value: Int64(start), timescale: Int64(AudioFormat.sampleRate))) s, when "
                    + "the effect is over at \(range.end) s: it is never heard", hint: "set an earlier start")
        }
        normalisation =
            try parameters.loudness.map { try Self.normalisation(of: source, to: $0, context: context) } ?? 1
    }

    public func isIdentity(at time: EffectTime) -> Bool { volume.isConstant && volume.value(at: 0) == 0 }

    public func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws {
        let heard = listens ? buffer : Self.nothing
        try process(&buffer, hearing: heard, at: time)
    }

    public func process(_ buffer: inout AudioBuffer, hearing heard: AudioBuffer, at time: EffectTime) throws {
        let (first, count) = (time.index, buffer.sampleCount)
        let from = min(max(first, start), first + count)
        let until = max(from, min(first + count, end))
        gains.reset(from: from, count: until - from, to: Float(normalisation))
        // The other sound is followed before the music starts, too, so that it starts at the right level.
        ducking?.follow(heard, from: first, gains: &gains)
        guard from < until else { return }
        if volume.isConstant {
            let level = volume.value(at: 0)
            gains.multiply { _ in level }
        } else {
            gains.multiply { [volume] in volume.value(at: Double($0) / Double(AudioFormat.sampleRate)) }
        }
        gains.fadeIn(from: start, length: fadeIn, fadeCurve)
        gains.fadeOut(to: end, length: fadeOut, fadeCurve)
        sound.clear(sampleCount: until - from)
        try music.read(from: from - start, into: &sound)
        buffer.add(sound, at: from - first, gains: gains)
    }

    private static func samples(_ time: MediaTime) -> Int { Int(time.ticksRounded(per: AudioFormat.rate)) }

    /// The gain that makes the whole file as loud as `target` LUFS.
    private static func normalisation(
        of source: AssetReference, to target: Double, context: EffectContext
    ) throws -> Double {
        if let loudness = try context.assets.loudness(of: source, cancellation: context.cancellation) {
            return Decibels.gain(target - loudness)
        }
        context.warn(
            "music.loudness", "\(source.path) is too short or too silent for a loudness target; it plays as it is",
            hint: "leave loudness out")
        return 1
    }
}
