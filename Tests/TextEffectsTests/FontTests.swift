import EditorCore
import EditorTestSupport
import Foundation
import Synchronization
import Testing

@testable import TextEffects

@Suite struct FontTests {
    private static let corpusFont = ProcessInfo.processInfo.environment["EDITOR_CORPUS"].map {
        $0 + "/font/font_ttf_amiri_arabic.ttf"
    }

    /// Adds a font file to this process as a loader of assets does.
    private func register(_ path: String) throws {
        typealias AddFile = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Int32
        let symbol = try #require(dlsym(nil, "FcConfigAppFontAddFile"))
        #expect(unsafeBitCast(symbol, to: AddFile.self)(nil, path) == 1)
    }

    @Test(.enabled(if: corpusFont.map(FileManager.default.fileExists(atPath:)) == true))
    func aFontFileIsUsedThoughPangoReadTheListOfFontsBefore() throws {
        let path = try #require(Self.corpusFont)
        let canvas = PixelSize(width: 640, height: 360)
        let entry: [String: JSONValue] = ["text": "مرحبا", "fontSize": 0.1875]
        let before = try TextStage(.object(entry), canvas: canvas).pixels()
        try register(path)
        var assets = FakeAssets()
        assets.fonts["amiri.ttf"] = "Amiri"
        var withFile = entry
        withFile["fontFile"] = "amiri.ttf"
        let stage = try TextStage(.object(withFile), canvas: canvas, assets: assets)
        let after = try stage.pixels()
        #expect(stage.findings.isEmpty)
        #expect(after.pixels != before.pixels)
        // Amiri draws the word as two groups of joined letters and a dot.
        #expect(after.pieces(minArea: 12) == 3)
    }

    @Test func threadsDrawSideBySide() throws {
        let entry: JSONValue = ["text": "Side by side 日本 مرحبا 😀", "fontSize": 0.08, "outline": [:], "shadow": [:]]
        let expected = try TextStage(entry).pixels().pixels
        let matches = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            guard let pixels = try? TextStage(entry).pixels().pixels, pixels == expected else { return }
            matches.withLock { $0 += 1 }
        }
        #expect(matches.withLock { $0 } == 8)
    }
}
