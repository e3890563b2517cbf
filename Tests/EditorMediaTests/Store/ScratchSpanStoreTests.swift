import EditorCore
import Foundation
import Testing

@testable import EditorMedia

@Suite struct ScratchSpanStoreTests {
    /// There is no name that a killed process could leave behind.
    @Test func keepsSpansWithoutAFileToBeSeen() throws {
        let folder = try SpanFileStoreTests.Folder()
        let store = try ScratchSpanStore(in: folder.path)
        let names = (0..<4).map { Fingerprint("\($0)") }
        for (index, name) in names.enumerated() {
            #expect(!store.contains(name) && store.load(name) == nil)
            try store.save(SpanFileTests.packets(index + 3, seed: UInt64(index)), as: name)
            #expect(folder.files.isEmpty)
        }
        for (index, name) in names.enumerated() {
            #expect(store.contains(name))
            #expect(SpanFileTests.areEqual(store.load(name), SpanFileTests.packets(index + 3, seed: UInt64(index))))
        }
        // Saved again: the later one counts.
        try store.save(SpanFileTests.packets(9), as: names[1])
        #expect(SpanFileTests.areEqual(store.load(names[1]), SpanFileTests.packets(9)))
    }

    @Test func manyMaySaveAtOnce() async throws {
        let folder = try SpanFileStoreTests.Folder()
        let store = try ScratchSpanStore(in: folder.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for i in 0..<20 {
                        let packets = SpanFileTests.packets(i + 1, seed: UInt64(worker))
                        try store.save(packets, as: Fingerprint("\(worker) \(i)"))
                        #expect(SpanFileTests.areEqual(store.load(Fingerprint("\(worker) \(i)")), packets))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let error = #expect(throws: EditorError.self) { try ScratchSpanStore(in: "/nowhere/at/all") }
        #expect(error?.kind == .ioFailed && error?.message.contains("/nowhere/at/all") == true)
    }
}
