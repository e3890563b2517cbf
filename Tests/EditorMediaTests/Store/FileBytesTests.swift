import EditorCore
import Foundation
import Testing

@testable import EditorMedia

@Suite struct FileBytesTests {
    let folder: SpanFileStoreTests.Folder

    init() throws { folder = try SpanFileStoreTests.Folder() }

    @Test func readsWholeFilesAndTheirBeginnings() throws {
        let path = folder.path + "/f"
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try FileBytes.write(bytes, to: path)
        #expect(try FileBytes.read(path, limit: .max) == bytes)
        #expect(try FileBytes.read(path, prefix: 21, limit: .max) == Array(bytes.prefix(21)))
        #expect(try FileBytes.read(path, prefix: 1 << 20, limit: .max) == bytes)
        let error = #expect(throws: EditorError.self) { try FileBytes.read(path, limit: 100_000) }
        #expect(error?.kind == .invalidData)
    }

    /// What has no size beforehand, such as `/proc` and pipes, is read to its end.
    @Test func readsWhatHasNoSize() throws {
        #expect(try FileBytes.read("/proc/self/status", limit: .max).starts(with: Array("Name:".utf8)))
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let writer = Thread {
            let file = open(path, O_WRONLY)
            _ = FileBytes.write([UInt8](repeating: 7, count: 150_000), to: file, at: nil)
            close(file)
        }
        writer.start()
        #expect(try FileBytes.read(path, limit: .max) == [UInt8](repeating: 7, count: 150_000))
    }

    @Test func foldersAndMissingFilesAreTold() throws {
        for (path, words) in [(folder.path, "is a folder"), (folder.path + "/gone", "does not exist")] {
            let error = #expect(throws: EditorError.self) { try FileBytes.read(path, limit: .max) }
            #expect(error?.kind == .missingInput && error?.message.contains(words) == true)
        }
    }

    /// A file that appeared while another was being written stays as it is, and nothing is left beside it.
    @Test func aTakenNameIsKept() throws {
        let path = folder.path + "/f"
        try FileBytes.write([1], to: path, replacing: false)
        let error = #expect(throws: EditorError.self) { try FileBytes.write([2], to: path, replacing: false) }
        #expect(error?.kind == .cannotCreateOutput && error?.message.contains("exists already") == true)
        #expect(try FileBytes.read(path, limit: .max) == [1] && folder.files == ["f"])
        try FileBytes.write([3], to: path)
        #expect(try FileBytes.read(path, limit: .max) == [3] && folder.files == ["f"])
    }

    /// Of many that want one name, one gets it.
    @Test func oneOfManyGetsTheName() async throws {
        let path = folder.path + "/f"
        let won = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask { (try? FileBytes.write([UInt8(number)], to: path, replacing: false)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1 && folder.files == ["f"])
    }
}
