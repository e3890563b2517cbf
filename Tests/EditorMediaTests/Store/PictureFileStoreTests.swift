import EditorCore
import Foundation
import Testing

@testable import EditorMedia

@Suite struct PictureFileStoreTests {
    private func picture(_ seed: Int, width: Int = 10, height: Int = 6) -> VideoFrame {
        var frame = FramePool().frame(.yuv420, PixelSize(width: width, height: height))
        for plane in 0..<3 {
            frame.withMutablePlane(plane) { pixels, layout in
                for row in 0..<layout.height {
                    for x in 0..<layout.width { pixels[row * layout.stride + x] = UInt8((seed + row * 31 + x) & 255) }
                }
            }
        }
        return frame
    }

    @Test(arguments: [(10, 6), (2, 2), (127, 63)])
    func keepsPicturesByName(width: Int, height: Int) throws {
        let folder = try SpanFileStoreTests.Folder()
        let store = PictureFileStore(folder: folder.path + "/deep", capacity: .max)
        let name = Fingerprint("one")
        #expect(store.load(name) == nil && store.note(name) == nil)
        let picture = picture(3, width: width, height: height)
        store.save(picture, as: name)
        let kept = try #require(PictureFileStore(folder: folder.path + "/deep", capacity: .max).load(name))
        #expect(kept.size == picture.size && kept.checksum == picture.checksum)
        #expect(store.load(Fingerprint("other")) == nil)
        store.save(note: "12 7 ü", as: Fingerprint("note"))
        #expect(store.note(Fingerprint("note")) == "12 7 ü")
        #expect(store.clear() > 0 && store.load(name) == nil)
    }

    /// Torn, flipped, emptied or foreign files are not taken for pictures.
    @Test func damageIsNoticed() throws {
        let folder = try SpanFileStoreTests.Folder()
        let store = PictureFileStore(folder: folder.path, capacity: .max)
        let name = Fingerprint("one")
        let changes: [(inout Data) -> Void] = [
            { $0.removeLast() }, { $0[20] ^= 4 }, { $0[9] ^= 1 }, { $0[0] ^= 1 }, { $0 = Data() }, { $0.append(0) },
            { $0 = Data(repeating: 255, count: 100) },
        ]
        for change in changes {
            store.save(picture(1), as: name)
            let file = URL(fileURLWithPath: folder.path + "/" + (try #require(folder.files.first)))
            var bytes = try Data(contentsOf: file)
            change(&bytes)
            try bytes.write(to: file)
            #expect(store.load(name) == nil)
            #expect(folder.files.isEmpty)
        }
    }

    @Test func theLeastRecentlyUsedGoFirst() throws {
        let folder = try SpanFileStoreTests.Folder()
        // 16 bytes of header and 90 of pixels each.
        let store = PictureFileStore(folder: folder.path, capacity: 106 * 3)
        for number in 0..<5 {
            let name = Fingerprint("\(number)")
            store.save(picture(number), as: name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: Double(number - 100))],
                ofItemAtPath: "\(folder.path)/\(name).picture")
        }
        store.trim()
        #expect((0..<5).map { store.load(Fingerprint("\($0)")) != nil } == [false, false, true, true, true])
    }
}
