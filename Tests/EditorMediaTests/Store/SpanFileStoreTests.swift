import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import EditorMedia

@Suite struct SpanFileStoreTests {
    /// A folder that goes with the test.
    final class Folder {
        let path: String
        init() throws {
            path = NSTemporaryDirectory() + "editor-store-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
    }

    @Test func keepsSpansByName() throws {
        let folder = try Folder()
        let store = SpanFileStore(folder: folder.path + "/deep/spans", capacity: .max)
        let (one, other) = (Fingerprint("one"), Fingerprint("other"))
        #expect(!store.contains(one) && store.load(one) == nil && store.entries().isEmpty)
        let packets = SpanFileTests.packets(6)
        try store.save(packets, as: one)
        #expect(store.contains(one) && !store.contains(other))
        #expect(SpanFileTests.areEqual(store.load(one), packets))
        // Another object, as in another run.
        let again = SpanFileStore(folder: folder.path + "/deep/spans", capacity: .max)
        #expect(SpanFileTests.areEqual(again.load(one), packets))
        #expect(again.clear() > 0)
        #expect(!store.contains(one))
    }

    @Test func aDamagedFileIsRemoved() throws {
        let folder = try Folder()
        let store = SpanFileStore(folder: folder.path, capacity: .max)
        let name = Fingerprint("one")
        try store.save(SpanFileTests.packets(6), as: name)
        let file = URL(fileURLWithPath: folder.path + "/" + (try #require(folder.files.first)))
        var bytes = try Data(contentsOf: file)
        bytes.removeLast(3)
        try bytes.write(to: file)
        #expect(store.load(name) == nil)
        #expect(!store.contains(name) && folder.files.isEmpty)
    }

    @Test func theLeastRecentlyUsedGoFirst() throws {
        let folder = try Folder()
        let size = SpanFile.encode(SpanFileTests.packets(5)).count
        let store = SpanFileStore(folder: folder.path, capacity: size * 3)
        let names = (0..<5).map { Fingerprint("\($0)") }
        for (age, name) in names.enumerated() {
            try store.save(SpanFileTests.packets(5), as: name)
            let date = Date(timeIntervalSinceNow: Double(age - 100))
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: "\(folder.path)/\(name).span")
        }
        // The oldest is used once more.
        _ = store.load(names[0])
        store.trim()
        #expect(names.map(store.contains) == [true, false, false, true, true])
        #expect(store.entries().first?.name == "\(names[0]).span")
    }

    /// What a broken run left half written goes after an hour; what another is writing now stays.
    @Test func oldLeftoversAreRemoved() throws {
        let folder = try Folder()
        let store = SpanFileStore(folder: folder.path, capacity: .max)
        try store.save(SpanFileTests.packets(5), as: Fingerprint("kept"))
        for (name, age) in [("a.span.1.new", 7200.0), ("b.span.2.new", 10)] {
            try Data([1, 2]).write(to: URL(fileURLWithPath: folder.path + "/" + name))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path + "/" + name)
        }
        store.trim()
        #expect(folder.files == ["\(Fingerprint("kept")).span", "b.span.2.new"].sorted())
    }

    @Test func manyMaySaveAtOnce() async throws {
        let folder = try Folder()
        let store = SpanFileStore(folder: folder.path, capacity: .max)
        let shared = Fingerprint("shared")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for i in 0..<20 {
                        try store.save(SpanFileTests.packets(30, seed: 3), as: shared)
                        try store.save(
                            SpanFileTests.packets(10, seed: UInt64(worker)), as: Fingerprint("\(worker) \(i)"))
                        #expect(SpanFileTests.areEqual(store.load(shared), SpanFileTests.packets(30, seed: 3)))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.entries().count == 8 * 20 + 1)
        #expect(folder.files.allSatisfy { $0.hasSuffix(".span") })
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let store = SpanFileStore(folder: folder.path + "/file/spans", capacity: .max)
        let error = #expect(throws: EditorError.self) { try store.save([], as: Fingerprint("one")) }
        #expect(error?.message.contains(folder.path + "/file/spans") == true)
    }
}
