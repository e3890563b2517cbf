import EditorCore
import Foundation
import Synchronization
import Testing

private let corpus = ProcessInfo.processInfo.environment["EDITOR_CORPUS"]
private let isEnabled = corpus != nil && ProcessInfo.processInfo.environment["EDITOR_BIN"] != nil

/// Real clips as the editor composes them, against ffmpeg's filters doing the same.
@Suite("similarity", .enabled(if: isEnabled, "needs EDITOR_CORPUS, a folder of media, and EDITOR_BIN, a release build"))
struct CorpusSimilarityTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private struct Sample: Sendable {
        var file: String
        var width: Int
        var height: Int
        var gravity: String
        var rate: String
        /// What the file is, where libav's scaler would take it for something else.
        var matrix = "auto"
        /// What ffmpeg has to do first.
        var before = ""
        /// Timestamps of a variable rate are taken as they are: a picture shows from its own instant on. Others are rounded
        /// to milliseconds by some containers.
        var isVariable = false
        /// A lower bar, and why.
        var least = (0.98, "")

        /// The fitting in ffmpeg's words; its sizes are even and nearest, as the editor's.
        var filter: String {
            let quality = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
            let colour = "in_color_matrix=\(matrix):out_color_matrix=bt709:out_range=tv"
            let wide = "scale=\(width):2*round(\(width)/dar/2):\(quality):\(colour)"
            let high = "scale=2*round(\(height)*dar/2):\(height):\(quality):\(colour)"
            let fitting =
                switch gravity {
                // The width fits: cut or padded above and below.
                case "fitWidth": "\(wide),crop=iw:min(ih\\,\(height)),pad=\(width):\(height):-1:-1"
                case "resize": "scale=\(width):\(height):\(quality):\(colour)"
                // The higher one of the two cases is chosen by the sample's own shape.
                case "resizeAspect":
                    isWiderThanCanvas ? "\(wide),pad=\(width):\(height):-1:-1" : "\(high),pad=\(width):\(height):-1:-1"
                default: isWiderThanCanvas ? "\(high),crop=\(width):\(height)" : "\(wide),crop=\(width):\(height)"
                }
            return [
                before, fitting, "setsar=1", "fps=\(rate):round=\(isVariable ? "up" : "near"):start_time=0",
                "format=yuv420p",
            ]
            .filter { !$0.isEmpty }.joined(separator: ",")
        }

