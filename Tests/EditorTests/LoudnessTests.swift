import EditorCore
import Foundation
import Testing

/// The loudness of whole movies, with ffmpeg's ebur128 as the judge. The movies are lossless, so that no codec is judged.
@Suite struct LoudnessTests {
    /// Syllables of a buzz through two formants, with pauses: what speech is to a meter.
    private static let speech =
        "aevalsrc='0.3*(sin(2*PI*130*t)+0.7*sin(2*PI*260*t)+0.5*sin(2*PI*520*t)+0.4*sin(2*PI*1040*t)+0.2*sin(2*PI*2600*t))"
        + "*(0.5+0.5*sin(2*PI*4*t))*lt(mod(t,2.1),1.4)':s=48000:d=8"
    /// Chords, a bass and drums with sharp crests.
    private static let music =
        "aevalsrc='0.1*(sin(2*PI*220*t)+sin(2*PI*277*t)+sin(2*PI*330*t))+0.15*sin(2*PI*55*t)"
        + "+0.9*(random(0)-0.5)*exp(-40*mod(t,0.5))|0.1*(sin(2*PI*220*t)+sin(2*PI*277*t)-sin(2*PI*330*t))+0.15*sin(2*PI*55*t)"
        + "+0.9*(random(1)-0.5)*exp(-40*mod(t,0.5))':s=48000:d=8"

    private func stage(_ sound: String) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.ffmpeg(
            ["-f", "lavfi", "-i", "color=c=gray:s=32x56:r=10:d=8", "-f", "lavfi", "-i", sound] + Workshop.exactly
                + ["-c:a", "pcm_f32le", "clip.mov"])
        return workshop
    }

    private func render(_ workshop: Workshop, _ loudness: JSONValue, _ more: [String: JSONValue] = [:]) throws -> (
        reported: JSONValue, lufs: Double, peak: Double
    ) {
        var config: [String: JSONValue] = [
            "assetArray": ["clip.mov"], "renderSize": ["width": 32, "height": 56], "frameRate": 10,
            "export": ["preset": "ultrafast", "audioCodec": "flac"], "loudness": loudness,
        ]
        config.merge(more) { $1 }
        try workshop.write(config: .object(config))
        let result = try workshop.render("a.mkv", "--overwrite", "--json")
        let meter = try workshop.ffmpeg(["-i", "a.mkv", "-vn", "-af", "ebur128=peak=true", "-f", "null", "-"])
        let summary = meter.err[meter.err.range(of: "Summary:", options: .backwards)!.lowerBound...]
        func number(_ label: String) -> Double {
            guard let place = summary.range(of: label) else { return .nan }
            return Double(summary[place.upperBound...].split(separator: " ").first ?? "") ?? -.infinity
        }
        return (try result.json, number("I:"), number("Peak:"))
    }

    @Test(arguments: [
        ("speech", "social", -14.0, -1.0), ("speech", "podcast", -16, -1), ("speech", "ebuR128", -23, -1),
        ("music", "social", -14, -1), ("music", "ebuR128", -23, -1), ("music", "own", -18, -6),
        ("speech", "own", -18, -6),
    ])
    func theMovieComesToItsTarget(_ material: String, _ preset: String, _ target: Double, _ ceiling: Double) throws {
        let workshop = try stage(material == "speech" ? Self.speech : Self.music)
        let loudness: JSONValue =
            preset == "own" ? ["target": .number(target), "truePeak": .number(ceiling)] : .string(preset)
        let (reported, lufs, peak) = try render(workshop, loudness)
        #expect(abs(lufs - target) < 0.5)
        #expect(peak < ceiling + 0.15)
        #expect(abs(try #require(reported.number("loudness.integrated")) - lufs) < 0.15)
        #expect(abs(try #require(reported.number("loudness.truePeak")) - peak) < 0.5)
        if case .array(let warnings)? = reported.at("warnings") { #expect(warnings.isEmpty, "\(warnings)") }
    }

    @Test func silenceStaysSilence() throws {
        let workshop = try stage("anullsrc=r=48000:cl=stereo:d=8")
        let (reported, _, _) = try render(workshop, "social")
        #expect(try workshop.samples("a.mkv").allSatisfy { $0 == 0 })
        #expect(reported.at("loudness.integrated") == .null && reported.at("loudness.truePeak") == .null)
        #expect(reported.string("warnings.0.code") == "loudness.silent")
    }

    /// Clicks hold no loudness; the limiter would have to crush them.
    @Test func whatCannotBeReachedIsTold() throws {
        let workshop = try stage("aevalsrc='0.9*lt(mod(t,0.5),0.0002)':s=48000:d=8")
        let (reported, lufs, peak) = try render(workshop, ["target": -6])
        #expect(reported.string("warnings.0.code") == "loudness.missed")
        #expect(lufs < -7 && peak < -0.8)
    }

    /// Without a target nothing is changed, and what there is is told.
    @Test func isToldWithoutATarget() throws {
        let workshop = try stage(Self.speech)
        let (plain, lufs, _) = try render(workshop, .null)
        #expect(abs(try #require(plain.number("loudness.integrated")) - lufs) < 0.15)
        // From the cache, too.
        let (again, _, _) = try render(workshop, .null)
        #expect(again.number("spans.cached") == again.number("spans.total"))
        #expect(again.number("loudness.integrated") == plain.number("loudness.integrated"))
    }

    @Test func musicAndClipsAreMeasuredTogether() throws {
        let workshop = try stage(Self.speech)
        try workshop.ffmpeg(["-f", "lavfi", "-i", Self.music, "music.wav"])
        let (_, lufs, peak) = try render(
            workshop, "social", ["effects": [["type": "music", "source": "music.wav", "volume": 1, "duck": true]]])
        #expect(abs(lufs + 14) < 0.5)
        #expect(peak < -0.85)
    }
}
