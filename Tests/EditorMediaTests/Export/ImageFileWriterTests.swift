import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

@Suite struct ImageFileWriterTests {
    /// BT.709: 75% bars' green, and the sRGB bytes it stands for.
    private let green = SyntheticFrames.plain(PixelSize(width: 48, height: 32), y: 133, u: 63, v: 52)

    /// What ffmpeg reads in a file, as R, G, B bytes.
    private func read(_ path: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return Array(data)
    }

    @Test(arguments: [("png", 1), ("jpg", 4), ("jpeg", 4), ("webp", 6), ("PNG", 1)])
    func everyEndingIsWritten(ending: String, tolerance: Int) throws {
        let folder = try SpanFileStoreTests.Folder()
        try ImageFileWriter.write(green, to: "\(folder.path)/p.\(ending)")
        #expect(folder.files == ["p.\(ending)"])
        let bytes = try read("\(folder.path)/p.\(ending)")
        #expect(bytes.count == 48 * 32 * 3)
        // 75% green in BT.709 limited range.
        for i in 0..<bytes.count / 3 {
            let distance = zip([0, 191, 0], bytes[i * 3..<i * 3 + 3]).map { abs($0 - Int($1)) }.max() ?? 255
            #expect(distance <= tolerance)
            if distance > tolerance { break }
        }
    }

    @Test func theWidthIsAsWanted() throws {
        let folder = try SpanFileStoreTests.Folder()
        try ImageFileWriter.write(green, to: "\(folder.path)/p.png", width: 24)
        #expect(try read("\(folder.path)/p.png").count == 24 * 16 * 3)
    }

    @Test(arguments: ["p.gif", "p", "png", "p.png.txt"])
    func otherEndingsAreRefused(name: String) throws {
        let error = try #require(throws: EditorError.self) { try ImageFileWriter.write(green, to: "/tmp/\(name)") }
        #expect(error.kind == .usage)
        #expect(error.message.contains(".png, .jpg"))
    }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let error = try #require(throws: EditorError.self) { try ImageFileWriter.write(green, to: "/nowhere/p.png") }
        #expect(error.kind == .cannotCreateOutput && error.message.contains("/nowhere/p.png"))
    }
}