        var isWiderThanCanvas = true
    }

    private static let samples = [
        Sample(
            file: "iphone_portrait_vfr_rot90.mov", width: 240, height: 426, gravity: "fitWidth", rate: "30",
            isVariable: true),
        Sample(
            file: "rotate_bunny_51_startpts.mp4", width: 360, height: 360, gravity: "resizeAspect", rate: "24",
            before: "setpts=PTS-STARTPTS", isWiderThanCanvas: false),
        Sample(
            file: "start_10s_bframes.mp4", width: 426, height: 240, gravity: "resizeAspect", rate: "30",
            matrix: "bt601",
            before: "setpts=PTS-STARTPTS", isWiderThanCanvas: false),
        Sample(
            file: "elst_3_edits.mov", width: 320, height: 320, gravity: "resizeAspectFill", rate: "24", matrix: "bt601",
            least: (
                0.97, "(hard black and white: ffmpeg cuts the overshoot of the filter off on its way through R′G′B′)"
            )),
        Sample(
            file: "fps_2397_mpeg4_mp3.avi", width: 480, height: 270, gravity: "resizeAspect", rate: "24000/1001",
            matrix: "bt601"),
        Sample(
            file: "fps_30_numbered_blue.webm", width: 320, height: 180, gravity: "fitWidth", rate: "30",
            matrix: "bt601"),
        Sample(
            file: "fps_100frames_numbered_square.webm", width: 270, height: 480, gravity: "resizeAspect", rate: "30",
            matrix: "bt709"),
        Sample(file: "theora_vorbis.ogv", width: 240, height: 320, gravity: "resize", rate: "15", matrix: "bt601"),
        Sample(
            file: "h263_amr_sar12_11.3gp", width: 378, height: 216, gravity: "resizeAspect", rate: "30", matrix: "bt601"
        ),
        Sample(file: "av1_5s_noaudio.mkv", width: 320, height: 240, gravity: "resizeAspectFill", rate: "25"),
        Sample(file: "odd_958_bamboo.mp4", width: 270, height: 480, gravity: "fitWidth", rate: "30"),
        Sample(file: "chapters_444.mkv", width: 320, height: 240, gravity: "resize", rate: "30", matrix: "bt601"),
        Sample(
            file: "vfr_iphone_long_gap.mov", width: 320, height: 240, gravity: "resize", rate: "30", matrix: "bt601",
            isVariable: true),
        Sample(
            file: "h264_interlaced_crop.mp4", width: 320, height: 180, gravity: "resize", rate: "25", matrix: "bt601",
            before: "bwdif=mode=send_frame:parity=auto:deint=interlaced"),
        Sample(file: "sar_4by3_bbb.mp4", width: 480, height: 270, gravity: "fitWidth", rate: "24", matrix: "bt601"),
        Sample(
            file: "odd_161x121_vp9.webm", width: 160, height: 120, gravity: "resize", rate: "2997/100",
            matrix: "bt601"),
    ]

    @Test func clipsLookAsFFmpegMakesThem() throws {
        let folder = try #require(corpus) + "/video/"
        let rows = Mutex([String](repeating: "", count: Self.samples.count))
        DispatchQueue.concurrentPerform(iterations: 2) { lane in
            for number in stride(from: lane, to: Self.samples.count, by: 2) {
                let row: String
                do { row = try compare(Self.samples[number], in: folder, number) } catch {
                    Issue.record(error, "\(Self.samples[number].file)")
                    row = "\(error)"
                }
                rows.withLock { $0[number] = row }
            }
        }
        print(rows.withLock { $0.joined(separator: "\n") })
    }

    private func compare(_ sample: Sample, in folder: String, _ number: Int) throws -> String {
        let path = folder + sample.file
        let config: JSONValue = [
            "assetArray": [.string(path)], "videoGravity": .string(sample.gravity), "frameRate": .string(sample.rate),
            "renderSize": ["width": .number(Double(sample.width)), "height": .number(Double(sample.height))],
            "export": ["preset": "ultrafast", "crf": 0],
        ]
        try workshop.write(config: config, to: "\(number).json")
        let result = try workshop.editor(
            "--config", "\(number).json", "run", "--output", "\(number).mp4", "--to", "1", "--no-cache", "--progress",
            "none")
        try #require(result.status == 0, "\(result.err)")
        let count = Int(try #require(Rational(sample.rate)).doubleValue.rounded())
        try workshop.ffmpeg([
            "-i", path, "-map", "0:v:0", "-an", "-vf", sample.filter, "-frames:v", "\(count)", "-c:v", "ffv1",
            "\(number).mkv",
        ])
        // By number, not by the containers' rounded times.
        let pairs = "[0:v]settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];"
        let compared = try workshop.ffmpeg([
            "-i", "\(number).mp4", "-i", "\(number).mkv", "-lavfi", pairs + "[a][b]ssim=stats_file=\(number).txt", "-f",
            "null", "-",
        ])
        let all = compared.err.split(separator: "\n").last { $0.contains("SSIM Y:") }
        let text = try #require(all?.components(separatedBy: "All:").last?.split(separator: " ").first)
        let similarity = try #require(Double(text))
        let stats = try String(contentsOfFile: workshop.path("\(number).txt"), encoding: .utf8).split(separator: "\n")
        let worst = stats.compactMap { line in
            line.components(separatedBy: "All:").last?.split(separator: " ").first.flatMap { Double($0) }
        }.min()
        #expect(stats.count == count, "\(sample.file): \(stats.count) pictures")
        #expect(similarity >= sample.least.0, "\(sample.file): \(similarity) \(sample.least.1)")
        return "\(sample.file) \(sample.gravity) \(sample.width)×\(sample.height): SSIM \(similarity), "
            + "worst picture \(worst ?? 0), \(stats.count) pictures \(sample.least.1)"
    }
}
