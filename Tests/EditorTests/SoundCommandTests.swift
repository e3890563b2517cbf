import EditorCore
import EditorKit
import Foundation
import Testing

/// `render-audio` and `waveform`.
@Suite struct SoundCommandTests {
    private func write(_ workshop: Workshop) throws {
        try workshop.makeColor("a.mov", "red", seconds: 1, tone: 440)
        try workshop.makeColor("b.mov", "blue", seconds: 1)
        try workshop.write(config: ["assetArray": ["a.mov", "b.mov"], "originalVolume": 0.5])
    }

    /// The sound of the movie, sample for sample: a movie with lossless sound is taken apart by ffmpeg.
    @Test func theSoundIsTheMovies() throws {
        let workshop = try Workshop()
        try write(workshop)
        try workshop.render("m.mkv", "--set", "export.audioCodec=flac", "--set", "outputFileType=mkv")
        for name in ["x.wav", "x.flac", "x.m4a"] {
            let result = try workshop.editor("--config", "cfg.json", "render-audio", "--output", name)
            #expect(result.status == 0 && result.out == name + "\n", "\(result.err)")
        }
        let movie = try workshop.samples("m.mkv")
        #expect(movie.count == 96_000)
        let (wav, flac, coded) = (
            try workshop.samples("x.wav"), try workshop.samples("x.flac"), try workshop.samples("x.m4a")
        )
        #expect(wav == movie && flac == movie)
        #expect(abs(Workshop.amplitude(wav[4_000..<44_000], hertz: 440) - 0.125) < 0.001)
        #expect(Workshop.level(wav[48_100...]) < -100)
        #expect(abs(Workshop.amplitude(coded[4_000..<44_000], hertz: 440) - 0.125) < 0.003)
        let facts = try workshop.probe("x.wav", "-show_streams")
        #expect(facts.string("streams.0.codec_name") == "pcm_s24le" && facts.number("streams.0.duration") == 2)
    }

    @Test func wordsAndFilesAreChecked() throws {
        let workshop = try Workshop()
        try write(workshop)
        let arguments = ["--config", "cfg.json", "render-audio", "--output"]
        for (output, status) in [("x.ogg", Int32(64)), ("no/x.wav", 73)] {
            let result = try workshop.run(Workshop.editor, arguments + [output])
            #expect(result.status == status && result.err.contains(output), "\(result.err)")
        }
        let part = try workshop.run(Workshop.editor, arguments + ["x.wav", "--from", "0.5", "--to", "1.25", "--json"])
        #expect(try part.json.number("duration") == 22.0 / 30 || part.json.number("duration") == 23.0 / 30)
        #expect(try workshop.run(Workshop.editor, arguments + ["x.wav"]).status == 73)
        #expect(try workshop.run(Workshop.editor, arguments + ["x.wav", "--overwrite"]).status == 0)
        #expect(try workshop.samples("x.wav").count == 96_000)
        #expect(!workshop.files.contains { $0.hasSuffix(".part") })
    }

    /// Half a second of tone, then silence: the first half of the picture is filled as high as the tone is loud.
    @Test func aWaveformShowsTheSound() throws {
        let workshop = try Workshop()
        try workshop.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*500*t)*lt(t,0.5)|0:s=48000:d=1'", "-c:a", "pcm_s16le",
            "tone.wav",
        ])
        let result = try workshop.editor("waveform", "tone.wav", "--output", "w.png", "--width", "200")
        #expect(result.status == 0, "\(result.err)")
        func luma(_ crop: String) throws -> Double { try #require(try workshop.lumas("w.png", crop: crop).first) }
        // The left channel's band is 120 rows high; half of full scale reaches 59 / 2 rows from its middle.
        let inside = try luma("90:4:4:60")
        let peak = try luma("90:4:4:34")
        let outside = try luma("90:4:4:20")
        let silent = try luma("90:20:106:66")
        let right = try luma("90:20:4:186")
        #expect(inside > 200 && peak > outside + 50 && outside < 60, "\(inside) \(peak) \(outside)")
        #expect(silent < 60 && right < 60)
        try write(workshop)
        let movie = try workshop.editor("--config", "cfg.json", "waveform", "--output", "m.png")
        #expect(movie.status == 0, "\(movie.err)")
        let size = try workshop.probe("m.png", "-show_streams")
        #expect(size.number("streams.0.width") == 1200 && size.number("streams.0.height") == 240)
    }
}
