import EditorCore
import Foundation
import Testing

/// Media made by ffmpeg, and movies taken apart by it.
extension Workshop {
    /// A clip whose picture `n` has the luma 40 + 2n all over, tagged BT.709; with a tone if a frequency is given.
    func makeCounter(
        _ name: String, frames: Int = 60, rate: String = "30", size: String = "160x284", tone: Double? = nil,
        chroma: (Int, Int) = (128, 128)
    ) throws {
        let length = "trim=end_frame=\(frames)"
        var arguments = [
            "-f", "lavfi", "-i",
            "nullsrc=s=\(size):r=\(rate),format=yuv420p,geq=lum='40+2*N':cb=\(chroma.0):cr=\(chroma.1),\(length)",
        ]
        if let tone {
            let seconds = Double(frames) / (Rational(rate)?.doubleValue ?? 30)
            arguments += [
                "-f", "lavfi", "-i", "aevalsrc=0.25*sin(2*PI*\(tone)*t)|0.25*sin(2*PI*\(tone)*t):s=48000:d=\(seconds)",
            ]
        }
        try ffmpeg(arguments + Self.exactly + ["-c:a", "pcm_s16le", name])
    }

    /// A clip of one colour, tagged BT.709.
    func makeColor(
        _ name: String, _ color: String, seconds: Double, size: String = "160x284", rate: String = "30",
        tone: Double? = nil
    ) throws {
        var arguments = [
            "-f", "lavfi", "-i",
            "color=c=\(color):s=\(size):r=\(rate):d=\(seconds),scale=out_color_matrix=bt709,format=yuv420p",
        ]
        if let tone {
            arguments += [
                "-f", "lavfi", "-i", "aevalsrc=0.25*sin(2*PI*\(tone)*t)|0.25*sin(2*PI*\(tone)*t):s=48000:d=\(seconds)",
            ]
        }
        try ffmpeg(arguments + Self.exactly + ["-c:a", "pcm_s16le", name])
    }

    /// Near enough to lossless, quick, and said to be BT.709.
    static let exactly = [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-colorspace", "bt709", "-color_primaries", "bt709",
        "-color_trc",
        "bt709", "-color_range", "tv",
    ]

    // MARK: Movies taken apart

    /// Mean luma of each picture, of a part of it if one is given in pixels.
    func lumas(_ name: String, crop: String? = nil) throws -> [Double] {
        let filter = (crop.map { "crop=\($0)," } ?? "") + "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-"
        let result = try ffmpeg(["-i", name, "-an", "-vf", filter, "-f", "null", "-"])
        return result.out.split(separator: "\n").compactMap { line in
            line.hasPrefix("lavfi.signalstats.YAVG=") ? Double(line.dropFirst(23)) : nil
        }
    }

    /// Which picture of a counter each picture shows.
    func counters(_ name: String) throws -> [Int] { try lumas(name).map { Int((($0 - 40) / 2).rounded()) } }

    /// R, G, B of one pixel of one picture.
    func color(_ name: String, frame: Int, x: Int, y: Int) throws -> [Int] {
        let target = "tmp/pixel-\(UUID().uuidString)"
        try ffmpeg([
            "-i", name, "-vf",
            "select=eq(n\\,\(frame)),crop=2:2:\(x / 2 * 2):\(y / 2 * 2),scale=in_color_matrix=bt709,format=rgb24",
            "-frames:v",
            "1", "-f", "rawvideo", target,
        ])
        return try bytes(target).prefix(3).map { Int($0) }
    }

    /// Samples of the first channel at 48 kHz.
    func samples(_ name: String) throws -> [Float] {
        let target = "tmp/samples-\(UUID().uuidString)"
        try ffmpeg(["-i", name, "-vn", "-ac", "1", "-af", "pan=mono|c0=c0", "-ar", "48000", "-f", "f32le", target])
        return try bytes(target).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// RMS of samples, in dB.
    static func level(_ samples: ArraySlice<Float>) -> Double {
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
        return power > 1e-12 ? 10 * log10(power) : -120
    }

    /// How much of a frequency is in some samples, as an amplitude.
    static func amplitude(_ samples: ArraySlice<Float>, hertz: Double) -> Double {
        var (re, im) = (0.0, 0.0)
        for (i, sample) in samples.enumerated() {
            re += Double(sample) * cos(2 * .pi * hertz * Double(i) / 48_000)
            im += Double(sample) * sin(2 * .pi * hertz * Double(i) / 48_000)
        }
        return 2 * (re * re + im * im).squareRoot() / Double(samples.count)
    }
}

extension JSONValue {
    /// Members by name and elements by number, as in `streams.0.codec_name`; nil when it is not there.
    func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, key in
            if case .array(let elements)? = value {
                return Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            }
            return value?[String(key)]
        }
    }

    /// The number, also of digits in quotes as ffprobe writes them.
    func number(_ path: String) -> Double? {
        switch at(path) {
        case .number(let number)?: number
        case .string(let text)?: Double(text)
        default: nil
        }
    }

    func string(_ path: String) -> String? { if case .string(let text)? = at(path) { text } else { nil } }
}
