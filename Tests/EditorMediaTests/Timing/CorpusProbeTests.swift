import EditorCore
import EditorMedia
import Foundation
import Testing

/// What the probe says of each sample file against what ffprobe found by decoding it, written down in INDEX.tsv.
@Suite(.enabled(if: AssetFolder.corpus != nil))
struct CorpusProbeTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var path: String
        var facts: String
        var testDescription: String { path }

        /// The text after `key` in the first part of the facts that starts with `stream`.
        func value(_ key: String, of stream: String) -> String? {
            let part = facts.components(separatedBy: "; ").first {
                $0.range(of: "(^|.*\\|\\| )" + stream + "#", options: .regularExpression) != nil
                    || ($0.hasPrefix("container") && stream == "container")
            }
            guard let part, let start = part.range(of: " " + key) else { return nil }
            return String(part[start.upperBound...].prefix { $0 != " " && $0 != ";" && $0 != "(" })
        }
    }

    /// Times that repeat, or damage inside: the number of pictures cannot be told from the packets.
    static let uncounted = ["mediarecorder_chrome57", "no_timescale_matrix0"]

    static let samples: [Sample] = {
        guard let corpus = AssetFolder.corpus,
            let text = try? String(contentsOfFile: corpus + "/INDEX.tsv", encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 9, ["video/", "derived/", "names/", "broken/"].contains(where: fields[0].hasPrefix),
                fields[8].contains("decoded_frames="), !fields[8].contains("decoded_frames=0")
            else { return nil }
            return Sample(path: fields[0], facts: fields[8])
        }
    }()

    /// Damaged inside, or encrypted: what a decoder makes of it depends on the pictures before.
    static let damaged = ["no_timescale_matrix0", "cenc_encrypted", "vp8_alpha_ring_faulty"]

    /// What a source shows does not depend on what it was asked before.
    @Test(arguments: samples.filter { sample in !damaged.contains { sample.path.contains($0) } })
    func aPictureAloneIsThePictureInTurn(_ sample: Sample) throws {
        let library = FileMediaLibrary(baseDirectory: AssetFolder.corpus!)
        let info = try library.probe(sample.path)
        let video = try #require(info.video)
        let request = PictureRequest(canvas: PixelSize(width: 96, height: 96), gravity: .resize)
        let times = (0..<24).map { video.duration * Rational(Int64(2 * $0 + 1), 48) }
        let running = try library.openVideo(info, request: request)
        let inTurn = try times.map { try running.picture(at: $0).frame.checksum }
        for number in stride(from: 1, to: times.count, by: 4) {
            let alone = try library.openVideo(info, request: request).picture(at: times[number]).frame.checksum
            #expect(alone == inTurn[number], "\(times[number].seconds) s")
        }
    }

    @Test(arguments: samples)
    func agreesWithTheFacts(_ sample: Sample) throws {
        let info = try FileMediaLibrary(baseDirectory: AssetFolder.corpus!).probe(sample.path)
        let video = try #require(info.video)
        #expect("\(video.displayedSize.width)x\(video.displayedSize.height)" == sample.value("shown ", of: "v"))
        if !Self.uncounted.contains(where: sample.path.contains) {
            #expect(video.frameCount.map(String.init) == sample.value("decoded_frames=", of: "v"))
        }
        if let first = sample.value("first_pts=", of: "v").flatMap(Double.init),
            let last = sample.value("last_pts=", of: "v").flatMap(Double.init)
        {
            #expect(abs(video.firstTimestamp.seconds - first) < 0.002)
            // The last picture's own length comes on top.
            let surplus = video.duration.seconds - (last - first)
            #expect(surplus > 0.005 && surplus < 0.5, "\(video.duration) s")
            if let start = sample.value("start=", of: "a").flatMap(Double.init), let audio = info.audio.first {
                #expect(abs(audio.start.seconds - (start - first)) < 0.002)
            }
            if let length = sample.value("decoded=", of: "a").flatMap({ Double($0.dropLast()) }),
                !sample.path.contains("proto:colon")
            {
                #expect(abs((info.audio.first?.duration?.seconds ?? 0) - length) < 0.025)
            }
        }
        if let least = sample.value("gap_min=", of: "v").flatMap(Double.init),
            let most = sample.value("gap_max=", of: "v").flatMap(Double.init)
        {
            if most - least < 0.003 { #expect(!video.isVariableRate) }
            if most > 2 * least, most - least > 0.02, !sample.path.contains("no_timescale") {
                #expect(video.isVariableRate)
            }
        }
    }
}
