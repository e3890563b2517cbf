import EditorCore
import Foundation
import Testing

/// Measures sound with ffmpeg's filters: an opinion from outside.
enum FFmpegMeter {
    /// Integrated loudness in LUFS by the `ebur128` filter.
    static func loudness(_ sound: AudioBuffer) throws -> Double {
        try number(after: "I:", in: run("ebur128", on: sound), last: true)
    }

    /// Largest magnitude in dB after resampling to 16 times the rate with a long filter. Silence is put around the
    /// sound, because ffmpeg's resampler would mirror it at its ends.
    static func truePeak(_ sound: AudioBuffer) throws -> Double {
        let filter =
            "adelay=4096S:all=1,apad=pad_len=4096,aresample=\(16 * AudioFormat.sampleRate):filter_size=128:phase_shift=10,"
            + "aformat=fltp,astats=measure_perchannel=none"
        return try number(after: "Peak level dB:", in: run(filter, on: sound), last: true)
    }

    private static func number(after label: String, in text: String, last: Bool) throws -> Double {
        let range = try #require(text.range(of: label, options: last ? .backwards : []))
        let word = text[range.upperBound...].split(separator: " ").first?.split(separator: "\n").first
        return try #require(word.flatMap { Double($0) })
    }

    private static func run(_ filter: String, on sound: AudioBuffer) throws -> String {
        var samples: [Float] = []
        for i in 0..<sound.sampleCount { for channel in sound.channels { samples.append(channel[i]) } }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString).f32")
        try samples.withUnsafeBytes { Data($0) }.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-hide_banner", "-nostats", "-f", "f32le", "-ar", "\(AudioFormat.sampleRate)"]
            + [
                "-ac", "\(sound.channels.count)", "-i", file.path, "-af", filter, "-c:a", "pcm_f32le", "-f", "null",
                "-",
            ]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }
}
