import EditorCore
import EditorMedia
import Foundation
import Testing

/// Files that are looked into side by side are known afterwards.
@Suite(.enabled(if: AssetFolder.hasFFmpeg))
struct LookIntoTests {
    private static let names = ["a.mp4", "b.mp4", "c.mkv", "d.mp4", "e.mp4"]

    private func folder() throws -> ClipFolder {
        let folder = try ClipFolder()
        for (number, name) in Self.names.enumerated() {
            let arguments = "-v error -nostdin -y -f lavfi -i testsrc2=size=\(64 + 16 * number)x48:rate=25 -t 1"
            try ClipFolder.run(
                "ffmpeg", arguments.split(separator: " ").map(String.init) + [folder.path + "/" + name])
        }
        try Data("no movie".utf8).write(to: URL(fileURLWithPath: folder.path + "/broken.mp4"))
        return folder
    }

    @Test(arguments: [1, 2, 16])
    func whatIsKnownIsTheSame(threads: Int) throws {
        let folder = try folder()
        let library = FileMediaLibrary(baseDirectory: folder.path)
        let alone = FileMediaLibrary(baseDirectory: folder.path)
        let names = Self.names + ["broken.mp4", "none.mp4"] + Self.names
        library.lookInto(names, threads: threads, cancellation: Cancellation())
        let told = names.map { name in Result { try alone.probe(name) } }
        // What is still known was looked into before.
        for name in Self.names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        for (name, expected) in zip(names, told) {
            switch expected {
            case .success(let info):
                let known = try library.probe(name)
                #expect(known.video?.storedSize == info.video?.storedSize)
                #expect(known.video?.duration == info.video?.duration && known.identity == info.identity)
            case .failure(let error):
                let again = #expect(throws: EditorError.self) { try library.probe(name) }
                #expect(again?.message == (error as? EditorError)?.message)
            }
        }
    }

    @Test func nothingIsOpenedOnceItIsCancelled() throws {
        let folder = try folder()
        let library = FileMediaLibrary(baseDirectory: folder.path)
        let cancellation = Cancellation()
        cancellation.cancel()
        library.lookInto(Self.names, threads: 2, cancellation: cancellation)
        for name in Self.names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        for name in Self.names { #expect(throws: EditorError.self) { try library.probe(name) } }
    }
}
