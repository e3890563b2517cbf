import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

@Suite struct MovieBackendTests {
    private func settings(_ export: JSONValue = [:], _ name: String = "m.mp4") throws -> ExportSettings {
        let config: JSONValue = ["renderSize": ["width": 64, "height": 64], "export": export]
        let read = Configuration.read(ConfigurationDocument(config, name: "test"), requiresClips: false)
        if let error = EditorError(read.findings) { throw error }
        return ExportSettings(read.configuration, fileName: name)
    }

    private func format(_ export: JSONValue = [:], _ name: String = "m.mp4") throws -> any MovieFormat {
        try FFmpegMovieBackend().format(for: settings(export, name))
    }

    @Test(
        arguments: [
            (["videoCodec": "h265x"], "m.mp4", "/export/videoCodec", "there is no video codec \"h265x\""),
            (["audioCodec": "acc"], "m.mp4", "/export/audioCodec", "did you mean \"aac\"?"),
            (["videoCodec": "aac"], "m.mp4", "/export/videoCodec", "there is no video codec \"aac\""),
            (["videoCodec": "h264"], "m.webm", "/export/videoCodec", "a webm file cannot hold h264"),
            (["pixelFormat": "rgb48"], "m.mp4", "/export/pixelFormat", "it takes yuv420p"),
            (["options": ["nonsense": "1"]], "m.mp4", "/export/options/nonsense", "libx264 has no option \"nonsense\""),
            (["options": ["tune": "nonsense"]], "m.mp4", "/export", "refuses these settings"),
        ] as [(JSONValue, String, String, String)])
    func whatDoesNotGoTogetherIsASentence(export: JSONValue, name: String, pointer: String, words: String) throws {
        let error = try #require(throws: EditorError.self) { try format(export, name) }
        #expect(error.kind == .invalidData)
        let finding = try #require(error.findings.first)
        #expect(finding.pointer.description == pointer)
        #expect(finding.sentence.contains(words), "\(finding.sentence)")
        #expect(!finding.message.contains("-22"), "no bare numbers")
    }

    @Test func allProblemsComeAtOnce() throws {
        let error = try #require(throws: EditorError.self) {
            try format(["pixelFormat": "rgb48", "audioCodec": "acc"])
        }
        #expect(
            Set(error.findings.map(\.pointer.description)) == ["/export/audioCodec", "/export/pixelFormat"])
    }

    /// Whatever changes the bytes changes the identity, and what does not leaves it.
    @Test func identitiesFollowTheSettings() throws {
        let base = try format()
        #expect(try format().pictureIdentity == base.pictureIdentity)
        #expect(try format(["audioBitRate": 96000]).pictureIdentity == base.pictureIdentity)
        #expect(try format(["audioBitRate": 96000]).soundIdentity != base.soundIdentity)
        for export in [
            ["crf": 30], ["preset": "slow"], ["videoCodec": "mpeg4"], ["options": ["tune": "grain"]],
            ["videoBitRate": 500_000],
        ] as [JSONValue] {
            #expect(try format(export).pictureIdentity != base.pictureIdentity, "\(export.text())")
            #expect(try format(export).soundIdentity == base.soundIdentity)
        }
    }

    /// Twelve plain frames as one span.
    private func span(_ format: any MovieFormat) throws -> [EncodedPacket] {
        let encoder = try format.makeSpanEncoder()
        for i in 0..<12 {
            try encoder.encode(SyntheticFrames.plain(PixelSize(width: 64, height: 64), y: UInt8(40 + i * 10)))
        }
        return try encoder.finish()
    }

    private func sound(_ format: any MovieFormat) throws -> [EncodedPacket] {
        let encoder = try format.makeSoundEncoder()
        try encoder.encode(SyntheticSound.tone(440, amplitude: 0.2, seconds: 0.4))
        return try encoder.finish()
    }

    @Test func aSpanIsAClosedGroupOfPictures() throws {
        let packets = try span(format())
        #expect(packets.count == 12)
        #expect(packets.first?.isKey == true && packets.first?.pts == 0)
        #expect(packets.map(\.pts).sorted() == Array(0..<12))
        #expect(packets.allSatisfy { $0.dts <= $0.pts && $0.duration == 1 })
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.dts < $1.dts })
        let again = try span(format())
        #expect(packets.map(\.data) == again.map(\.data), "equal pictures give equal bytes")
    }

    @Test func theMovieAppearsWhenItIsFinished() throws {
        let folder = try SpanFileStoreTests.Folder()
        let format = try format()
        let path = folder.path + "/m.mp4"
        let writer = try format.makeWriter(path: path, replacing: true, subtitles: [])
        try writer.writeSound(sound(format))
        try writer.writeSpan(span(format), firstFrame: 0)
        #expect(!folder.files.contains("m.mp4"))
        try writer.finish()
        #expect(folder.files == ["m.mp4"])
        writer.abandon()
        #expect(folder.files == ["m.mp4"], "abandoning a finished movie does nothing")
    }

    @Test(arguments: [true, false])
    func anAbandonedMovieLeavesNothing(explicitly: Bool) throws {
        let folder = try SpanFileStoreTests.Folder()
        let format = try format()
        let path = folder.path + "/m.mp4"
        try Data("the old one".utf8).write(to: URL(fileURLWithPath: path))
        do {
            let writer = try format.makeWriter(path: path, replacing: true, subtitles: [])
            try writer.writeSound(sound(format))
            try writer.writeSpan(span(format), firstFrame: 0)
            #expect(folder.files.count == 2)
            if explicitly { writer.abandon() }
        }
        #expect(folder.files == ["m.mp4"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "the old one")
    }

    /// Two movies of one name in one process do not write into each other, and the later one leaves the first alone.
    @Test func twoWritersOfOnePathKeepApart() throws {
        let folder = try SpanFileStoreTests.Folder()
        let format = try format()
        let path = folder.path + "/m.mp4"
        let (sound, span) = (try sound(format), try span(format))
        let writers = try (0..<2).map { _ in try format.makeWriter(path: path, replacing: false, subtitles: []) }
        #expect(folder.files.count == 2)
        for writer in writers { try writer.writeSound(sound) }
        for writer in writers { try writer.writeSpan(span, firstFrame: 0) }
        try writers[0].finish()
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: EditorError.self) { try writers[1].finish() }
        #expect(error?.kind == .cannotCreateOutput && error?.message.contains("exists already") == true)
        writers[1].abandon()
        #expect(folder.files == ["m.mp4"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
    }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let format = try format()
        let error = try #require(throws: EditorError.self) {
            try format.makeWriter(path: "/nowhere/at/all/m.mp4", replacing: true, subtitles: [])
        }
        #expect(error.kind == .cannotCreateOutput)
        #expect(error.message.contains("/nowhere/at/all/m.mp4"))
    }
}
