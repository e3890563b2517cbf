public import EditorCore
internal import EditorMedia

/// What a rendered sound came to.
public struct SoundResult: Sendable {
    public var path: String
    /// Seconds.
    public var duration: Double
    public var codec: String
    /// Samples a second in the file.
    public var sampleRate: Int
}

extension Composition {
    /// Endings of the files that `renderAudio` writes.
    public static var soundEndings: [String] { SoundFileWriter.endings }

    /// Renders the movie's sound alone: the clips, the music and every sound effect, mixed and limited as in the movie.
    /// - Parameters:
    ///   - path: ends in .wav or .flac (24 bits, without loss) or .m4a (AAC).
    ///   - cancellation: raise it from anywhere to stop.
    /// - Throws: `EditorError`. No file stands under `path` then, or the one that was there before.
    public func renderAudio(
        to path: String, options: Options = Options(), cancellation: Cancellation = Cancellation()
    ) throws -> SoundResult {
        _ = try SoundFileWriter.ending(of: path)
        try OutputLocation(path).check(overwrite: options.overwrites)
        let plan = try picturePlan(options)
        let writer = try SoundFileWriter(path: path, replacing: options.overwrites, settings: plan.settings)
        do {
            try mix(plan, cancellation) { try writer.write($0) }
            try writer.finish()
        } catch {
            writer.abandon()
            throw error
        }
        return SoundResult(
            path: path, duration: plan.duration.seconds, codec: writer.codec, sampleRate: plan.settings.sampleRate)
    }

    /// The movie's sound as a waveform.
    public func waveform(_ options: Options = Options()) throws -> Waveform {
        var waveform = Waveform()
        try mix(try picturePlan(options), Cancellation()) { waveform.add($0) }
        return waveform
    }

    private func mix(_ plan: RenderPlan, _ cancellation: Cancellation, _ use: (AudioBuffer) throws -> Void) throws {
        let pass = LoudnessPass(plan, library: library) {
            try cancellation.check()
            return false
        }
        let mixer = AudioMixer(plan, library: library, level: try pass.level() ?? 1)
        var buffer = AudioBuffer(sampleCount: 0)
        var position = 0
        while position < plan.sampleCount {
            try cancellation.check()
            buffer.clear(sampleCount: min(8192, plan.sampleCount - position))
            try mixer.fill(&buffer)
            try use(buffer)
            position += buffer.sampleCount
        }
    }
}

extension MediaInspector {
    /// A file's first sound stream as a waveform.
    /// - Throws: `EditorError` that names the file.
    public static func waveform(_ path: String) throws -> Waveform {
        let library = FileMediaLibrary(baseDirectory: "")
        let reader = try library.assets.audio(AssetReference(path: path, kind: .audio))
        var (waveform, buffer, position) = (Waveform(), AudioBuffer(sampleCount: 0), 0)
        while true {
            buffer.clear(sampleCount: 1 << 14)
            let got = try reader.read(from: position, into: &buffer)
            let isLast = got < buffer.sampleCount
            if isLast {
                for channel in buffer.channels.indices { buffer.channels[channel].removeLast(buffer.sampleCount - got) }
            }
            waveform.add(buffer)
            position += got
            if isLast { return waveform }
        }
    }
}
