import BeautyEffects
import ColorEffects
import EditorCore
import EditorTestSupport
import Foundation

// Times the picture effects alone: milliseconds of one thread's CPU time for a frame, the fastest of many.
//
// usage: filter-times FRAMES.yuv WIDTH HEIGHT TABLE.cube [ROUNDS]
//
// FRAMES.yuv holds raw pictures of planar 4:2:0. Prints a JSON object of times by name. The first rounds, in which memory
// is touched and colours are met for the first time, are told apart as `first`.

let arguments = CommandLine.arguments
guard arguments.count >= 5, let width = Int(arguments[2]), let height = Int(arguments[3]),
    let file = FileManager.default.contents(atPath: arguments[1]),
    let table = FileManager.default.contents(atPath: arguments[4])
else {
    FileHandle.standardError.write(Data("usage: filter-times FRAMES.yuv WIDTH HEIGHT TABLE.cube [ROUNDS]\n".utf8))
    exit(64)
}
let rounds = arguments.count > 5 ? Int(arguments[5]) ?? 40 : 40
let size = PixelSize(width: width, height: height)
let bytes = [UInt8](file)
let frameBytes = width * height * 3 / 2

func frame(_ number: Int, _ format: PixelFormat) -> VideoFrame {
    let offsets = [0, width * height, width * height * 5 / 4]
    return SyntheticFrames.frame(size, format: format) { plane, x, y in
        if plane == 3 { return 255 }
        return bytes[number * frameBytes + offsets[plane] + y * (plane == 0 ? width : width / 2) + x]
    }
}

let frameCount = max(1, bytes.count / frameBytes)
let planar = (0..<frameCount).map { frame($0, .yuv420) }
let withAlpha = (0..<frameCount).map { frame($0, .yuva420) }
let range = TimeRange(start: .zero, duration: MediaTime(value: 1000, timescale: 1))
var assets = FakeAssets()
assets.texts["table.cube"] = String(decoding: table, as: UTF8.self)
let context = EffectContext(
    canvas: size, frameRate: Rational(30), duration: range.duration, activeRange: range, assets: assets)

/// This thread's CPU time in milliseconds.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

func best<E: VideoEffect>(_ type: E.Type, _ json: JSONValue) throws -> [String: Double] {
    var reading = ParameterReading()
    guard let parameters = E.Parameters.read(json, at: JSONPointer(), into: &reading), reading.findings.isEmpty else {
        throw EditorError(.usage, "\(E.id): \(reading.findings.map(\.sentence))")
    }
    let effect = try E(parameters, context: context)
    let frames = E.pixelFormat == .yuva420 ? withAlpha : planar
    var (first, best) = (0.0, Double.infinity)
    for round in 0..<rounds {
        var picture = frames[round % frames.count]
        // The copy that writing makes while others hold the picture is the compositor's, not the effect's.
        picture.withMutablePlane(0) { _, _ in }
        let time = EffectTime(
            time: MediaTime(value: Int64(round), timescale: 30), index: round, activeRange: range)
        let start = threadTime()
        try effect.process(&picture, at: time)
        let spent = threadTime() - start
        if round < frames.count { first = max(first, spent) } else { best = min(best, spent) }
    }
    return ["best": best, "first": first]
}

let everything: JSONValue = ["smooth": 0.7, "whiten": 0.5, "ruddy": 0.5, "sharpen": 0.5]
let everythingEverywhere: JSONValue = [
    "smooth": 0.7, "whiten": 0.5, "ruddy": 0.5, "sharpen": 0.5, "skinOnly": false,
]
let face: JSONValue = ["shape": "ellipse", "width": 0.3, "height": 0.4]
var times: [String: [String: Double]] = [:]
times["beauty, smooth"] = try best(Beauty.self, ["smooth": 0.7])
times["beauty, everything"] = try best(Beauty.self, everything)
times["beauty, smooth, whole picture"] = try best(Beauty.self, ["smooth": 0.7, "skinOnly": false])
times["beauty, everything, whole picture"] = try best(Beauty.self, everythingEverywhere)
times["lut, 3D"] = try best(LookUpTable.self, ["file": "table.cube"])
times["look"] = try best(Look.self, ["name": "golden"])
times["look, half strength"] = try best(Look.self, ["name": "golden", "strength": 0.5])
times["color"] = try best(ColorAdjustment.self, ["exposure": 0.3, "contrast": 0.3, "temperature": 0.2])
times["color, vignette alone"] = try best(ColorAdjustment.self, ["vignette": 0.5])
times["blur, everything"] = try best(Blur.self, [:])
times["blur, a face"] = try best(Blur.self, ["region": face])
times["pixelate, everything"] = try best(Pixelate.self, [:])
times["pixelate, a face"] = try best(Pixelate.self, ["region": face])
times["chromaKey"] = try best(ChromaKey.self, ["color": "00b140"])
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
print(String(decoding: try encoder.encode(times), as: UTF8.self))
