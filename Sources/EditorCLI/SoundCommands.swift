internal import EditorCore
internal import EditorKit

/// `render-audio`: the movie's sound alone.
enum RenderAudioCommand {
    static let command = Command(
        name: "render-audio", usage: "--output x.wav", summary: "render the sound alone as WAV, FLAC or M4A",
        details: """
            The clips, the music and every sound effect, mixed and limited as in the movie. WAV and FLAC hold 24 bits and lose
            nothing else; M4A is AAC with the config's bit rate.

            examples:
              editor --config cfg.json render-audio --output mix.wav
              editor --config cfg.json render-audio --output part.flac --from 2 --to 5
            """
    ) { invocation in
        try invocation.expectNoWords()
        guard let output = invocation.arguments.value("output") else {
            throw EditorError(.usage, "render-audio needs --output x.wav")
        }
        let composition = try invocation.composition(isCancellable: true)
        var options = try invocation.options(for: composition)
        options.output = nil
        let result = try composition.renderAudio(to: output, options: options, cancellation: Process.cancellation)
        invocation.print(
            [
                "path": .string(result.path), "duration": .number(result.duration),
                "audioCodec": .string(result.codec), "sampleRate": .number(Double(result.sampleRate)),
            ], words: result.path)
        return ExitCode.done
    }
}

/// `waveform`: a picture of a sound.
enum WaveformCommand {
    static let command = Command(
        name: "waveform", usage: "[FILE] --output x.png",
        summary: "draw the sound of a file, or of the movie, as a picture",
        details: """
            A band for each channel: the extremes, and brighter the loudness (RMS). Vertical lines stand at each second; of
            longer sounds at every ten seconds, or each minute.

            examples:
              editor waveform song.mp3 --output song.png
              editor --config cfg.json waveform --output mix.png --width 2000
            """
    ) { invocation in
        guard let output = invocation.arguments.value("output") else {
            throw EditorError(.usage, "waveform needs --output x.png")
        }
        var size = WaveformPicture.standardSize
        size.width = (try invocation.arguments.integer("width", in: 16...16_000) ?? size.width) / 2 * 2
        let waveform: Waveform
        if let file = invocation.words.first {
            guard invocation.words.count == 1, !invocation.arguments.has("config") else {
                throw EditorError(.usage, "waveform draws one file, or the movie of --config")
            }
            waveform = try MediaInspector.waveform(file)
        } else {
            let composition = try invocation.composition()
            // The output is the picture, not a movie.
            var options = try invocation.options(for: composition)
            options.output = nil
            waveform = try composition.waveform(options)
        }
        try WaveformPicture.write(
            waveform, to: output, size: size, replacing: invocation.arguments.has("overwrite"))
        invocation.print(["path": .string(output)], words: output)
        return ExitCode.done
    }
}
