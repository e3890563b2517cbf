import EditorCore
import EditorMedia
import Foundation
import Testing

/// A temporary folder of movies made by the ffmpeg tool, and a library that reads them.
final class ClipFolder: Sendable {
    let path: String
    let library: FileMediaLibrary

    init() throws {
        path = NSTemporaryDirectory() + "clips-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        library = FileMediaLibrary(baseDirectory: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a file from ffmpeg's arguments; the name is added.
    func make(_ name: String, _ arguments: String) throws -> MediaInfo {
        let words = arguments.split(separator: " ").map(String.init)
        _ = try Self.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + words + [path + "/" + name])
        return try library.probe(name)
    }

    /// What a program prints.
    @discardableResult
    static func run(_ tool: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + tool)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(tool) \(arguments.joined(separator: " "))")
        return data
    }

    func video(_ info: MediaInfo) throws -> any VideoSource {
        let size = info.video!.displayedSize
        let canvas = PixelSize(width: (size.width + 1) / 2 * 2, height: (size.height + 1) / 2 * 2)
        return try library.openVideo(info, request: PictureRequest(canvas: canvas, gravity: .resize))
    }

    /// Samples of the first sound stream, as a clip plays it.
    func sound(_ info: MediaInfo, range: TimeRange, speed: Rational = .one, isReversed: Bool = false) throws
        -> any AudioReading
    {
        try library.openAudio(info, stream: 0, range: range, speed: speed, isReversed: isReversed)
    }
}

extension VideoFrame {
    /// FNV-1a over the pixels of all planes.
    var checksum: UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for plane in 0..<format.planeCount {
            withPlane(plane) { pixels, layout in
                for y in 0..<layout.height {
                    for x in 0..<layout.width {
                        sum = (sum ^ UInt64(pixels[y * layout.stride + x])) &* 0x100_0000_01b3
                    }
                }
            }
        }
        return sum
    }
}

extension AudioBuffer {
    /// The sound from a position on.
    static func read(_ sound: any AudioReading, from position: Int, count: Int, block: Int = 4096) throws -> [Float] {
        var all: [Float] = []
        while all.count < count {
            var part = AudioBuffer(sampleCount: min(block, count - all.count))
            _ = try sound.read(from: position + all.count, into: &part)
            all += part.channels[0]
        }
        return all
    }
}
