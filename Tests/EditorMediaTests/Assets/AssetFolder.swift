import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// A temporary folder of asset files made by the ffmpeg tool, and a loader for it.
final class AssetFolder: Sendable {
    let path: String
    let loader: FileAssetLoader

    init(aliases: [AssetReference.Kind: [String: String]] = [:]) throws {
        path = NSTemporaryDirectory() + "assets-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        loader = FileAssetLoader(baseDirectory: path, aliases: aliases)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: ffmpegPath)
    private static let ffmpegPath = "/usr/bin/ffmpeg"

    /// Folder of sample files, if the environment names one.
    static let corpus = ProcessInfo.processInfo.environment["EDITOR_CORPUS"]

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return name
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    /// Runs ffmpeg in the folder.
    func ffmpeg(_ arguments: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.ffmpegPath)
        process.arguments = ["-v", "error", "-nostdin", "-y"] + arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "ffmpeg \(arguments)")
    }

    /// Encodes raw pixels as they are.
    func encode(_ pixels: [UInt8], _ format: String, _ size: PixelSize, as name: String, _ options: String = "") throws
    {
        try write(pixels, name + ".raw")
        try ffmpeg(
            "-f rawvideo -pix_fmt \(format) -s \(size.width)x\(size.height) -r 10 -i \(name).raw \(options) \(name)")
    }

    func image(_ name: String, width: Int? = nil) throws -> ImageAsset {
        try loader.image(AssetReference(path: name, kind: .image), width: width)
    }

    func audio(_ name: String) throws -> any AudioReading {
        try loader.audio(AssetReference(path: name, kind: .audio))
    }

    /// The sentence that loading the image fails with.
    func failure(_ name: String) -> EditorError? {
        do {
            _ = try image(name)
            return nil
        } catch {
            return error as? EditorError
        }
    }
}

extension OverlayPicture {
    /// R, G, B, A, premultiplied.
    func pixel(_ x: Int, _ y: Int) -> [Int] { (0..<4).map { Int(pixels[(y * width + x) * 4 + $0]) } }

    /// The largest difference of any byte.
    func difference(from other: [UInt8]) -> Int {
        pixels.count == other.count ? zip(pixels, other).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) } : 256
    }
}

func isClose(_ a: [Int], _ b: [Int], _ tolerance: Int = 2) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
}
