import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// Text files, font files, and the names that assets go by.
struct TextAndFontTests {
    private func text(_ bytes: [UInt8]) throws -> String {
        let folder = try AssetFolder()
        try folder.write(bytes, "a.srt")
        return try folder.loader.text(AssetReference(path: "a.srt", kind: .captions))
    }

    @Test func `UTF-8 and UTF-16`() throws {
        let words = "héllo 世界 👋\n"
        #expect(try text(Array(words.utf8)) == words)
        #expect(try text([0xEF, 0xBB, 0xBF] + Array(words.utf8)) == words)
        #expect(try text([0xFF, 0xFE] + words.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == words)
        #expect(try text([0xFE, 0xFF] + words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == words)
        #expect(try text([]) == "")
    }

    /// Latin-1, a truncated character, half a surrogate pair, an odd number of bytes.
    @Test(arguments: [
        ([0x61, 0x62, 0xE9, 0x63], "byte 2 "), ([0xEF, 0xBB, 0xBF, 0x61, 0xE4, 0xB8], "byte 4 "),
        ([0xFF, 0xFE, 0x3D, 0xD8], "UTF-16"), ([0xFE, 0xFF, 0], "UTF-16"),
    ])
    func `what is no text`(bytes: [UInt8], words: String) throws {
        #expect {
            try text(bytes)
        } throws: {
            let message = ($0 as? EditorError)?.message ?? ""
            return message.contains("a.srt") && message.contains(words)
        }
    }

    @Test func `a text file of more than 16 MB is refused`() throws {
        #expect(throws: EditorError.self) { try text(Array(repeating: 0x61, count: (16 << 20) + 1)) }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: AssetFolder.sampleFont)))
    func `a font file tells its family`() async throws {
        let folder = try AssetFolder()
        try FileManager.default.copyItem(atPath: AssetFolder.sampleFont, toPath: folder.file("my font.ttf"))
        let found = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask { try? folder.loader.fontFamily(AssetReference(path: "my font.ttf", kind: .font)) }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(found == Array(repeating: "DejaVu Sans Mono", count: 8))
    }

    @Test func `what is no font`() throws {
        let folder = try AssetFolder()
        try folder.write(Array("no font".utf8), "a.ttf")
        for name in ["a.ttf", "missing.ttf"] {
            #expect {
                try folder.loader.fontFamily(AssetReference(path: name, kind: .font))
            } throws: {
                ($0 as? EditorError)?.message.contains(name) == true
            }
        }
    }

    @Test func `names stand for paths unless there is such a file`() throws {
        let folder = try AssetFolder(aliases: [.audio: ["Sunny": "music/sunny.mp3", "here.mp3": "other.mp3"]])
        try folder.write([1], "here.mp3")
        func path(_ name: String, _ kind: AssetReference.Kind = .audio) -> String {
            folder.loader.path(of: AssetReference(path: name, kind: kind))
        }
        #expect(path("Sunny") == folder.file("music/sunny.mp3"))
        #expect(path("Sunny", .image) == folder.file("Sunny"))
        #expect(path("here.mp3") == folder.file("here.mp3"))
        #expect(path("/tmp/x.png", .image) == "/tmp/x.png")
    }

    @Test func `the identity changes with the content`() throws {
        let folder = try AssetFolder()
        let asset = AssetReference(path: "a.txt", kind: .data)
        #expect(throws: EditorError.self) { try folder.loader.identity(of: asset) }
        try folder.write([1, 2], "a.txt")
        let before = try folder.loader.identity(of: asset)
        #expect(try folder.loader.identity(of: asset) == before)
        try folder.write([1, 2, 3], "a.txt")
        #expect(try folder.loader.identity(of: asset) != before)
    }
}

extension AssetFolder {
    static let sampleFont = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
}
